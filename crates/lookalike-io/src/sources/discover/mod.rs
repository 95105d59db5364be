//! Finds the sources that inputs name.
//!
//! ```text
//! discovery     options of the search
//! named         inputs that exist, each with its kind
//! folder        the sources in a folder
//! once          the files that were found, each once
//! shared_files  files that are inputs and references of one job
//! unread        files that are in no source: hidden ones, links
//! ```
//!
//! A file of records is one source, compressed or not. A folder is searched: its files of records are sources of their
//! own, all other files together are one source with one document per file; a folder with a stored index is one. Named
//! text files that follow each other and are in one folder are one source too. Hidden files and links are skipped and
//! counted, and a file that several inputs reach is read once ([`once`]). A name that does not exist but
//! contains `*`, `?` or `[` is a pattern; `-` is standard input, which is copied to a temporary file, because records
//! are read a second time when they are written; pipes are, too. Archives are unpacked to a temporary folder
//! ([`super::archive`]). Objects that URLs name are copied too, and are then files, folders and patterns like all
//! others.

mod discovery;
mod folder;
mod named;
mod once;
pub(super) mod shared_files;
mod unread;

pub use discovery::{Discovery, Stdin};
pub use named::is_read_once;
pub use unread::UnreadFile;

use super::archive::Unpacking;
use super::field_names::OwnFields;
use super::inputs::OnError;
use super::names::label;
use super::patterns::{Expanded, Expansion, expand_all};
use super::read_once::{Arriving, spool};
use super::source::{Packing, Source, SourceKind, is_index};
use crate::base::details::Action;
use crate::base::{BadRecord, Compression, Error, Located, Result, SkippedCounts, TemporaryKind, TemporaryName};
use crate::formats::{ArchiveFormat, Layout, RecordFormat, RowFormat, Texts, binary_kind, head_of};
use crate::remote::{CopiedObject, Fetched, RemoteUrl, fetch, is_url};
use folder::{FolderReading, left_out};
use named::{Named, NamedKind, tell_apart};
use once::{Once, without_repeated};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::{TempDir, TempPath};
use unread::{SearchedFolder, SearchedPlaces, check_names};

/// The sources of a job.
#[derive(Debug, Clone)]
pub struct Discovered {
    /// Sources in the order of the inputs; within a folder sorted by path.
    pub sources: Vec<Source>,
    /// Counts of what inputs name or hold and is not read.
    pub skipped_counts: SkippedCounts,
    /// Files and folders that cannot be read, and are left out.
    pub unusable: Vec<BadRecord>,
    /// The first file that is there twice, as the user named it; each is read once.
    pub repeated: Option<PathBuf>,
    /// True if the only input is a file of records, whose records go to one file and not to a folder. A single text
    /// file does not count: it is copied under its name, or removed.
    pub is_single_file: bool,
    /// True if `.gitignore` files are looked for: in local folders, in archives, and for local patterns.
    pub may_have_gitignore: bool,
    /// Places where files were looked for.
    searched: SearchedPlaces,
    /// The copied objects, with their sizes and versions.
    pub copied: Vec<CopiedObject>,
    /// Copies of standard input and of pipes, removed with this value.
    spooled: Vec<Arc<TempPath>>,
    /// Unpacked archives, removed with this value.
    unpacked: Vec<Arc<TempDir>>,
    /// Copies of objects, removed with this value.
    fetched: Option<Arc<TempDir>>,
}

impl Discovered {
    /// No sources.
    pub fn nothing() -> Self {
        Self {
            sources: Vec::new(),
            skipped_counts: SkippedCounts::default(),
            unusable: Vec::new(),
            repeated: None,
            is_single_file: true,
            may_have_gitignore: false,
            searched: SearchedPlaces::default(),
            copied: Vec::new(),
            spooled: Vec::new(),
            unpacked: Vec::new(),
            fetched: None,
        }
    }
}

impl Discovered {
    /// The files and links in the folders and archives of the inputs, and hidden ones that fit patterns, that are in no
    /// source, by folder and path.
    ///
    /// # Errors
    /// [`Error::Io`] if a folder cannot be read.
    pub fn unread_files(&self) -> Result<Vec<UnreadFile>> {
        self.searched.unread_files(&self.sources)
    }

    /// Checks that unread files can be copied beside the records, which are converted to `format` or copied.
    ///
    /// # Errors
    /// [`Error::SameOutput`].
    pub fn check_unread_names(&self, unread: &[UnreadFile], format: Option<RowFormat>) -> Result<()> {
        check_names(&self.sources, unread, format)
    }

    /// Gives the fields of all sources names of their own, if there are such.
    #[must_use]
    pub fn with_own_fields(mut self, own_fields: Option<OwnFields>) -> Self {
        let Some(own_fields) = own_fields.map(Arc::new) else { return self };
        let named = self.sources.into_iter().map(|source| source.with_own_fields(Arc::clone(&own_fields)));
        self.sources = named.collect();
        self
    }
}

impl From<Source> for Discovered {
    /// A source that needs no looking for.
    fn from(source: Source) -> Self {
        Self { sources: vec![source], ..Self::nothing() }
    }
}

/// Finds the sources that `inputs` name.
///
/// # Errors
/// If an input is missing or unreadable, is not compressed as its extension says, or is an empty folder.
pub fn discover(inputs: &[PathBuf]) -> Result<Discovered> {
    discover_with(inputs, &Discovery::default())
}

/// Names of an input that can be read only once.
#[derive(Clone, Copy)]
struct ReadOnce<'a> {
    /// The name in messages about it.
    shown: &'a Path,
    /// The name in places of records.
    path: &'a Path,
    /// The name of outputs.
    name: &'a Path,
}

/// The names of standard input.
fn stdin() -> ReadOnce<'static> {
    let name = Path::new("stdin");
    ReadOnce { shown: Path::new("standard input"), path: name, name }
}

/// Finds the sources that `inputs` name.
///
/// # Errors
/// As [`discover`]; [`Error::Store`] or [`Error::Url`] for a URL that cannot be read; [`Error::Cancelled`].
pub fn discover_with(inputs: &[PathBuf], discovery: &Discovery<'_>) -> Result<Discovered> {
    let Expansion { found: inputs, unread, skipped_counts, has_patterns } = expand_all(inputs, &discovery.selection)?;
    let mut found = Discovered { skipped_counts, may_have_gitignore: has_patterns, ..Discovered::nothing() };
    unread.into_iter().for_each(|skipped| found.searched.add_skipped(skipped, &discovery.selection));
    let named = found.name(inputs, discovery)?;
    let (mut named, repeated) = without_repeated(named);
    found.add_repeated(&repeated);
    tell_apart(&mut named);
    let is_archive = |input: &Named| archive_format(input.located()).is_ok_and(|format| format.is_some());
    let mut once = Once::new(&named, is_archive);
    for input in &named {
        if let Err(error) = found.add(input, named.len(), &mut once, discovery) {
            // A single input would be left without files.
            let on_error = if named.len() > 1 { discovery.on_error } else { OnError::Stop };
            found.unusable.push(left_out(error, &input.path, on_error)?);
            found.searched.files.push(UnreadFile { file: input.file.clone(), name: input.name.clone() });
        }
    }
    match named.first() {
        _ if !found.sources.is_empty() => {}
        _ if !found.unusable.is_empty() => {
            return Err(Error::BadRow { record: found.unusable.swap_remove(0) });
        }
        _ if found.skipped_counts.excluded > 0 => return Err(Error::AllExcluded),
        _ if found.skipped_counts.ignored > 0 => return Err(Error::AllIgnored),
        Some(first) => return Err(Error::EmptyFolder { path: first.path.clone() }),
        None => {}
    }
    found.repeated = repeated.into_iter().next().map(|input| input.path).or(once.into_repeated());
    label(&mut found.sources);
    found.sources.iter_mut().try_for_each(|source| source.find_quotes(discovery.quotes, discovery.on_error))?;
    let is_records = |source: &Source| matches!(source.kind, SourceKind::Records { .. });
    found.is_single_file = matches!(&named[..], [Named { kind, .. }] if !matches!(kind, NamedKind::Folder))
        && found.unpacked.is_empty()
        && found.sources.iter().all(is_records);
    Ok(found)
}

impl Discovered {
    /// The inputs with their kinds, objects as their copies, without those that are left out.
    fn name(&mut self, inputs: Vec<Expanded>, discovery: &Discovery<'_>) -> Result<Vec<Named>> {
        let mut fetched = self.fetch(&inputs, discovery)?.into_iter();
        let mut named = Vec::new();
        for input in inputs {
            if is_url(&input.path) {
                named.extend(fetched.next().unwrap_or_default().into_iter().map(Named::from));
            } else {
                let input = Named::new(input)?;
                let is_file = matches!(input.kind, NamedKind::File | NamedKind::Folder);
                let is_folder = matches!(input.kind, NamedKind::Folder);
                if is_file && discovery.selection.excludes_named(&input.path, is_folder) {
                    self.skipped_counts.excluded += 1;
                } else {
                    named.push(input);
                }
            }
        }
        Ok(named)
    }

    /// Counts inputs that were found before. A link that a pattern fits is not read then, as one in a folder.
    fn add_repeated(&mut self, repeated: &[Named]) {
        self.skipped_counts.repeated += repeated.len() as u64;
        let links = repeated.iter().filter(|input| input.is_match && input.file.is_symlink());
        let unread = links.map(|input| UnreadFile { file: input.file.clone(), name: input.name.clone() });
        self.searched.files.extend(unread);
    }

    /// Adds the sources of one of `inputs` inputs.
    fn add(&mut self, input: &Named, inputs: usize, once: &mut Once, discovery: &Discovery<'_>) -> Result<()> {
        let &Named { ref path, ref file, ref name, ref kind, is_match } = input;
        let located = input.located();
        match kind {
            NamedKind::Stdin if discovery.stdin == Stdin::AsItArrives && inputs == 1 => {
                self.add_arriving(Arriving::begin(std::io::stdin())?, discovery)
            }
            NamedKind::Stdin => {
                let before = self.sources.len();
                self.spool(&mut std::io::stdin().lock(), stdin(), discovery)?;
                let read = self.sources.split_off(before);
                self.sources.extend(read.into_iter().map(Source::of_stdin));
                Ok(())
            }
            NamedKind::Pipe => {
                let mut pipe = File::open(file).map_err(|source| Error::io(Action::Open, path, source))?;
                self.spool(&mut pipe, ReadOnce { shown: path, path, name }, discovery)
            }
            NamedKind::File => match archive_format(located)? {
                Some(format) => self.add_archive(located, input.name_below(inputs), format, discovery),
                None if once.is_first_named(file, path) => self.add_file(located, name.clone(), discovery),
                None => {
                    self.add_repeated(std::slice::from_ref(input));
                    Ok(())
                }
            },
            NamedKind::Folder if is_index(file) => {
                self.sources.push(Source::index(located, input.name_below(inputs))?);
                Ok(())
            }
            NamedKind::Folder => {
                let output_name = input.name_below(inputs);
                let real = &once.folder(file);
                let reading = FolderReading { folder: located, output_name, real, may_be_empty: is_match, discovery };
                self.add_folder(reading, once)
            }
        }
    }

    /// Copies the objects that the URLs among the inputs name; returns the copies by URL.
    fn fetch(&mut self, inputs: &[Expanded], discovery: &Discovery<'_>) -> Result<Vec<Vec<Fetched>>> {
        let urls = inputs.iter().map(|input| RemoteUrl::parse(&input.path)).collect::<Result<Vec<_>>>()?;
        let urls: Vec<RemoteUrl> = urls.into_iter().flatten().collect();
        if urls.is_empty() {
            return Ok(Vec::new());
        }
        let copies = temporary_folder(discovery)?;
        let all = fetch(&urls, copies.path(), &discovery.selection, discovery.goes_on)?;
        self.fetched = Some(Arc::new(copies));
        self.copied = all.objects;
        self.skipped_counts.add(all.skipped_counts);
        Ok(all.fetched)
    }

    /// Adds standard input, which is read as it arrives if it is lines of JSON.
    fn add_arriving(&mut self, arriving: Arriving, discovery: &Discovery<'_>) -> Result<()> {
        let head = arriving.first(discovery.goes_on)?;
        let lines = Layout::Records(RecordFormat::JsonLines);
        let layout = discovery.format.unwrap_or_else(|| Layout::of_head(&head, None));
        if layout == lines && Compression::is_plain(&head) {
            let name = with_extension(stdin().name, RecordFormat::JsonLines);
            self.sources.push(Source::arriving(stdin().path, arriving, name));
            return Ok(());
        }
        self.spool(&mut arriving.open(), stdin(), discovery)
    }

    /// Copies an input that is read only once to a temporary file.
    fn spool(&mut self, input: &mut impl Read, names: ReadOnce<'_>, discovery: &Discovery<'_>) -> Result<()> {
        let ReadOnce { shown, path, name } = names;
        let copy = spool(input, discovery.into(), shown)?;
        let compression = Compression::of_file(&copy)?;
        if let Some(format) = ArchiveFormat::of_content(&copy, compression)? {
            return self.add_archive(Located { path, file: &copy }, Path::new(""), format, discovery);
        }
        let format = match layout_of(&copy, name, compression, discovery)? {
            Layout::Records(format) => format,
            // An empty input is no document.
            Layout::Text if std::fs::metadata(&copy).is_ok_and(|found| found.len() == 0) => RecordFormat::JsonLines,
            Layout::Text => {
                let is_selected = discovery.texts == Texts::Images;
                if let Some(kind) = binary_kind(&head_of(&copy, compression)?).filter(|_| !is_selected) {
                    return Err(Error::Binary { path: shown.to_owned(), kind });
                }
                return self.add_copied_text(path, name, copy, discovery);
            }
        };
        let copy = Arc::new(copy);
        self.spooled.push(Arc::clone(&copy));
        let name = if RecordFormat::of_name(name).is_some() { name.to_owned() } else { with_extension(name, format) };
        let located = Located { path, file: &copy };
        let packing = Packing::detect(located, discovery.on_error)?;
        self.sources.push(Source::records(located, format, name, packing)?);
        Ok(())
    }

    /// Adds the copy of a text as a document, which is found below a folder by the name of what was copied.
    fn add_copied_text(&mut self, path: &Path, name: &Path, copy: TempPath, discovery: &Discovery<'_>) -> Result<()> {
        let folder = temporary_folder(discovery)?;
        let file = folder.path().join(path.file_name().unwrap_or(path.as_os_str()));
        copy.persist(&file).map_err(|error| Error::io(Action::Copy, path, error.error))?;
        self.unpacked.push(Arc::new(folder));
        self.add_text_file(Located { path, file: &file }, name)
    }

    /// Unpacks an archive and adds the sources in it.
    fn add_archive(
        &mut self,
        archive: Located<'_>,
        output_name: &Path,
        format: ArchiveFormat,
        discovery: &Discovery<'_>,
    ) -> Result<()> {
        let folder = temporary_folder(discovery)?;
        // Files of records may be longer than a document.
        let limit = discovery.limit.filter(|_| discovery.format.is_none_or(|format| format == Layout::Text));
        let selection = &discovery.selection;
        let unpacking = Unpacking { archive, folder: folder.path(), limit, selection, into: discovery.into() };
        let excluded = unpacking.unpack(format)?;
        self.skipped_counts.excluded += excluded;
        self.searched.archives.push(archive.file.to_owned());
        self.may_have_gitignore = true;
        let reading = FolderReading {
            folder: Located { path: archive.path, file: folder.path() },
            output_name,
            real: &None,
            may_be_empty: excluded > 0,
            discovery,
        };
        let added = self.add_folder(reading, &mut Once::default());
        self.unpacked.push(Arc::new(folder));
        added.map_err(|error| match error {
            Error::EmptyFolder { path } => Error::EmptyArchive { path },
            error => error,
        })
    }

    /// Adds a named file.
    fn add_file(&mut self, located: Located<'_>, name: PathBuf, discovery: &Discovery<'_>) -> Result<()> {
        let file = located.file;
        let packing = Packing::detect(located, discovery.on_error)?;
        let layout = match discovery.format.or(Layout::of_name(file)).filter(|_| !packing.is_true()) {
            // The content of a packed file cannot be inspected.
            Some(named) => discovery.texts.layout(named),
            None => layout_of(file, file, packing.compression, discovery)?,
        };
        match layout {
            Layout::Records(format) => self.sources.push(Source::records(located, format, name, packing)?),
            Layout::Text => self.add_text_file(located, &name)?,
        }
        Ok(())
    }

    /// Adds a named text file, to the source before it if both are in one folder.
    fn add_text_file(&mut self, located: Located<'_>, name: &Path) -> Result<()> {
        let source = Source::named_text_file(located, name)?;
        let separate = match self.sources.last_mut() {
            Some(last) => last.merge(source),
            None => Some(source),
        };
        self.sources.extend(separate);
        Ok(())
    }

    /// Adds the sources in a named folder.
    fn add_folder(&mut self, reading: FolderReading<'_>, once: &mut Once) -> Result<()> {
        let found = reading.find(once)?;
        let is_empty = found.sources.is_empty()
            && found.unusable.is_empty()
            && found.skipped_counts.repeated + found.skipped_counts.left_out() == 0;
        self.unusable.extend(found.unusable);
        self.searched.unreadable.extend(found.unreadable);
        self.may_have_gitignore |= reading.folder.path == reading.folder.file;
        self.sources.extend(found.sources);
        self.skipped_counts.add(found.skipped_counts);
        self.searched.folders.push(SearchedFolder {
            path: reading.folder.path.to_owned(),
            folder: reading.folder.file.to_owned(),
            output_name: reading.output_name.to_owned(),
            selection: reading.discovery.selection.clone(),
        });
        // A pattern may fit empty folders.
        if is_empty && !reading.may_be_empty {
            Err(Error::EmptyFolder { path: reading.folder.path.to_owned() })
        } else {
            Ok(())
        }
    }
}

/// The layout of a file that the user knows by this name: as the user says, else as the name says, else as it begins.
fn layout_of(file: &Path, name: &Path, compression: Compression, discovery: &Discovery<'_>) -> Result<Layout> {
    let layout = match discovery.format.or(Layout::of_name(name)) {
        Some(layout) => layout.refined(name, file, compression, discovery.format)?,
        None => Layout::of_content(file, compression, discovery.column)?,
    };
    Ok(discovery.texts.layout(layout))
}

/// A new folder for copies.
fn temporary_folder(discovery: &Discovery<'_>) -> Result<TempDir> {
    let staging = &discovery.staging;
    let folder = &staging.temporary_folder;
    let make = |builder: &mut tempfile::Builder<'_, '_>| builder.tempdir_in(folder);
    let made = staging.make(folder, TemporaryName::COPY, TemporaryKind::Folder, make);
    made.map_err(|source| Error::io(Action::WriteTemporary, folder, source))
}

/// The form of an archive; files with a known extension are none.
fn archive_format(Located { path, file }: Located<'_>) -> Result<Option<ArchiveFormat>> {
    if Layout::of_name(file).is_some() {
        return Ok(None);
    }
    let format = Compression::of_file(file).and_then(|compression| ArchiveFormat::of_content(file, compression));
    format.map_err(|error| error.of_path(path))
}

fn with_extension(name: &Path, format: RecordFormat) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(".");
    name.push(format.extension());
    name.into()
}

#[cfg(test)]
mod tests;

//! Finds the sources that inputs name.
//!
//! A file of records is one source, compressed or not. A folder is searched: its files of records are sources of their
//! own, all other files together are one source with one document per file; a folder with a stored index is one. Named
//! text files that follow each other and are in one folder are one source too. Hidden files and links are skipped and
//! counted, and a file that several inputs reach is read once ([`once`]). A name that does not exist but
//! contains `*`, `?` or `[` is a pattern; `-` is standard input, which is copied to a temporary file, because records
//! are read a second time when they are written; pipes are, too. Archives are unpacked to a temporary folder
//! ([`super::archive`]). Objects that URLs name are copied too, and are then files, folders and patterns like all
//! others.

mod folder;
mod named;
mod once;
pub(super) mod shared_files;
mod unread;

pub use named::is_read_once;
pub use unread::UnreadFile;

use super::archive::Unpacking;
use super::field_names::OwnFields;
use super::inputs::OnError;
use super::names::label;
use super::patterns::{Expanded, Expansion, expand_all};
use super::read_once::{Arriving, SpoolInto, spool};
use super::source::{Packing, Source, SourceKind, is_index};
use crate::formats::{ArchiveFormat, JsonFiles, Layout, Quotes, RecordFormat, RowFormat, Texts, binary_kind, head_of};
use crate::ground::details::Action;
use crate::ground::{
    BadRecord, Compression, Error, PassedOver, Result, Selection, Staging, TemporaryKind, TemporaryName,
};
use crate::remote::{CopiedObject, Fetched, RemoteUrl, fetch, is_url};
use folder::{FolderReading, LayoutRule, left_out};
use named::{Named, NamedKind, tell_apart};
use once::{Once, without_repeated};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::{TempDir, TempPath};
use unread::{Searched, SearchedFolder, check_names};

/// The sources of a job.
#[derive(Debug, Clone)]
pub struct Discovered {
    /// In the order of the inputs; within a folder sorted by path.
    pub sources: Vec<Source>,
    /// What inputs name or hold and is not read.
    pub passed_over: PassedOver,
    /// Files and folders that cannot be read, and are left out.
    pub unusable: Vec<BadRecord>,
    /// The first file that is there twice, as the user named it; each is read once.
    pub repeated: Option<PathBuf>,
    /// Whether the only input is a file of records, whose records go to one file and not to a folder. A single text
    /// file does not count: it is copied under its name, or removed.
    pub is_single_file: bool,
    /// Whether `.gitignore` files are looked for: in local folders, in archives, and for local patterns.
    pub may_have_gitignore: bool,
    /// Where files were looked for.
    searched: Searched,
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
            passed_over: PassedOver::default(),
            unusable: Vec::new(),
            repeated: None,
            is_single_file: true,
            may_have_gitignore: false,
            searched: Searched::default(),
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

    /// The same sources, whose fields have names of their own, if there are such.
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

/// How standard input is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stdin {
    /// As a whole, into a copy: its records can be read again.
    #[default]
    Copied,
    /// As it arrives, if it is the only input and has lines of JSON; else as a whole.
    AsItArrives,
}

/// Options of [`discover_with`].
pub struct Discovery<'a> {
    /// Treatment of text files.
    pub texts: Texts,
    /// How standard input is read.
    pub stdin: Stdin,
    /// Which files are read.
    pub selection: Selection,
    /// Where copies of standard input and of objects are made.
    pub staging: Staging,
    /// Layout of all files and of standard input; `None` for what their names say, or their content.
    pub format: Option<Layout>,
    /// What files named `.json` in folders are.
    pub json: JsonFiles,
    /// The column by which a table is known.
    pub column: &'a str,
    /// What quotation marks are in tables of text; `None` to find out.
    pub quotes: Option<Quotes>,
    /// What is done with files and folders that cannot be read, where there are others. Of files that are skipped, some
    /// are found like others, and left out by readers.
    pub on_error: OnError,
    /// Maximum size of a document in bytes: members of archives are not unpacked beyond it.
    pub limit: Option<u64>,
    /// Called while objects and standard input are copied; `false` cancels.
    pub goes_on: &'a dyn Fn() -> bool,
    /// Free space of the disk of a folder, in bytes; `None` where that is not known.
    pub free_bytes: &'a dyn Fn(&Path) -> Option<u64>,
}

impl Discovery<'_> {
    fn layout_rule(&self) -> LayoutRule {
        let Self { texts, format, json, on_error, .. } = *self;
        LayoutRule { texts, format, json, on_error }
    }
}

impl Default for Discovery<'_> {
    fn default() -> Self {
        Self {
            texts: Texts::Documents,
            stdin: Stdin::default(),
            format: None,
            json: JsonFiles::Texts,
            column: "text",
            quotes: None,
            on_error: OnError::Stop,
            limit: None,
            selection: Selection::default(),
            staging: Staging::default(),
            goes_on: &|| true,
            free_bytes: &|_| None,
        }
    }
}

/// Finds the sources that `inputs` name.
///
/// # Errors
/// As [`discover`]; [`Error::Store`] or [`Error::Url`] for a URL that cannot be read; [`Error::Cancelled`].
pub fn discover_with(inputs: &[PathBuf], discovery: &Discovery<'_>) -> Result<Discovered> {
    let Expansion { found: inputs, unread, passed_over, has_patterns } = expand_all(inputs, &discovery.selection)?;
    let mut found = Discovered { passed_over, may_have_gitignore: has_patterns, ..Discovered::nothing() };
    unread.into_iter().for_each(|skipped| found.searched.add_skipped(skipped, &discovery.selection));
    let named = found.name(inputs, discovery)?;
    let (mut named, repeated) = without_repeated(named);
    found.add_repeated(&repeated);
    tell_apart(&mut named);
    let is_archive = |input: &Named| archive_format(&input.path, &input.file).is_ok_and(|format| format.is_some());
    let mut once = Once::of(&named, is_archive);
    for input in &named {
        if let Err(error) = found.add(input, named.len(), &mut once, discovery) {
            // Of a single input nothing would be left.
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
        _ if found.passed_over.excluded > 0 => return Err(Error::AllExcluded),
        _ if found.passed_over.ignored > 0 => return Err(Error::AllIgnored),
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
                let input = Named::of(input)?;
                let is_file = matches!(input.kind, NamedKind::File | NamedKind::Folder);
                let is_folder = matches!(input.kind, NamedKind::Folder);
                if is_file && discovery.selection.excludes_named(&input.path, is_folder) {
                    self.passed_over.excluded += 1;
                } else {
                    named.push(input);
                }
            }
        }
        Ok(named)
    }

    /// Counts inputs that were found before. A link that a pattern fits is not read then, as one in a folder.
    fn add_repeated(&mut self, repeated: &[Named]) {
        self.passed_over.repeated += repeated.len() as u64;
        let links = repeated.iter().filter(|input| input.is_match && input.file.is_symlink());
        let unread = links.map(|input| UnreadFile { file: input.file.clone(), name: input.name.clone() });
        self.searched.files.extend(unread);
    }

    /// Adds the sources of one of `inputs` inputs.
    fn add(&mut self, input: &Named, inputs: usize, once: &mut Once, discovery: &Discovery<'_>) -> Result<()> {
        let &Named { ref path, ref file, ref name, ref kind, is_match } = input;
        match kind {
            NamedKind::Stdin if discovery.stdin == Stdin::AsItArrives && inputs == 1 => {
                self.add_arriving(Arriving::begin(std::io::stdin())?, discovery)
            }
            NamedKind::Stdin => {
                let shown = (Path::new("standard input"), Path::new("stdin"), Path::new("stdin"));
                let before = self.sources.len();
                self.spool(&mut std::io::stdin().lock(), shown, discovery)?;
                let read = self.sources.split_off(before);
                self.sources.extend(read.into_iter().map(Source::of_stdin));
                Ok(())
            }
            NamedKind::Pipe => {
                let mut pipe = File::open(file).map_err(|source| Error::io(Action::Open, path, source))?;
                self.spool(&mut pipe, (path, path, name), discovery)
            }
            NamedKind::File => match archive_format(path, file)? {
                Some(format) => self.add_archive((path, file), input.name_below(inputs), format, discovery),
                None if once.is_first_named(file, path) => self.add_file((path, file), name.clone(), discovery),
                None => {
                    self.add_repeated(std::slice::from_ref(input));
                    Ok(())
                }
            },
            NamedKind::Folder if is_index(file) => {
                self.sources.push(Source::index((path, file), input.name_below(inputs))?);
                Ok(())
            }
            NamedKind::Folder => {
                let output_name = input.name_below(inputs);
                let real = &once.folder(file);
                let selection = &discovery.selection;
                let layouts = discovery.layout_rule();
                let folder = file;
                let may_be_empty = is_match;
                self.add_folder(
                    FolderReading { path, folder, output_name, real, may_be_empty, layouts, selection },
                    once,
                )
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
        self.passed_over.add(all.passed_over);
        Ok(all.fetched)
    }

    /// Adds standard input, which is read as it arrives if it is lines of JSON.
    fn add_arriving(&mut self, arriving: Arriving, discovery: &Discovery<'_>) -> Result<()> {
        let head = arriving.first(discovery.goes_on)?;
        let stdin = Path::new("stdin");
        let lines = Layout::Records(RecordFormat::JsonLines);
        let layout = discovery.format.unwrap_or_else(|| Layout::of_head(&head, None));
        if layout == lines && Compression::is_plain(&head) {
            let name = with_extension(stdin, RecordFormat::JsonLines);
            self.sources.push(Source::arriving(stdin, arriving, name));
            return Ok(());
        }
        self.spool(&mut arriving.open(), (Path::new("standard input"), stdin, stdin), discovery)
    }

    /// Copies an input that is read only once to a temporary file: standard input or a pipe, as messages, places and
    /// outputs name it.
    fn spool(
        &mut self,
        input: &mut impl Read,
        (shown, path, name): (&Path, &Path, &Path),
        discovery: &Discovery<'_>,
    ) -> Result<()> {
        let copy = spool(input, discovery.into(), shown)?;
        let compression = Compression::of_file(&copy)?;
        if let Some(format) = ArchiveFormat::of_content(&copy, compression)? {
            return self.add_archive((path, &copy), Path::new(""), format, discovery);
        }
        let format = match layout_of(&copy, name, compression, discovery)? {
            Layout::Records(format) => format,
            // Nothing at all is no document.
            Layout::Text if std::fs::metadata(&copy).is_ok_and(|found| found.len() == 0) => RecordFormat::JsonLines,
            Layout::Text => {
                let is_wanted = discovery.texts == Texts::Images;
                if let Some(kind) = binary_kind(&head_of(&copy, compression)?).filter(|_| !is_wanted) {
                    return Err(Error::Binary { path: shown.to_owned(), kind });
                }
                return self.add_copied_text((path, name), copy, discovery);
            }
        };
        let copy = Arc::new(copy);
        self.spooled.push(Arc::clone(&copy));
        let name = if RecordFormat::of_name(name).is_some() { name.to_owned() } else { with_extension(name, format) };
        let packing = Packing::of(path, &copy, discovery.on_error)?;
        self.sources.push(Source::records((path, &copy), format, name, packing)?);
        Ok(())
    }

    /// Adds the copy of a text as a document, which is found below a folder by the name of what was copied.
    fn add_copied_text(
        &mut self,
        (path, name): (&Path, &Path),
        copy: TempPath,
        discovery: &Discovery<'_>,
    ) -> Result<()> {
        let folder = temporary_folder(discovery)?;
        let file = folder.path().join(path.file_name().unwrap_or(path.as_os_str()));
        copy.persist(&file).map_err(|error| Error::io(Action::Copy, path, error.error))?;
        self.unpacked.push(Arc::new(folder));
        self.add_text_file(path, &file, name)
    }

    /// Unpacks an archive, `path` in messages, `file` on disk, and adds the sources in it.
    fn add_archive(
        &mut self,
        (path, file): (&Path, &Path),
        output_name: &Path,
        format: ArchiveFormat,
        discovery: &Discovery<'_>,
    ) -> Result<()> {
        let folder = temporary_folder(discovery)?;
        // Files of records may be longer than a document.
        let limit = discovery.limit.filter(|_| discovery.format.is_none_or(|format| format == Layout::Text));
        let selection = &discovery.selection;
        let layouts = discovery.layout_rule();
        let unpacking = Unpacking { path, file, folder: folder.path(), limit, selection, into: discovery.into() };
        let excluded = unpacking.unpack(format)?;
        self.passed_over.excluded += excluded;
        self.searched.archives.push(file.to_owned());
        self.may_have_gitignore = true;
        let reading = FolderReading {
            path,
            folder: folder.path(),
            output_name,
            real: &None,
            may_be_empty: excluded > 0,
            layouts,
            selection,
        };
        let added = self.add_folder(reading, &mut Once::default());
        self.unpacked.push(Arc::new(folder));
        added.map_err(|error| match error {
            Error::EmptyFolder { path } => Error::EmptyArchive { path },
            error => error,
        })
    }

    /// Adds a named file: `path` in messages, `file` on disk.
    fn add_file(&mut self, (path, file): (&Path, &Path), name: PathBuf, discovery: &Discovery<'_>) -> Result<()> {
        let packing = Packing::of(path, file, discovery.on_error)?;
        let layout = match discovery.format.or(Layout::of_name(file)).filter(|_| !packing.is_true()) {
            // What is in it cannot be looked at.
            Some(named) => discovery.texts.layout(named),
            None => layout_of(file, file, packing.compression, discovery)?,
        };
        match layout {
            Layout::Records(format) => self.sources.push(Source::records((path, file), format, name, packing)?),
            Layout::Text => self.add_text_file(path, file, &name)?,
        }
        Ok(())
    }

    /// Adds a named text file, to the source before it if both are in one folder.
    fn add_text_file(&mut self, path: &Path, file: &Path, name: &Path) -> Result<()> {
        let source = Source::named_text_file(path, file, name)?;
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
            && found.passed_over.repeated + found.passed_over.left_out() == 0;
        self.unusable.extend(found.unusable);
        self.searched.unreadable.extend(found.unreadable);
        self.may_have_gitignore |= reading.path == reading.folder;
        self.sources.extend(found.sources);
        self.passed_over.add(found.passed_over);
        self.searched.folders.push(SearchedFolder {
            path: reading.path.to_owned(),
            folder: reading.folder.to_owned(),
            output_name: reading.output_name.to_owned(),
            selection: reading.selection.clone(),
        });
        // A pattern may fit empty folders.
        if is_empty && !reading.may_be_empty {
            Err(Error::EmptyFolder { path: reading.path.to_owned() })
        } else {
            Ok(())
        }
    }
}

impl<'a> From<&'a Discovery<'_>> for SpoolInto<'a> {
    fn from(discovery: &'a Discovery<'_>) -> Self {
        let Discovery { staging, goes_on, free_bytes, .. } = discovery;
        Self { folder: &staging.temporary_folder, goes_on, free_bytes }
    }
}

/// The layout of a file that the user knows by this name: as the user says, else as the name says, else as it begins.
fn layout_of(file: &Path, name: &Path, compression: Compression, discovery: &Discovery<'_>) -> Result<Layout> {
    let layout = match discovery.format.or(Layout::of_name(name)) {
        Some(layout) => layout.refined(name, file, (compression, discovery.format))?,
        None => Layout::of_content(file, compression, discovery.column)?,
    };
    Ok(discovery.texts.layout(layout))
}

/// A new folder for copies.
fn temporary_folder(discovery: &Discovery<'_>) -> Result<TempDir> {
    let (staging, folder) = (&discovery.staging, &discovery.staging.temporary_folder);
    let make = |builder: &mut tempfile::Builder<'_, '_>| builder.tempdir_in(folder);
    let made = staging.make(folder, TemporaryName::COPY, TemporaryKind::Folder, make);
    made.map_err(|source| Error::io(Action::WriteTemporary, folder, source))
}

/// The form of an archive, which the user knows as `path`; files with a known extension are none.
fn archive_format(path: &Path, file: &Path) -> Result<Option<ArchiveFormat>> {
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

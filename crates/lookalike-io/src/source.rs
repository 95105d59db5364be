//! What the user named, as a list of things to read.
//!
//! A file of records is one source, compressed or not. A folder is searched: its files of records are sources of their own,
//! all other files together form one source with a document a file. So do text files that are named one after the other and
//! stand in one folder. Hidden files and links are passed over and counted. A name that does not exist but holds `*`, `?` or
//! `[` is a pattern; `-` is standard input, which is kept in a temporary file, because records are read a second time when
//! they are written. So are objects behind URLs, which are files, folders and patterns as well.

use crate::compression::Compression;
use crate::error::{Error, Result};
use crate::format::{Layout, RecordFormat, RowFormat};
use crate::remote::{CopiedObject, Fetched, RemoteUrl, fetch, is_url};
use lookalike_core::hash::{hash_sequence, hash_token};
use std::fmt;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use tempfile::{NamedTempFile, TempDir, TempPath};
use walkdir::{DirEntry, WalkDir};

/// How the documents of a source are laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceKind {
    /// A file with many records.
    Records {
        /// How they are laid out.
        format: RecordFormat,
        /// Its state when it was found.
        state: FileState,
        /// How it is packed.
        compression: Compression,
    },
    /// Files with one document each.
    TextFiles {
        /// Paths relative to the folder, as found or named, with their states.
        files: Vec<(PathBuf, FileState)>,
    },
}

/// By which a change of a file is noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileState {
    /// Size in bytes.
    pub bytes: u64,
    modified: Option<SystemTime>,
}

impl FileState {
    /// The present state.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be looked at.
    pub fn of(path: &Path) -> Result<Self> {
        let metadata = fs::metadata(path).map_err(|source| Error::io("read", path, source))?;
        Ok(Self { bytes: metadata.len(), modified: metadata.modified().ok() })
    }

    /// Checks that the file is as it was.
    ///
    /// # Errors
    /// [`Error::Changed`] if it is not, [`Error::Io`] if it cannot be looked at.
    pub fn check(self, path: &Path) -> Result<()> {
        if Self::of(path)? == self { Ok(()) } else { Err(Error::Changed { path: path.to_owned() }) }
    }
}

impl fmt::Display for FileState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let since_1970 = self.modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let seconds = since_1970.unwrap_or_default();
        write!(formatter, "{} bytes of {}.{:09} s", self.bytes, seconds.as_secs(), seconds.subsec_nanos())
    }
}

/// Documents that were named together: the unit of counts and of output files.
#[derive(Debug, Clone)]
pub struct Source {
    /// File or folder, as the user named it.
    pub path: Arc<Path>,
    /// Where the bytes are: the same, but for standard input and URLs.
    pub file: Arc<Path>,
    /// Where its records go below an output folder; keys of text files begin with it.
    pub output_name: PathBuf,
    /// Its layout.
    pub kind: SourceKind,
    /// Whether its files were named themselves, not found in a folder.
    are_named: bool,
}

impl Source {
    /// What people know it by.
    pub fn name(&self) -> String {
        match &self.kind {
            SourceKind::TextFiles { files } if self.are_named => match &files[..] {
                [(file, _)] => self.path.join(file).display().to_string(),
                files => format!("{} text files in {}", files.len(), self.path.join("").display()),
            },
            _ => self.path.display().to_string(),
        }
    }

    /// About how much text is in it, unpacked.
    pub fn estimated_text_bytes(&self) -> u64 {
        match &self.kind {
            SourceKind::Records { compression, .. } => self.bytes().saturating_mul(compression.usual_ratio()),
            SourceKind::TextFiles { .. } => self.bytes(),
        }
    }

    /// Whether it is a saved sketch: keys and sets without texts.
    pub fn is_sketch(&self) -> bool {
        matches!(self.kind, SourceKind::Records { format: RecordFormat::Sketch, .. })
    }

    /// Name, layout, sizes and times of its files: another state, another content.
    pub fn state(&self) -> String {
        let name = self.path.display();
        match &self.kind {
            SourceKind::Records { format, state, compression } => match compression {
                Compression::None => format!("{name}, {format:?}, {state}"),
                packed => format!("{name}, {format:?}, {packed:?}, {state}"),
            },
            SourceKind::TextFiles { files } => {
                let hashes = files.iter().map(|(path, state)| hash_token(format!("{path:?} {state}").as_bytes()));
                // Their keys begin with the name of the output.
                let seed = hash_token(self.output_name.as_os_str().as_encoded_bytes());
                let list = hash_sequence(seed, hashes);
                format!("{name}, {} files, {} bytes, list {list:016x}", files.len(), self.bytes())
            }
        }
    }

    /// Size of all its files together.
    pub fn bytes(&self) -> u64 {
        match &self.kind {
            SourceKind::Records { state, .. } => state.bytes,
            SourceKind::TextFiles { files } => files.iter().map(|(_, state)| state.bytes).sum(),
        }
    }
}

/// What the inputs hold.
#[derive(Debug, Clone)]
pub struct Discovered {
    /// In the order of the inputs; within a folder sorted by path.
    pub sources: Vec<Source>,
    /// Hidden files, and links, in folders: not read.
    pub passed_over: u64,
    /// Whether the only input is a file of records: they belong into one file again, not into a folder. A text file that is
    /// named alone does not count: it stays, and is copied under its name, or it goes.
    pub is_single_file: bool,
    /// What text files are.
    texts: Texts,
    /// What standard input and named files are whose ending says nothing.
    format: Option<RecordFormat>,
    /// The objects that were copied, by URL: their sizes and versions.
    pub copied: Vec<CopiedObject>,
    /// Copies of standard input, which go with this value.
    spooled: Vec<Arc<TempPath>>,
    /// Copies of objects, which go with this value.
    fetched: Option<Arc<TempDir>>,
}

/// What a file without the signs of records is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texts {
    /// One document.
    Documents,
    /// One set of items a line.
    ItemLines,
}

impl Texts {
    fn layout(self, found: Layout) -> Layout {
        match (self, found) {
            (Self::ItemLines, Layout::Text) => Layout::Records(RecordFormat::ItemLines),
            _ => found,
        }
    }
}

impl Discovered {
    /// Nothing.
    pub fn nothing() -> Self {
        Self {
            sources: Vec::new(),
            passed_over: 0,
            is_single_file: true,
            texts: Texts::Documents,
            format: None,
            copied: Vec::new(),
            spooled: Vec::new(),
            fetched: None,
        }
    }
}

/// Finds the sources that `inputs` name.
///
/// # Errors
/// If an input is missing or unreadable, is not compressed as its ending says, or is an empty folder.
pub fn discover(inputs: &[PathBuf]) -> Result<Discovered> {
    discover_with(inputs, &Discovery::default())
}

/// How sources are found.
pub struct Discovery<'a> {
    /// What text files are.
    pub texts: Texts,
    /// What has to be copied goes to a folder below this one.
    pub temporary_folder: PathBuf,
    /// Layout of standard input and of named files whose ending says nothing; `None` if their content is to tell.
    pub format: Option<RecordFormat>,
    /// Asked while objects are copied, which may take long: whether to go on.
    pub goes_on: &'a dyn Fn() -> bool,
}

impl Default for Discovery<'_> {
    fn default() -> Self {
        Self { texts: Texts::Documents, format: None, temporary_folder: std::env::temp_dir(), goes_on: &|| true }
    }
}

/// Finds the sources that `inputs` name.
///
/// # Errors
/// As [`discover`]; [`Error::Store`] or [`Error::Url`] for a URL that cannot be read; [`Error::Cancelled`].
pub fn discover_with(inputs: &[PathBuf], discovery: &Discovery<'_>) -> Result<Discovered> {
    let inputs = expand_patterns(inputs)?;
    let mut found = Discovered { texts: discovery.texts, format: discovery.format, ..Discovered::nothing() };
    let mut fetched = found.fetch(&inputs, discovery)?.into_iter();
    let mut named = Vec::new();
    for input in &inputs {
        if is_url(input) {
            named.extend(fetched.next().unwrap_or_default().into_iter().map(Named::from));
        } else {
            named.push(Named::of(input)?);
        }
    }
    for Named { path, file, name, kind } in &named {
        match kind {
            NamedKind::Stdin => found.spool(&mut std::io::stdin().lock(), &discovery.temporary_folder)?,
            NamedKind::File => found.add_file(path, file, name.clone())?,
            NamedKind::Folder => {
                let below = if named.len() > 1 { name.as_path() } else { Path::new("") };
                add_folder((path, file), below, &mut found)?;
            }
        }
    }
    let is_records = |source: &Source| matches!(source.kind, SourceKind::Records { .. });
    found.is_single_file = matches!(&named[..], [Named { kind: NamedKind::File | NamedKind::Stdin, .. }])
        && found.sources.iter().all(is_records);
    Ok(found)
}

/// An input, by its kind.
struct Named {
    /// As the user named it, or as a pattern fits it.
    path: PathBuf,
    /// The same here.
    file: PathBuf,
    name: PathBuf,
    kind: NamedKind,
}

enum NamedKind {
    Stdin,
    File,
    Folder,
}

impl Named {
    /// Something here.
    fn of(input: &Path) -> Result<Self> {
        let kind = if input == Path::new(STDIN) {
            NamedKind::Stdin
        } else {
            match fs::metadata(input).map_err(|source| Error::io("read", input, source))? {
                found if found.is_dir() => NamedKind::Folder,
                found if found.is_file() => NamedKind::File,
                _ => return Err(Error::NotAFile { path: input.to_owned() }),
            }
        };
        let name = input.file_name().map(PathBuf::from).unwrap_or_default();
        Ok(Self { path: input.to_owned(), file: input.to_owned(), name, kind })
    }
}

impl From<Fetched> for Named {
    fn from(Fetched { url, file, output_name, is_folder }: Fetched) -> Self {
        let kind = if is_folder { NamedKind::Folder } else { NamedKind::File };
        Self { path: url, file, name: output_name, kind }
    }
}

/// Names standard input.
const STDIN: &str = "-";

/// The inputs, with the files that fit in place of each pattern.
///
/// # Errors
/// [`Error::NoMatch`], [`Error::Pattern`], or [`Error::Io`] if a folder cannot be searched.
pub fn expand_patterns(inputs: &[PathBuf]) -> Result<Vec<PathBuf>> {
    Ok(inputs.iter().map(|input| expand(input)).collect::<Result<Vec<_>>>()?.concat())
}

/// The files that a pattern fits, sorted; anything else is itself.
fn expand(input: &Path) -> Result<Vec<PathBuf>> {
    let pattern = input.to_string_lossy();
    // What a pattern of URLs fits only the store can tell.
    if is_url(input) || !pattern.contains(['*', '?', '[']) || input.exists() {
        return Ok(vec![input.to_owned()]);
    }
    let wrong = |error: glob::PatternError| Error::Pattern { path: input.to_owned(), message: error.msg.to_owned() };
    let mut fitting = Vec::new();
    for path in glob::glob(&pattern).map_err(wrong)? {
        fitting.push(path.map_err(|error| Error::io("read", input, error.into()))?);
    }
    if fitting.is_empty() { Err(Error::NoMatch { path: input.to_owned() }) } else { Ok(fitting) }
}

impl Discovered {
    /// Copies what the URLs among the inputs name; returns that for each.
    fn fetch(&mut self, inputs: &[PathBuf], discovery: &Discovery<'_>) -> Result<Vec<Vec<Fetched>>> {
        let temporary_folder = &discovery.temporary_folder;
        let urls = inputs.iter().map(|input| RemoteUrl::parse(input)).collect::<Result<Vec<_>>>()?;
        let urls: Vec<RemoteUrl> = urls.into_iter().flatten().collect();
        if urls.is_empty() {
            return Ok(Vec::new());
        }
        let copies = tempfile::Builder::new().prefix("lookalike-").tempdir_in(temporary_folder);
        let copies = copies.map_err(|source| Error::io("write temporary data to", temporary_folder, source))?;
        let all = fetch(&urls, copies.path(), discovery.goes_on)?;
        self.fetched = Some(Arc::new(copies));
        self.copied = all.objects;
        self.passed_over += all.passed_over;
        Ok(all.fetched)
    }

    /// Copies standard input to a temporary file.
    fn spool(&mut self, stdin: &mut impl Read, temporary_folder: &Path) -> Result<()> {
        let io = |source| Error::io("copy", Path::new("standard input"), source);
        let mut copy = NamedTempFile::new_in(temporary_folder).map_err(io)?;
        std::io::copy(stdin, &mut copy).map_err(io)?;
        let path = Arc::new(copy.into_temp_path());
        let by_content = || Layout::of_content(&path, Compression::of_file(&path)?);
        let format = match self.texts.layout(self.format.map_or_else(by_content, |format| Ok(Layout::Records(format)))?)
        {
            Layout::Records(format) => format,
            // Lines that are no JSON are named one by one then.
            Layout::Text => RecordFormat::JsonLines,
        };
        let name = PathBuf::from(format!("stdin.{}", format.ending()));
        self.sources.push(records((Path::new("stdin"), &path), format, name)?);
        self.spooled.push(path);
        Ok(())
    }

    /// Adds a file that was named by itself: `path` as the user sees it, `file` where it is.
    fn add_file(&mut self, path: &Path, file: &Path, name: PathBuf) -> Result<()> {
        let compression = Compression::of_file(file).map_err(|error| error.of_path(path))?;
        let by_content = || Layout::of_content(file, compression);
        let layout = Layout::of_name(file).or(self.format.map(Layout::Records));
        match self.texts.layout(layout.map_or_else(by_content, Ok)?) {
            Layout::Records(format) => self.sources.push(records((path, file), format, name)?),
            Layout::Text => self.add_text_file(path, file)?,
        }
        Ok(())
    }

    /// Adds a text file that was named by itself to those before it, if they stand in the same folder.
    fn add_text_file(&mut self, path: &Path, file: &Path) -> Result<()> {
        let [folder, here] = [path, file].map(|path| path.parent().unwrap_or(Path::new("")));
        let file = (path.file_name().map(PathBuf::from).unwrap_or_default(), FileState::of(file)?);
        match self.sources.last_mut() {
            Some(Source { path, kind: SourceKind::TextFiles { files }, are_named: true, .. }) if **path == *folder => {
                files.push(file);
            }
            _ => {
                let kind = SourceKind::TextFiles { files: vec![file] };
                self.sources.push(Source { are_named: true, ..text_files((folder, here), Path::new(""), kind) });
            }
        }
        Ok(())
    }
}

/// Text files of a folder, which the user sees at one path and which is at another.
fn text_files((folder, here): (&Path, &Path), output_name: &Path, kind: SourceKind) -> Source {
    Source { path: folder.into(), file: here.into(), output_name: output_name.to_owned(), kind, are_named: false }
}

/// A file of records, which the user sees at one path and which is at another.
fn records((path, file): (&Path, &Path), format: RecordFormat, output_name: PathBuf) -> Result<Source> {
    let state = FileState::of(file)?;
    let compression = Compression::of_file(file).map_err(|error| error.of_path(path))?;
    format.check_packing(path, compression)?;
    let kind = SourceKind::Records { format, state, compression };
    Ok(Source { path: path.into(), file: file.into(), output_name, kind, are_named: true })
}

/// A folder, which the user sees at one path and which is at another.
fn add_folder((path, folder): (&Path, &Path), output_name: &Path, found: &mut Discovered) -> Result<()> {
    let before = found.sources.len();
    let mut files = Vec::new();
    let mut walk = WalkDir::new(folder).min_depth(1).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        let entry = entry.map_err(|error| walk_error(folder, error))?;
        if is_hidden(&entry) || entry.path_is_symlink() {
            found.passed_over += 1;
            if entry.file_type().is_dir() {
                walk.skip_current_dir();
            }
        } else if entry.file_type().is_file() {
            let relative = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            match found.texts.layout(Layout::of_folder_entry(entry.path())) {
                Layout::Records(format) => {
                    let shown = path.join(relative);
                    found.sources.push(records((&shown, entry.path()), format, output_name.join(relative))?);
                }
                Layout::Text => files.push((relative.to_owned(), FileState::of(entry.path())?)),
            }
        }
    }
    if !files.is_empty() {
        found.sources.push(text_files((path, folder), output_name, SourceKind::TextFiles { files }));
    }
    if found.sources.len() == before {
        return Err(Error::EmptyFolder { path: path.to_owned() });
    }
    Ok(())
}

fn walk_error(folder: &Path, error: walkdir::Error) -> Error {
    let path = error.path().unwrap_or(folder).to_owned();
    let source = error.into_io_error().unwrap_or_else(|| std::io::Error::other("a loop of links"));
    Error::Io { action: "read", path, source }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// Where the records of a source go below an output folder if they are turned into `format`; `None` if its files keep their
/// names. All text files of a source become one file.
pub fn converted_name(source: &Source, format: RowFormat) -> Option<PathBuf> {
    match &source.kind {
        SourceKind::Records { format: from, .. } if from.as_rows() == Some(format) => None,
        SourceKind::Records { .. } => Some(format.rename(&source.output_name)),
        SourceKind::TextFiles { .. } => {
            let name = if source.output_name.as_os_str().is_empty() { source.path.file_name() } else { None };
            let name = name.map_or_else(|| source.output_name.clone(), PathBuf::from);
            let is_nameless = name.as_os_str().is_empty();
            Some(format.rename(if is_nameless { Path::new("texts") } else { &name }))
        }
    }
}

/// Checks that no two sources would be written to one place below an output folder, if they are turned into `format`, or stay
/// as they came.
///
/// # Errors
/// [`Error::SameOutput`].
pub fn check_output_names(sources: &[Source], format: Option<RowFormat>) -> Result<()> {
    let mut names: Vec<(PathBuf, PathBuf)> = sources.iter().flat_map(|source| written_names(source, format)).collect();
    names.sort_by(|(name, _), (other, _)| name.cmp(other));
    for pair in names.windows(2) {
        let [(name, first), (next, second)] = pair else { continue };
        if name == next {
            return Err(Error::SameOutput { first: first.clone(), second: second.clone(), name: name.clone() });
        }
    }
    Ok(())
}

/// Where the files of a source would be written below an output folder, and from what.
fn written_names(source: &Source, format: Option<RowFormat>) -> Vec<(PathBuf, PathBuf)> {
    let converted = format.and_then(|format| converted_name(source, format));
    match (&source.kind, converted) {
        (_, Some(name)) => vec![(name, source.path.to_path_buf())],
        (SourceKind::Records { .. }, None) => vec![(source.output_name.clone(), source.path.to_path_buf())],
        (SourceKind::TextFiles { files }, None) => {
            files.iter().map(|(file, _)| (source.output_name.join(file), source.path.join(file))).collect()
        }
    }
}

#[cfg(test)]
mod tests;

//! What the user named, as a list of things to read.
//!
//! A file of records is one source, compressed or not. A folder is searched: its files of records are sources of their own,
//! all other files together form one source with a document a file. Hidden files and links are passed over and counted. A
//! name that does not exist but holds `*`, `?` or `[` is a pattern; `-` is standard input, which is kept in a temporary file,
//! because records are read a second time when they are written.

use crate::columns;
use crate::compression::Compression;
use crate::error::{Error, Result};
use crate::format::{RecordFormat, RowFormat};
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use tempfile::{NamedTempFile, TempPath};
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
        /// Paths relative to the folder, sorted, with their states.
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

/// Documents that were named together: the unit of counts and of output files.
#[derive(Debug, Clone)]
pub struct Source {
    /// File or folder, as the user named it.
    pub path: Arc<Path>,
    /// Where the bytes are: the same, but for standard input.
    pub file: Arc<Path>,
    /// Where its records go below an output folder; keys of text files begin with it.
    pub output_name: PathBuf,
    /// Its layout.
    pub kind: SourceKind,
}

impl Source {
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
    /// Whether the only input is a file: its records belong into one file again, not into a folder.
    pub is_single_file: bool,
    /// Copies of standard input, which go with this value.
    spooled: Vec<Arc<TempPath>>,
}

impl Discovered {
    /// Nothing.
    pub fn nothing() -> Self {
        Self { sources: Vec::new(), passed_over: 0, is_single_file: true, spooled: Vec::new() }
    }
}

/// Finds the sources that `inputs` name.
///
/// # Errors
/// If an input is missing or unreadable, is not compressed as its ending says, or is an empty folder.
pub fn discover(inputs: &[PathBuf]) -> Result<Discovered> {
    let inputs: Vec<PathBuf> = inputs.iter().map(|input| expand(input)).collect::<Result<Vec<_>>>()?.concat();
    let is_single_file = matches!(&inputs[..], [input] if !input.is_dir());
    let mut found = Discovered { is_single_file, ..Discovered::nothing() };
    for input in &inputs {
        if input == Path::new(STDIN) {
            found.spool(&mut std::io::stdin().lock())?;
            continue;
        }
        let metadata = fs::metadata(input).map_err(|source| Error::io("read", input, source))?;
        let name = input.file_name().map(PathBuf::from).unwrap_or_default();
        if metadata.is_dir() {
            let below = if inputs.len() > 1 { name } else { PathBuf::new() };
            add_folder(input, &below, &mut found)?;
        } else if metadata.is_file() {
            found.sources.push(records(input, name)?);
        } else {
            return Err(Error::NotAFile { path: input.clone() });
        }
    }
    Ok(found)
}

/// Names standard input.
const STDIN: &str = "-";

/// The files that a pattern fits, sorted; anything else is itself.
fn expand(input: &Path) -> Result<Vec<PathBuf>> {
    let pattern = input.to_string_lossy();
    if !pattern.contains(['*', '?', '[']) || input.exists() {
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
    /// Copies standard input to a temporary file.
    fn spool(&mut self, stdin: &mut impl Read) -> Result<()> {
        let io = |source| Error::io("copy", Path::new("standard input"), source);
        let mut copy = NamedTempFile::new().map_err(io)?;
        std::io::copy(stdin, &mut copy).map_err(io)?;
        let path = Arc::new(copy.into_temp_path());
        let mut source = records(&path, PathBuf::new())?;
        if let SourceKind::Records { format, .. } = source.kind {
            source.output_name = RowFormat::from(format).rename(Path::new("stdin"));
        }
        source.path = Path::new("stdin").into();
        self.sources.push(source);
        self.spooled.push(path);
        Ok(())
    }
}

fn records(path: &Path, output_name: PathBuf) -> Result<Source> {
    let (state, compression) = (FileState::of(path)?, Compression::of_file(path)?);
    let format = columns::format_of_file(path, compression)?.unwrap_or(RecordFormat::JsonLines);
    let kind = SourceKind::Records { format, state, compression };
    let path: Arc<Path> = path.into();
    Ok(Source { file: Arc::clone(&path), path, output_name, kind })
}

fn add_folder(folder: &Path, output_name: &Path, found: &mut Discovered) -> Result<()> {
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
            let name = Compression::of_name(entry.path()).1;
            if is_json_lines(&name) || columns::format_of_name(&name).is_some() {
                found.sources.push(records(entry.path(), output_name.join(relative))?);
            } else {
                files.push((relative.to_owned(), FileState::of(entry.path())?));
            }
        }
    }
    if !files.is_empty() {
        let kind = SourceKind::TextFiles { files };
        let path: Arc<Path> = folder.into();
        found.sources.push(Source { file: Arc::clone(&path), path, output_name: output_name.to_owned(), kind });
    }
    if found.sources.len() == before {
        return Err(Error::EmptyFolder { path: folder.to_owned() });
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

fn is_json_lines(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str);
    ending.is_some_and(|ending| ["jsonl", "ndjson"].iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Checks that no two sources would be written to one place below an output folder.
///
/// # Errors
/// [`Error::SameOutput`].
pub fn check_output_names(sources: &[Source]) -> Result<()> {
    let mut names: Vec<&Source> = sources.iter().collect();
    names.sort_by_key(|source| &source.output_name);
    for pair in names.windows(2) {
        let [first, second] = pair else { continue };
        let is_files = |source: &Source| matches!(source.kind, SourceKind::TextFiles { .. });
        // JSON Lines files of a folder go below the name of the folder's text files: those may meet, files may not.
        if first.output_name == second.output_name && is_files(first) == is_files(second) {
            let (first, second, name) =
                (first.path.to_path_buf(), second.path.to_path_buf(), first.output_name.clone());
            return Err(Error::SameOutput { first, second, name });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_hold_text_files_and_json_lines() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("in/deep")).unwrap();
        for (name, content) in
            [("b.txt", "b"), ("a.txt", "a"), ("deep/c.md", "c"), ("deep/d.jsonl", "{}"), (".hidden", "x")]
        {
            fs::write(root.path().join("in").join(name), content).unwrap();
        }
        let found = discover(&[root.path().join("in")]).unwrap();
        assert_eq!(found.passed_over, 1);
        assert_eq!(found.sources[0].output_name, PathBuf::from("deep/d.jsonl"));
        let SourceKind::TextFiles { files } = &found.sources[1].kind else { panic!("no text files") };
        let names: Vec<_> = files.iter().map(|(path, _)| path.clone()).collect();
        assert_eq!(names, ["a.txt", "b.txt", "deep/c.md"].map(PathBuf::from));
        assert_eq!(found.sources[1].bytes(), 3);
    }

    #[test]
    fn inputs_that_cannot_be_used_are_refused() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        assert!(matches!(discover(&[path("none")]), Err(Error::Io { .. })));
        fs::create_dir(path("empty")).unwrap();
        assert!(matches!(discover(&[path("empty")]), Err(Error::EmptyFolder { .. })));
        fs::write(path("x.jsonl.zst"), "{}").unwrap();
        assert!(matches!(discover(&[path("x.jsonl.zst")]), Err(Error::NotCompressed { .. })));
        assert!(matches!(discover(&[path("*.csv")]), Err(Error::NoMatch { .. })));
        assert!(matches!(discover(&[path("[.csv")]), Err(Error::Pattern { .. })));
        fs::write(path("y.jsonl"), "").unwrap();
        fs::write(path("empty").join("y.jsonl"), "").unwrap();
        let twice = discover(&[path("y.jsonl"), path("empty").join("y.jsonl")]).unwrap();
        assert!(
            matches!(check_output_names(&twice.sources), Err(Error::SameOutput { name, .. }) if name == *"y.jsonl")
        );
    }

    #[test]
    fn patterns_fit_in_order_and_standard_input_is_kept() {
        let root = tempfile::tempdir().unwrap();
        for name in ["b.jsonl", "a.jsonl", "c.txt"] {
            fs::write(root.path().join(name), "{}").unwrap();
        }
        let found = discover(&[root.path().join("*.jsonl")]).unwrap();
        let names: Vec<_> = found.sources.iter().map(|source| source.output_name.clone()).collect();
        assert_eq!(names, ["a.jsonl", "b.jsonl"].map(PathBuf::from));
        assert!(!found.is_single_file);

        let mut found = Discovered::nothing();
        found.spool(&mut &b"{}\n"[..]).unwrap();
        let kept = found.sources[0].file.clone();
        assert_eq!(fs::read(&kept).unwrap(), b"{}\n");
        drop(found);
        assert!(!kept.exists());
    }

    #[test]
    fn changes_are_noticed() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("x");
        fs::write(&path, "one").unwrap();
        let state = FileState::of(&path).unwrap();
        assert!(state.check(&path).is_ok());
        fs::write(&path, "three").unwrap();
        assert!(matches!(state.check(&path), Err(Error::Changed { .. })));
    }
}

//! A source: documents that are counted and written together.

mod flaw;
mod memory;

pub(super) use flaw::Packing;
pub use memory::{InMemory, MemoryTable, MemoryTexts, TextList};

use self::flaw::Flaw;
use super::field_names::{FieldNames, OwnFields};
use super::file_state::FileState;
use super::inputs::OnError;
use super::read_once::Arriving;
use crate::base::details::Action;
use crate::base::{Compression, Error, Located, Place, Result};
use crate::formats::{Dialect, Quotes, QuotesFound, RecordFormat, ids_beside, quotes_of};
use lookalike_core::hash::{hash_sequence, hash_token};
use lookalike_core::printed_path;
use lookalike_core::stored::{INDEX_LOCK, INDEX_MANIFEST, MAGIC};
use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The layout of a source.
#[derive(Debug, Clone)]
pub enum SourceKind {
    /// A file with many records.
    Records {
        /// Format of the records.
        format: RecordFormat,
        /// State of the file at its discovery.
        state: FileState,
        /// Compression of the file.
        compression: Compression,
        /// Bytes of unpacked content that must be in memory while the file is read, as far as it tells.
        window_bytes: u64,
        /// State of the file of ids beside an array of NumPy, if there is one.
        ids: Option<FileState>,
        /// Meaning of quotation marks in a table of text.
        quotes: Quotes,
    },
    /// Files with one document each.
    TextFiles {
        /// Paths relative to the folder with the states at their discovery, in input order.
        files: Vec<(PathBuf, FileState)>,
    },
    /// A folder with a stored index: ids and element sets without texts.
    Index {
        /// Names of its files with the states at their discovery, sorted.
        files: Vec<(PathBuf, FileState)>,
        /// Ids of documents that are skipped, because others come in their place.
        without: Option<Arc<HashSet<String>>>,
    },
    /// Documents in the memory of a program.
    Memory {
        /// The documents.
        documents: InMemory,
        /// Size of the texts, as far as it is known before they are read.
        text_bytes: u64,
    },
}

/// A file of records, or the text files of a folder: the unit of counts and of output files.
#[derive(Debug, Clone)]
pub struct Source {
    /// File or folder, as the user named it.
    pub path: Arc<Path>,
    /// The local file or folder: the same path, or the copy of standard input or of objects.
    pub file: Arc<Path>,
    /// Path of its records below an output folder; ids of text files begin with it.
    pub output_name: PathBuf,
    /// Name in ids of records without one, and in ids that occur again. No other source of the job has the
    /// same, and it does not depend on how the path was typed.
    pub label: Arc<str>,
    /// Layout of the source.
    pub kind: SourceKind,
    /// True if the user named its files, not a folder with them.
    are_named: bool,
    /// Names of its fields, where they are not those of the job.
    own_fields: Option<Arc<OwnFields>>,
    /// Records that are no file and are read as they arrive.
    arriving: Option<Arriving>,
    /// True if it is what stands in standard input.
    is_stdin: bool,
    /// Reason why the records cannot be read, if known without opening them and they may be left out.
    flaw: Option<Flaw>,
}

impl Source {
    /// Text files of a folder.
    pub(super) fn text_files(folder: Located<'_>, output_name: &Path, files: Vec<(PathBuf, FileState)>) -> Self {
        let kind = SourceKind::TextFiles { files };
        Self { are_named: false, ..Self::new(folder, output_name.to_owned(), kind) }
    }

    /// A source that the user named, of which nothing else is known.
    fn new(Located { path, file }: Located<'_>, output_name: PathBuf, kind: SourceKind) -> Self {
        Self {
            path: path.into(),
            file: file.into(),
            output_name,
            label: Arc::default(),
            kind,
            are_named: true,
            own_fields: None,
            arriving: None,
            is_stdin: false,
            flaw: None,
        }
    }

    /// A file of records.
    pub(super) fn records(
        located: Located<'_>,
        format: RecordFormat,
        output_name: PathBuf,
        packing: Packing,
    ) -> Result<Self> {
        let Located { path, file } = located;
        let state = FileState::read(file).map_err(|error| error.of_path(path))?;
        let Packing { compression, flaw } = packing;
        format.check_compression(path, compression)?;
        let ids = (format == RecordFormat::Npy).then(|| ids_beside(file)).filter(|ids| ids.exists());
        let ids = ids.map(|ids| FileState::read(&ids)).transpose()?;
        let window_bytes = compression.window_bytes(file).map_err(|error| error.of_path(path))?;
        let kind = SourceKind::Records { format, state, compression, window_bytes, ids, quotes: Quotes::Double };
        Ok(Self { flaw, ..Self::new(located, output_name, kind) })
    }

    /// Lines of JSON that arrive, which the user knows as `path`.
    pub(super) fn arriving(path: &Path, arriving: Arriving, output_name: PathBuf) -> Self {
        let format = RecordFormat::JsonLines;
        let state = FileState::default();
        let compression = Compression::None;
        let quotes = Quotes::Double;
        let kind = SourceKind::Records { format, state, compression, window_bytes: 0, ids: None, quotes };
        let source = Self::new(Located { path, file: Path::new("standard input") }, output_name, kind);
        Self { arriving: Some(arriving), is_stdin: true, ..source }
    }

    /// The index in a folder.
    pub(super) fn index(folder: Located<'_>, output_name: &Path) -> Result<Self> {
        let io = |source| Error::io(Action::Read, folder.path, source);
        let mut files = Vec::new();
        for entry in fs::read_dir(folder.file).map_err(io)? {
            let entry = entry.map_err(io)?;
            if entry.file_name() != INDEX_LOCK {
                files.push((PathBuf::from(entry.file_name()), FileState::read(&entry.path())?));
            }
        }
        files.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let kind = SourceKind::Index { files, without: None };
        Ok(Self::new(folder, output_name.to_owned(), kind))
    }

    /// A text file that the user named, called `name` in ids.
    pub(super) fn named_text_file(Located { path, file }: Located<'_>, name: &Path) -> Result<Self> {
        let folder = Located { path: folder_of(path), file: folder_of(file) };
        let files = vec![(file_name(path), FileState::read(file)?)];
        Ok(Self { are_named: true, ..Self::text_files(folder, folder_of(name), files) })
    }

    /// Documents in memory, called `name` in messages. The label is empty: documents without ids are called by their
    /// rows.
    pub fn in_memory(name: &str, documents: InMemory, names: &FieldNames) -> Self {
        let kind = SourceKind::Memory { text_bytes: documents.text_bytes(names), documents };
        Self::new(Located::in_place(Path::new(name)), PathBuf::new(), kind)
    }

    /// Marks the source as what stands in standard input.
    pub(super) fn of_stdin(self) -> Self {
        Self { is_stdin: true, ..self }
    }

    /// Returns whether it is what stands in standard input.
    pub(super) fn is_stdin(&self) -> bool {
        self.is_stdin
    }

    /// Checks that nothing is known that makes its records unreadable.
    ///
    /// # Errors
    /// [`Error::NotCompressed`], [`Error::UnclearQuotes`].
    pub(crate) fn check_flaw(&self) -> Result<()> {
        self.flaw.map_or(Ok(()), |flaw| Err(flaw.error(&self.path)))
    }

    /// Gives its fields names of their own.
    #[must_use]
    pub fn with_own_fields(self, own_fields: Arc<OwnFields>) -> Self {
        Self { own_fields: Some(own_fields), ..self }
    }

    /// Records of the source, if they are read as they arrive.
    pub fn arrives(&self) -> Option<&Arriving> {
        self.arriving.as_ref()
    }

    pub(crate) fn own_fields(&self) -> Option<Arc<OwnFields>> {
        self.own_fields.clone()
    }

    /// The names of its fields, where the job has `names`.
    pub(crate) fn fields<'a>(&self, names: &'a FieldNames) -> Cow<'a, FieldNames> {
        match &self.own_fields {
            Some(own) => Cow::Owned(own.in_place_of(names)),
            None => Cow::Borrowed(names),
        }
    }

    /// An index without the documents that have one of these ids; sources of other kinds as they are.
    #[must_use]
    pub fn without_documents(mut self, ids: &Arc<HashSet<String>>) -> Self {
        if let SourceKind::Index { without, .. } = &mut self.kind {
            *without = Some(Arc::clone(ids));
        }
        self
    }

    /// Drops the texts or columns of a source in memory, which no later stage reads; the source is still known by its
    /// name. Sources of other kinds hold none.
    pub fn release(&mut self) {
        if let SourceKind::Memory { documents, .. } = &mut self.kind {
            *documents = InMemory::Texts(MemoryTexts::new(Arc::new(Vec::<String>::new())));
        }
    }

    /// Place of its document with this number, for messages.
    pub fn place(&self, number: u64) -> Place {
        match &self.kind {
            SourceKind::Records { .. } => Place::line(&self.path, number),
            SourceKind::Index { .. } => Place::file(Arc::clone(&self.path)),
            SourceKind::TextFiles { files } => match files.get(number as usize) {
                Some((relative, _)) => Place::file(self.path.join(relative)),
                None => Place::file(Arc::clone(&self.path)),
            },
            SourceKind::Memory { .. } => Place::row(&self.path, number.saturating_sub(1)),
        }
    }

    /// Adds the text files of `other` if both are named files of one folder; gives it back otherwise.
    pub(super) fn merge(&mut self, other: Self) -> Option<Self> {
        match (&mut self.kind, &other.kind) {
            (SourceKind::TextFiles { files }, SourceKind::TextFiles { files: more })
                if self.are_named
                    && other.are_named
                    && (&self.path, &self.file) == (&other.path, &other.file)
                    && self.output_name == other.output_name =>
            {
                files.extend_from_slice(more);
                None
            }
            _ => Some(other),
        }
    }

    /// The name for people.
    pub fn name(&self) -> String {
        match &self.kind {
            SourceKind::TextFiles { files } if self.are_named => match &files[..] {
                [(file, _)] => printed_path(&self.path.join(file)).into_owned(),
                files => format!("{} text files in {}", files.len(), printed_path(&self.path.join(""))),
            },
            _ => printed_path(&self.path).into_owned(),
        }
    }

    /// Bytes of unpacked content that must be in memory while it is read, as far as its files tell.
    pub fn window_bytes(&self) -> u64 {
        if let SourceKind::Records { window_bytes, .. } = self.kind { window_bytes } else { 0 }
    }

    /// Estimated size of its text, decompressed.
    pub fn estimated_text_bytes(&self) -> u64 {
        match &self.kind {
            SourceKind::Records { compression, .. } => self.bytes().saturating_mul(compression.usual_ratio()),
            SourceKind::TextFiles { .. } | SourceKind::Memory { .. } => self.bytes(),
            // Elements take about twice the bytes of a text, and are packed to half of that.
            SourceKind::Index { .. } => self.bytes(),
        }
    }

    /// The format of its records; text files, an index and documents in memory have none.
    pub fn record_format(&self) -> Option<RecordFormat> {
        if let SourceKind::Records { format, .. } = self.kind { Some(format) } else { None }
    }

    /// Separator and quotes, if it is a table of text.
    pub fn dialect(&self) -> Option<Dialect> {
        let SourceKind::Records { format, quotes, .. } = self.kind else { return None };
        format.delimiter().map(|delimiter| Dialect { delimiter, quotes })
    }

    /// Finds out what quotation marks are in a table: `quotes_flag`, else quotes, which only a file of tab-separated
    /// values may be without.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read; [`Error::UnclearQuotes`], unless bad files are skipped.
    pub(super) fn find_quotes(&mut self, quotes_flag: Option<Quotes>, on_error: OnError) -> Result<()> {
        let is_named_csv = RecordFormat::Csv.has_extension_of(&self.path);
        let SourceKind::Records { format, compression, quotes, .. } = &mut self.kind else { return Ok(()) };
        if let Some(named) = quotes_flag {
            *quotes = named;
        } else if *format == RecordFormat::Tsv && !is_named_csv {
            match quotes_of(&self.file, *compression).map_err(|error| error.of_path(&self.path))? {
                QuotesFound::Known(found) => *quotes = found,
                QuotesFound::Unclear { first_line, last_line } => {
                    let flaw = Flaw::UnclearQuotes { first_line, last_line };
                    if on_error == OnError::Stop {
                        return Err(flaw.error(&self.path));
                    }
                    self.flaw.get_or_insert(flaw);
                }
            }
        }
        Ok(())
    }

    /// Returns whether it is a snapshot or an index: ids and element sets without texts.
    pub fn is_stored(&self) -> bool {
        let is_index = matches!(self.kind, SourceKind::Index { .. });
        is_index || matches!(self.kind, SourceKind::Records { format: RecordFormat::Snapshot, .. })
    }

    /// Name, label, layout and sizes of its files: its provenance in checkpoints, made of names that no refactoring
    /// changes.
    /// Whether files of these sizes have the same content is another question ([`Self::files`]).
    pub fn state(&self) -> String {
        let path = printed_path(&self.path);
        let label = &*self.label;
        let name = if path == *label { path.into_owned() } else { format!("{path} as {label}") };
        match &self.kind {
            SourceKind::Records { format, state, compression, .. } => match compression {
                Compression::None => format!("{name}, {}, {} bytes", format.name(), state.bytes),
                packed => format!("{name}, {}, {}, {} bytes", format.name(), packed.name(), state.bytes),
            },
            SourceKind::TextFiles { files } => {
                let hashes = files.iter().map(|(path, state)| hash_of_file(path, *state));
                // The output name is part of the ids.
                let seed = hash_token(self.output_name.as_os_str().as_encoded_bytes());
                let list = hash_sequence(seed, hashes);
                format!("{name}, {} files, {} bytes, list {list:016x}", files.len(), self.bytes())
            }
            SourceKind::Index { files, .. } => {
                format!("{name}, index of {} files, {} bytes", files.len(), self.bytes())
            }
            SourceKind::Memory { documents, .. } => format!("{name}, {} rows in memory", documents.rows()),
        }
    }

    /// Files of the source, each with its state at its discovery.
    pub fn files(&self) -> impl Iterator<Item = (PathBuf, FileState)> {
        let (one, ids, many) = match &self.kind {
            SourceKind::Records { state, ids, .. } => (Some(*state), *ids, &[][..]),
            SourceKind::TextFiles { files } | SourceKind::Index { files, .. } => (None, None, &files[..]),
            SourceKind::Memory { .. } => (None, None, &[][..]),
        };
        let one = one.map(|state| (self.file.to_path_buf(), state));
        let ids = ids.map(|state| (ids_beside(&self.file), state));
        one.into_iter().chain(ids).chain(many.iter().map(|(relative, state)| (self.file.join(relative), *state)))
    }

    /// Returns whether its files are copies, made anew by each run: only their size and time are those of the
    /// originals.
    pub fn is_copy(&self) -> bool {
        self.path != self.file
    }

    /// Returns whether the user named its files, not a folder with them.
    pub(super) fn are_named(&self) -> bool {
        self.are_named
    }

    /// Total size of its files, or of its texts in memory.
    pub fn bytes(&self) -> u64 {
        match &self.kind {
            SourceKind::Records { state, .. } => state.bytes,
            SourceKind::TextFiles { files } | SourceKind::Index { files, .. } => {
                files.iter().map(|(_, state)| state.bytes).sum()
            }
            SourceKind::Memory { text_bytes, .. } => *text_bytes,
        }
    }
}

/// Hash of the bytes of a path, a zero byte, which no path contains, and the size.
fn hash_of_file(path: &Path, state: FileState) -> u64 {
    hash_token(&[path.as_os_str().as_encoded_bytes(), b"\0", &state.bytes.to_le_bytes()].concat())
}

/// Returns whether a folder holds an index, or what is left of one: its files are no texts.
pub(super) fn is_index(folder: &Path) -> bool {
    let mut magic = [0; MAGIC.len()];
    let manifest = File::open(folder.join(INDEX_MANIFEST));
    if manifest.and_then(|mut manifest| manifest.read_exact(&mut magic)).is_ok() && magic == *MAGIC {
        return true;
    }
    let is_part = |name: &str| {
        let digits = ["segment-", "log-"].into_iter().find_map(|kind| name.strip_prefix(kind));
        digits.is_some_and(|digits| digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    folder.join(INDEX_LOCK).is_file()
        && fs::read_dir(folder).is_ok_and(|entries| {
            entries.filter_map(std::io::Result::ok).any(|entry| entry.file_name().to_str().is_some_and(is_part))
        })
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

fn file_name(path: &Path) -> PathBuf {
    path.file_name().map(PathBuf::from).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(bytes: u64) -> FileState {
        let mut state = FileState::default();
        state.bytes = bytes;
        state
    }

    fn records(format: RecordFormat, compression: Compression) -> String {
        let state = state(7);
        let ids = None;
        let quotes = Quotes::Double;
        let kind = SourceKind::Records { format, state, compression, window_bytes: 0, ids, quotes };
        Source { kind, ..text_files(Vec::new()) }.state()
    }

    fn text_files(files: Vec<(PathBuf, FileState)>) -> Source {
        let label = "out".into();
        let folder = Located { path: Path::new("news"), file: Path::new("copy") };
        Source { label, ..Source::text_files(folder, Path::new("out"), files) }
    }

    /// Checkpoints hold these texts: another text makes them those of another input.
    #[test]
    fn state_is_frozen() {
        let jsonl = records(RecordFormat::JsonLines, Compression::None);
        assert_eq!(jsonl, "news as out, JSON Lines, 7 bytes");
        let csv = records(RecordFormat::Csv, Compression::Gzip);
        assert_eq!(csv, "news as out, CSV, gzip, 7 bytes");
        let files = vec![("a.txt".into(), state(1)), ("b/ü \"\\.txt".into(), state(2))];
        assert_eq!(text_files(files).state(), "news as out, 2 files, 3 bytes, list dd678fe90f4aa27d");
    }

    #[cfg(unix)]
    #[test]
    fn state_tells_paths_apart_that_are_not_utf8() {
        use std::os::unix::ffi::OsStrExt as _;
        let named = |name: &[u8]| text_files(vec![(std::ffi::OsStr::from_bytes(name).into(), state(1))]).state();
        assert_ne!(named(b"\xff"), named(b"\xfe"));
    }
}

//! What can go wrong between files and documents.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// A key as messages show it: control characters are escaped, and what is too long is cut.
pub fn shown(key: &str) -> String {
    const LONGEST: usize = 80;
    let cut = key.char_indices().nth(LONGEST).map_or(key, |(at, _)| &key[..at]);
    let dots = if cut.len() < key.len() { "..." } else { "" };
    escaped(cut) + dots
}

/// A text without control characters: a message is one line, and no terminal must obey it.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

/// A failure that ends the work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was tried: a verb that fits before the path.
        action: &'static str,
        /// File or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A store, or a server, or the way to it.
    #[error("cannot {action} {url}: {message}")]
    Store {
        /// What was tried: a verb that fits before the URL.
        action: &'static str,
        /// The object or folder.
        url: String,
        /// What the store said, or what the system said of the way to it; one line.
        message: String,
    },
    /// Whoever was asked whether to go on said no.
    #[error("cancelled")]
    Cancelled,
    /// A URL that cannot be used.
    #[error("cannot use {url}: {message}")]
    Url {
        /// The URL, without any password.
        url: String,
        /// What is wrong with it.
        message: &'static str,
    },
    /// An output could not be put in its place when others were there already.
    #[error("{error}; {written} of the job's outputs {} written already", if *written == 1 { "is" } else { "are" })]
    PartlyWritten {
        /// How many.
        written: usize,
        /// What went wrong.
        error: Box<Error>,
    },
    /// The ending of a file names a compression that its content does not have.
    #[error("{} is not compressed with {expected}, as its ending says", path.display())]
    NotCompressed {
        /// The file.
        path: PathBuf,
        /// What the ending says.
        expected: &'static str,
    },
    /// A pattern fits no file.
    #[error("no file fits the pattern {}", path.display())]
    NoMatch {
        /// The pattern.
        path: PathBuf,
    },
    /// A pattern of file names that means nothing.
    #[error("pattern {}: {message}", path.display())]
    Pattern {
        /// The pattern.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// An input is neither a file nor a folder.
    #[error("{} is neither a file nor a folder", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// A folder holds nothing to read.
    #[error("folder {} holds no documents", path.display())]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
    },
    /// Two inputs would be written to one place.
    #[error("inputs {} and {} would both be written as {}", first.display(), second.display(), name.display())]
    SameOutput {
        /// One input.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// The common name.
        name: PathBuf,
    },
    /// A saved sketch was named where texts are needed.
    #[error("{} is a sketch, which holds no texts", path.display())]
    NoTexts {
        /// The file.
        path: PathBuf,
    },
    /// A file has changed between being read and being copied.
    #[error("{} has changed while it was being worked on; nothing was written", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A file is to be written where a folder is.
    #[error("output {} is a folder; name a file", path.display())]
    OutputIsFolder {
        /// The path.
        path: PathBuf,
    },
    /// A folder is to be written where something is already.
    #[error("output {} exists already; name a new or empty folder", path.display())]
    OutputExists {
        /// The path.
        path: PathBuf,
    },
    /// Records would be written under the ending of a format that they cannot have.
    #[error("cannot write {}: {format} cannot be turned into what this ending says", path.display())]
    ForeignEnding {
        /// The path.
        path: PathBuf,
        /// How the records came.
        format: &'static str,
    },
    /// A table without a column that is needed.
    #[error("{} has no column `{column}`; its columns are {found}", path.display())]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// What was looked for.
        column: String,
        /// What there is.
        found: String,
    },
    /// A table with two columns of a name that is needed.
    #[error("{} has two columns `{column}`", path.display())]
    ColumnTwice {
        /// The file.
        path: PathBuf,
        /// Their name.
        column: String,
    },
    /// A table with a column of a name that is to be added.
    #[error("{} has a column `{column}` already", path.display())]
    ColumnExists {
        /// The file.
        path: PathBuf,
        /// Its name.
        column: String,
    },
    /// A row of a file that a person made or changed, or another program.
    #[error(transparent)]
    BadRow {
        /// Which, and why.
        record: BadRecord,
    },
    /// The ending of a file of rows names no known format.
    #[error("{}: known endings for rows are .jsonl, .csv, .tsv, .parquet and .arrow", path.display())]
    UnknownEnding {
        /// The path.
        path: PathBuf,
    },
    /// A column has a type that cannot be used.
    #[error("column `{column}` of {} is of type {found}, expected {expected}", path.display())]
    ColumnType {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// What would do.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A file that is not what its magic bytes or its ending promise.
    #[error("cannot read {} as {format}: {message}", path.display())]
    NotInFormat {
        /// The file.
        path: PathBuf,
        /// What it should be.
        format: &'static str,
        /// What the decoder said.
        message: String,
    },
    /// A file of columns inside a compressed one: readers must go to and fro in it.
    #[error("{} is compressed as a whole, which {format} files cannot be: they are read by place", path.display())]
    PackedColumns {
        /// The file.
        path: PathBuf,
        /// What is, or would be, inside.
        format: &'static str,
    },
    /// A column that the format of the output cannot hold.
    #[error("cannot write {}: column `{column}` is {found}, which {format} cannot hold", path.display())]
    CannotHold {
        /// The output.
        path: PathBuf,
        /// The column.
        column: String,
        /// What the column holds.
        found: &'static str,
        /// The format of the output.
        format: &'static str,
    },
    /// The caller wanted no more.
    #[error("stopped")]
    Stopped,
}

impl Error {
    /// An [`Error::NoColumn`].
    pub(crate) fn no_column<'a>(path: &Path, column: &str, columns: impl IntoIterator<Item = &'a str>) -> Self {
        const MOST_SHOWN: usize = 20;
        let mut columns = columns.into_iter();
        let listed: Vec<_> = columns.by_ref().take(MOST_SHOWN).map(|name| format!("`{}`", shown(name))).collect();
        let more = if columns.next().is_some() { ", ..." } else { "" };
        Self::NoColumn { path: path.to_owned(), column: column.to_owned(), found: listed.join(", ") + more }
    }

    /// An [`Error::Io`].
    pub fn io(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }

    /// The same of another path: of a copy it says nothing to anybody.
    pub(crate) fn of_path(self, shown: &Path) -> Self {
        match self {
            Self::Io { action, source, .. } => Self::Io { action, path: shown.to_owned(), source },
            Self::NotCompressed { expected, .. } => Self::NotCompressed { path: shown.to_owned(), expected },
            other => other,
        }
    }

    /// Whether a reader of our output went away: no failure of ours.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe)
    }
}

/// Where a document stands: a file, or a line, row or record (from 1) of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as the user named it.
    pub path: Arc<Path>,
    /// For files of many records: the line where it begins; in WARC files its number among all records, in files of columns
    /// that of its row.
    pub line: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(formatter, "{}:{line}", self.path.display()),
            None => write!(formatter, "{}", self.path.display()),
        }
    }
}

/// A record that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct BadRecord {
    /// File and line.
    pub place: Place,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Bytes that are no UTF-8.
    #[error("not UTF-8 (byte {at} of the record)")]
    NotUtf8 {
        /// Offset of the first bad byte, from 1.
        at: usize,
    },
    /// A file that begins as UTF-16 and is none.
    #[error("not UTF-16, as its byte order mark says")]
    NotUtf16,
    /// Not a JSON text.
    #[error("not JSON: {message}")]
    NotJson {
        /// What the parser said.
        message: String,
    },
    /// JSON, but no object.
    #[error("not a JSON object")]
    NotAnObject,
    /// A needed field is absent or null.
    #[error("no field `{field}`")]
    NoField {
        /// Name of the field.
        field: String,
    },
    /// A field that is used stands there twice.
    #[error("field `{field}` appears twice")]
    FieldTwice {
        /// Name of the field.
        field: String,
    },
    /// A field has a value of a kind that cannot be used.
    #[error("field `{field}` is {found}, expected {expected}")]
    WrongKind {
        /// Name of the field.
        field: String,
        /// What would do.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// Another document has the same key.
    #[error("key `{}` was used at {first} already", shown(key))]
    DuplicateKey {
        /// The key.
        key: String,
        /// Where it was seen first.
        first: Place,
    },
    /// A field of the name that is to be added exists.
    #[error("has a field `{field}` already")]
    FieldExists {
        /// Name of the field.
        field: String,
    },
    /// A record of a WARC file that is not what its header says, or has none.
    #[error("not a WARC record: {message}")]
    NotWarc {
        /// What is wrong with it.
        message: &'static str,
    },
    /// A stored response that cannot be read as one.
    #[error("not an HTTP response: {message}")]
    NotHttp {
        /// What is wrong with it.
        message: String,
    },
    /// An item with the character that ends items.
    #[error("an item holds the character U+0000")]
    NulInItem,
    /// A row that does not fit the header.
    #[error("{found} instead of {expected} fields")]
    FieldCount {
        /// Columns of the header.
        expected: usize,
        /// Fields of the row.
        found: usize,
    },
    /// A field in quotes that the file ends in; the quote may be one too many.
    #[error("a quote is opened in this row and never closed: the rest of the file cannot be read")]
    OpenQuote,
    /// A record that is larger than allowed.
    #[error("longer than {limit} bytes (--max-document)")]
    TooLarge {
        /// What is allowed, in bytes.
        limit: u64,
    },
    /// A compressed file that ends too early or cannot be unpacked; what follows is lost.
    #[error("cannot be unpacked behind byte {position}: {message}{}", doubt(*position, message))]
    Damaged {
        /// Bytes that could be unpacked.
        position: u64,
        /// What the decoder said.
        message: String,
    },
    /// From this row on a file of columns cannot be decoded; what follows is lost.
    #[error("cannot be decoded from this row on: {message}")]
    DamagedRows {
        /// What the decoder said.
        message: String,
    },
    /// A row that is no pair of documents.
    #[error("not a pair: {message}")]
    NotAPair {
        /// What the parser said.
        message: String,
    },
    /// A file of a folder cannot be read.
    #[error("cannot be read: {message}")]
    Unreadable {
        /// What the system said.
        message: String,
    },
}

/// A wrong checksum says that something is altered, but not what.
fn doubt(position: u64, message: &str) -> &'static str {
    if position > 0 && message.contains("checksum") { "; any record before it may be altered" } else { "" }
}

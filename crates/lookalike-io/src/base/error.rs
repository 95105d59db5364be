//! Failures that end the work on a job.

use super::compression::Compression;
use super::details::{Action, BinaryKind, ColumnRole, ColumnShape, ColumnTypes, DataForm, Remedy, UrlFault};
use super::message::{escaped, shown};
use super::names_found::NamesFound;
use super::problem::BadRecord;
use super::record_format::RecordFormat;
use lookalike_core::printed_path;
use std::path::{Path, PathBuf};

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure that ends a job.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A system call failed.
    #[error("cannot {action} {}", name_of(*action, path))]
    Io {
        /// The failed action.
        action: Action,
        /// File or folder.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A request to an object store or a web server failed.
    #[error("cannot {action} {url}: {message}")]
    Store {
        /// The failed action.
        action: Action,
        /// The object or folder.
        url: String,
        /// The answer of the store, or the error of the connection; one line.
        message: String,
    },
    /// The caller cancelled the copying of objects ([`Discovery::goes_on`](crate::sources::Discovery::goes_on)).
    #[error("cancelled")]
    Cancelled,
    /// An archive with a member that is not trusted or cannot be unpacked.
    #[error("archive {}{} {}", printed_path(path), member_name(member), escaped(message))]
    Archive {
        /// The archive.
        path: PathBuf,
        /// Path of the member; empty if the archive itself cannot be read.
        member: String,
        /// The reason, as the rest of a sentence.
        message: String,
    },
    /// A file or standard input that is neither records nor text.
    #[error("{} is {kind}, not text", printed_path(path))]
    Binary {
        /// The input.
        path: PathBuf,
        /// Kind of the content.
        kind: BinaryKind,
    },
    /// A file that begins as one of another format than its extension, or the user, says.
    #[error("{} looks like {}, not {}", printed_path(path), found.name(), expected.name())]
    LooksLike {
        /// The input.
        path: PathBuf,
        /// The format in which it is to be read.
        expected: RecordFormat,
        /// The format that it has.
        found: RecordFormat,
    },
    /// An input that has to be copied is longer than the disk has space for.
    #[error(
        "{} does not end or is too long: {} has {} MB left after {} MB of it were copied there",
        printed_path(input), printed_path(path), free_bytes / 1_000_000, copied_bytes / 1_000_000
    )]
    DiskFull {
        /// The input.
        input: PathBuf,
        /// The folder of temporary files.
        path: PathBuf,
        /// Number of bytes that were copied.
        copied_bytes: u64,
        /// Number of bytes that are free.
        free_bytes: u64,
    },
    /// A URL that cannot be used.
    #[error("cannot use {url}: {fault}")]
    Url {
        /// The URL without a password.
        url: String,
        /// The reason.
        fault: UrlFault,
    },
    /// An output could not be published after others were.
    #[error("{error}; {written} of the job's outputs {} written already", if *written == 1 { "is" } else { "are" })]
    PartlyWritten {
        /// Number of outputs published before.
        written: usize,
        /// The failure.
        error: Box<Error>,
    },
    /// The extension of a file names a compression that its content does not have.
    #[error("{} is not compressed with {}, as its extension says", printed_path(path), expected.name())]
    NotCompressed {
        /// The file.
        path: PathBuf,
        /// The compression that the extension names.
        expected: Compression,
    },
    /// A pattern matches no file.
    #[error("no file fits the pattern {}", printed_path(path))]
    NoMatch {
        /// The pattern.
        path: PathBuf,
    },
    /// A malformed pattern of file names.
    #[error("pattern {}: {message}", printed_path(path))]
    Pattern {
        /// The pattern.
        path: PathBuf,
        /// The message of the parser.
        message: String,
    },
    /// An input is neither a file nor a folder.
    #[error("{} is neither a file nor a folder", printed_path(path))]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// A folder without any file to read.
    #[error("folder {} holds no documents", printed_path(path))]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
    },
    /// An archive without any file to read.
    #[error("archive {} holds no documents", printed_path(path))]
    EmptyArchive {
        /// The archive.
        path: PathBuf,
    },
    /// A file that is in no document cannot be copied beside the records.
    #[error("cannot copy {}, which is in no document", printed_path(path))]
    LeftOutNotCopied {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// `.gitignore` files name all that inputs hold.
    #[error("nothing is left to read: .gitignore files name all files")]
    AllIgnored,
    /// Patterns of what is left out fit all inputs.
    #[error("nothing is left to read: patterns leave out all files")]
    AllExcluded,
    /// Two inputs would be written to one file.
    #[error(
        "inputs {} and {} would both be written as {}",
        printed_path(first),
        printed_path(second),
        printed_path(name)
    )]
    SameOutput {
        /// One input.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// Common output of the two.
        name: PathBuf,
    },
    /// A snapshot where texts are needed.
    #[error("{} holds no texts, only what is compared of them", printed_path(path))]
    NoTexts {
        /// The file.
        path: PathBuf,
    },
    /// A file changed between the first reading and the copying of its records.
    #[error("{} has changed while it was being worked on; nothing was written", printed_path(path))]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A link, or what is no file, where a work folder has a file of its own.
    #[error("{} is a link or no file; a job uses only files of its own in its work folder", printed_path(path))]
    NotOwnFile {
        /// The path.
        path: PathBuf,
    },
    /// The path of an output file is a folder.
    #[error("output {} is a folder; name a file", printed_path(path))]
    OutputIsFolder {
        /// The path.
        path: PathBuf,
    },
    /// The path of an output folder is in use.
    #[error("output {} exists already; name a new or empty folder", printed_path(path))]
    OutputExists {
        /// The path.
        path: PathBuf,
    },
    /// The extension of an output names a format to which its records cannot be converted.
    #[error("cannot write {}: {form} cannot be turned into what this extension says", printed_path(path))]
    ForeignExtension {
        /// The path.
        path: PathBuf,
        /// The form of the records.
        form: DataForm,
    },
    /// The extension of an output names another format than the requested one.
    #[error("cannot write {} to {}: its extension names another format", format.name(), printed_path(path))]
    OtherExtension {
        /// The path.
        path: PathBuf,
        /// The requested format.
        format: RecordFormat,
    },
    /// A table lacks a required column.
    #[error("{} has no column `{}`; its columns are {found}", printed_path(path), shown(column))]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// Name of the required column.
        column: String,
        /// Names of the existing columns.
        found: Box<NamesFound>,
        /// The contents of the column.
        role: ColumnRole,
    },
    /// A changed text that a field of a table cannot hold.
    #[error("{} has no quotes, and so no place for tabs and line ends inside of a field", printed_path(path))]
    NoQuotes {
        /// The table.
        path: PathBuf,
    },
    /// Lines of tab-separated values that may be one row with a field of several lines, or a row each.
    #[error(
        "{}:{first_line}: a quote opens in this line and closes in line {last_line}: these may be one row or several",
        path.display()
    )]
    UnclearQuotes {
        /// The table.
        path: PathBuf,
        /// Number of the line with the opening mark.
        first_line: u64,
        /// Number of the line with the closing mark.
        last_line: u64,
    },
    /// A table without quotes lacks a required column, but has it in quotation marks.
    #[error(
        "{} has no column `{}`, but one in quotation marks, which are characters here, as not all of them pair up",
        path.display(), shown(column)
    )]
    QuotedColumn {
        /// The file.
        path: PathBuf,
        /// Name of the required column.
        column: String,
    },
    /// A table has two columns with the name of a required one.
    #[error("{} has two columns `{}`", printed_path(path), shown(column))]
    ColumnTwice {
        /// The file.
        path: PathBuf,
        /// Name of the two columns.
        column: String,
    },
    /// A table has a column with a reserved name: one that annotations add.
    #[error("{} has a column `{}` already", printed_path(path), shown(column))]
    ColumnExists {
        /// The file.
        path: PathBuf,
        /// The reserved name.
        column: String,
    },
    /// A malformed row in a file that is read as a whole.
    #[error(transparent)]
    BadRow {
        /// The row, with the reason.
        record: BadRecord,
    },
    /// The extension of a file of rows names no known format.
    #[error("{}: known extensions for rows are .jsonl, .csv, .tsv, .parquet and .arrow", printed_path(path))]
    UnknownExtension {
        /// The path.
        path: PathBuf,
    },
    /// A table of text is to hold lists.
    #[error(
        "{} is a table of text, which has no place for lists: .jsonl, .parquet, .arrow and .npy have",
        printed_path(path)
    )]
    NoLists {
        /// The path.
        path: PathBuf,
    },
    /// An id of several lines is to be a line of a file.
    #[error(
        "{}: the id `{}` has several lines, so no line of this file: .jsonl, .parquet and .arrow hold any id",
        printed_path(path),
        escaped(id)
    )]
    NoLine {
        /// The file of ids.
        path: PathBuf,
        /// The id.
        id: String,
    },
    /// A column has a type that cannot be used.
    #[error("column `{}` of {} is of type {}, expected {expected}", shown(column), printed_path(path), escaped(found))]
    ColumnType {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// The types that can be used.
        expected: ColumnTypes,
        /// The type of the column.
        found: String,
        /// Shape of the column.
        shape: ColumnShape,
    },
    /// A file is not in the format that its magic bytes or its extension name.
    #[error("cannot read {} as {form}: {}", printed_path(path), escaped(message))]
    NotInFormat {
        /// The file.
        path: PathBuf,
        /// The form that is named.
        form: DataForm,
        /// The message of the decoder.
        message: String,
    },
    /// A file without a byte, in a format that has some even without records.
    #[error("{} is empty, which {} files never are: its writing was not finished", printed_path(path), format.name())]
    EmptyFile {
        /// The file.
        path: PathBuf,
        /// The format.
        format: RecordFormat,
    },
    /// A compressed file of a format that needs random access.
    #[error(
        "{} is compressed as a whole, which {} files cannot be: they are read by place",
        printed_path(path),
        format.name()
    )]
    PackedColumns {
        /// The file.
        path: PathBuf,
        /// The format inside the compression.
        format: RecordFormat,
    },
    /// A column of a type that the output format lacks.
    #[error(
        "cannot write {}: column `{}` is {}, which {form} cannot hold; {remedy}",
        printed_path(path),
        shown(column),
        shown(found)
    )]
    CannotHold {
        /// The output.
        path: PathBuf,
        /// The column.
        column: String,
        /// The type of the column.
        found: String,
        /// The form of the output.
        form: DataForm,
        /// The formats that can hold it.
        remedy: Remedy,
    },
    /// A value that the output format lacks, though it has its type.
    #[error(
        "{}:{row}: column `{}` is {}, which {form} cannot hold; {remedy}",
        printed_path(path),
        shown(column),
        shown(found)
    )]
    CannotHoldValue {
        /// The file with the record.
        path: PathBuf,
        /// Number of the record.
        row: u64,
        /// The column.
        column: String,
        /// The stored number and its type.
        found: String,
        /// The form of the output.
        form: DataForm,
        /// The formats that can hold it.
        remedy: Remedy,
    },
    /// Two inputs of one output have different columns.
    #[error(
        "{} and {} cannot become one file: column `{}` is {} in the first and {} in the second",
        printed_path(first),
        printed_path(path),
        shown(column),
        type_name(expected),
        type_name(found)
    )]
    SchemasDiffer {
        /// The first input.
        first: PathBuf,
        /// An input that differs from it.
        path: PathBuf,
        /// The first column that differs.
        column: String,
        /// Type of the column in the first input; `None` if it is missing there.
        expected: Option<String>,
        /// Type of the column in the other input.
        found: Option<String>,
    },
    /// More columns than the writer of Parquet can hold at once.
    #[error(
        "cannot write {}: its records have {columns} fields, and a Parquet file is written with at most {max} \
         columns; JSON Lines and tables of text may have more",
        printed_path(path)
    )]
    TooManyColumns {
        /// The output.
        path: PathBuf,
        /// Number of columns, those inside objects included.
        columns: usize,
        /// Maximum number of columns.
        max: usize,
    },
    /// The caller stopped the writing of an output.
    #[error("stopped")]
    Stopped,
}

/// The name of a member behind that of its archive.
fn member_name(member: &str) -> String {
    if member.is_empty() { " cannot be read:".to_owned() } else { format!(": `{}`", shown(member)) }
}

/// The type of a column as messages show it.
fn type_name(found: &Option<String>) -> String {
    found.as_deref().map_or_else(|| "missing".to_owned(), |found| format!("of type {}", escaped(found)))
}

/// The path as messages show it: `-` stands for a standard stream.
fn name_of(action: Action, path: &Path) -> String {
    match action {
        _ if path != Path::new("-") => printed_path(path).to_string(),
        Action::Write => "standard output".to_owned(),
        _ => "standard input".to_owned(),
    }
}

impl Error {
    /// An [`Error::NoColumn`] of a table at `path` that has these `columns`.
    pub(crate) fn no_column<S: AsRef<str>>(
        path: &Path,
        column: &str,
        columns: impl IntoIterator<Item = S>,
        role: ColumnRole,
    ) -> Self {
        let found = Box::new(NamesFound::new(column, columns));
        Self::NoColumn { path: path.to_owned(), column: column.to_owned(), found, role }
    }

    /// An [`Error::Io`].
    pub fn io(action: Action, path: &Path, source: std::io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }

    /// The path of a failed system call.
    pub(crate) fn path(&self) -> Option<&Path> {
        if let Self::Io { path, .. } = self { Some(path) } else { None }
    }

    /// Names the path `shown`, which the user knows, instead of a temporary copy.
    pub(crate) fn of_path(mut self, shown: &Path) -> Self {
        match &mut self {
            Self::Io { path, .. }
            | Self::NotCompressed { path, .. }
            | Self::NotInFormat { path, .. }
            | Self::EmptyFile { path, .. }
            | Self::PackedColumns { path, .. }
            | Self::Changed { path }
            | Self::ColumnTwice { path, .. }
            | Self::ColumnExists { path, .. }
            | Self::NoColumn { path, .. }
            | Self::ColumnType { path, .. } => shown.clone_into(path),
            _ => {}
        }
        self
    }

    /// Names a record of `source`, if the error is about a row of a batch; `number` gives the number of the
    /// record by the index of the row.
    pub(crate) fn of_record(mut self, source: &Path, number: impl FnOnce(usize) -> Option<u64>) -> Self {
        if let Self::CannotHoldValue { path, row, .. } = &mut self {
            source.clone_into(path);
            *row = number(*row as usize - 1).unwrap_or(*row);
        }
        self
    }

    /// Returns whether it is about the content of one input, which may be left out, not about the system.
    pub fn is_about_content(&self) -> bool {
        matches!(
            self,
            Self::NoColumn { .. }
                | Self::QuotedColumn { .. }
                | Self::UnclearQuotes { .. }
                | Self::NotCompressed { .. }
                | Self::ColumnTwice { .. }
                | Self::ColumnType { .. }
                | Self::ColumnExists { .. }
                | Self::NotInFormat { .. }
                | Self::BadRow { .. }
                | Self::Binary { .. }
                | Self::LooksLike { .. }
                | Self::EmptyFile { .. }
        )
    }

    /// Returns whether it is about one file or folder, which can be left out where others are read.
    pub(crate) fn is_about_file(&self) -> bool {
        let is_denied = |source: &std::io::Error| source.kind() == std::io::ErrorKind::PermissionDenied;
        match self {
            Self::Archive { .. } | Self::EmptyArchive { .. } | Self::NotCompressed { .. } => true,
            Self::Io { source, .. } => is_denied(source),
            _ => self.is_about_content(),
        }
    }

    /// Returns whether the reader of a pipe closed it.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A damaged Parquet file had a column with such a name, which its decoder quoted.
    #[test]
    fn names_from_files_do_not_control_the_terminal() {
        let path = PathBuf::from("x");
        let bad = "a\u{e}\u{1b}[2J\nb".to_owned();
        for error in [
            Error::NotInFormat {
                path: path.clone(),
                form: DataForm::Records(RecordFormat::Parquet),
                message: bad.clone(),
            },
            Error::ColumnTwice { path: path.clone(), column: bad.clone() },
            Error::ColumnExists { path: path.clone(), column: bad.clone() },
            Error::ColumnType {
                path: path.clone(),
                column: bad.clone(),
                expected: ColumnTypes::Texts,
                found: bad.clone(),
                shape: ColumnShape::Other,
            },
            Error::CannotHold {
                path: path.clone(),
                column: bad.clone(),
                found: bad.clone(),
                form: DataForm::Records(RecordFormat::Csv),
                remedy: Remedy::Formats(&[RecordFormat::Arrow]),
            },
            Error::CannotHoldValue {
                path,
                row: 1,
                column: bad.clone(),
                found: bad,
                form: DataForm::Records(RecordFormat::Csv),
                remedy: Remedy::Formats(&[RecordFormat::Arrow]),
            },
        ] {
            let words = error.to_string();
            assert!(!words.contains(char::is_control), "{words:?}");
        }
    }
}

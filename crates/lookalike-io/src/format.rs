//! How the documents of a file are laid out: told by its ending, and where that says nothing, by its first bytes; and in
//! which layouts records and rows can be written.

use crate::compression::Compression;
use crate::error::{Error, Result};
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The layout of a file with many records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// One JSON object a line.
    JsonLines,
    /// Comma-separated values with a header (RFC 4180).
    Csv,
    /// Tab-separated values with a header, quoted as in CSV.
    Tsv,
    /// One set of items a line: only where sets were asked for.
    ItemLines,
    /// WARC (ISO 28500) and the WET files of texts in the same form.
    Warc,
    /// Keys and shingle sets without texts, as saved before.
    Sketch,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC, as a file or as a stream.
    Arrow,
}

/// First bytes of a saved sketch.
pub const SKETCH_MAGIC: &[u8; 8] = b"LKSKETCH";

impl RecordFormat {
    /// Those that an ending or the content can tell.
    const ALL: [Self; 7] =
        [Self::JsonLines, Self::Csv, Self::Tsv, Self::Warc, Self::Parquet, Self::Arrow, Self::Sketch];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonLines => "JSON Lines",
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::ItemLines => "lines of items",
            Self::Warc => "WARC",
            Self::Sketch => "sketch",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
        }
    }

    /// In lower case; the first is for files that get their name from us.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::JsonLines => &["jsonl", "ndjson", "json"],
            Self::Csv => &["csv"],
            Self::Tsv => &["tsv"],
            Self::ItemLines => &["txt"],
            Self::Warc => &["warc", "wet"],
            Self::Sketch => &["sketch"],
            Self::Parquet => &["parquet", "pq"],
            Self::Arrow => &["arrow", "feather", "ipc", "arrows"],
        }
    }

    /// What stands between the fields of a row, for formats with a header and rows of text.
    pub fn delimiter(self) -> Option<u8> {
        match self {
            Self::Csv => Some(b','),
            Self::Tsv => Some(b'\t'),
            Self::JsonLines | Self::ItemLines | Self::Warc | Self::Parquet | Self::Arrow | Self::Sketch => None,
        }
    }

    /// The same as a format that records of others can be turned into, if it is one.
    pub fn as_rows(self) -> Option<RowFormat> {
        match self {
            Self::JsonLines => Some(RowFormat::JsonLines),
            Self::Csv => Some(RowFormat::Csv),
            Self::Tsv => Some(RowFormat::Tsv),
            Self::Parquet => Some(RowFormat::Parquet),
            Self::Arrow => Some(RowFormat::Arrow),
            Self::ItemLines | Self::Warc | Self::Sketch => None,
        }
    }

    /// Whether it is compressed inside, column by column.
    pub fn has_columns(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow)
    }

    /// The format that the ending of `path` names, before that of a compression.
    pub fn of_name(path: &Path) -> Option<Self> {
        let ending = ending(path)?;
        Self::ALL.into_iter().find(|format| format.endings().contains(&&*ending))
    }

    /// The ending for a file of the format.
    pub(crate) fn ending(self) -> &'static str {
        self.endings().first().copied().unwrap_or_default()
    }

    /// Checks that the name of a file in this format does not ask for a compression around it that cannot be.
    ///
    /// # Errors
    /// [`Error::PackedColumns`].
    pub fn check_name(self, path: &Path) -> Result<()> {
        self.check_packing(path, Compression::of_name(path).0)
    }

    /// Checks that a file in this format is not, or will not be, packed as a whole if it cannot be.
    ///
    /// # Errors
    /// [`Error::PackedColumns`].
    pub(crate) fn check_packing(self, path: &Path, compression: Compression) -> Result<()> {
        let is_read_by_place = self.has_columns() || self == Self::Sketch;
        if is_read_by_place && compression != Compression::None {
            return Err(Error::PackedColumns { path: path.to_owned(), format: self.name() });
        }
        Ok(())
    }
}

/// The layout of a file that is written: of rows, or of records that come from another layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// One JSON object a line.
    JsonLines,
    /// Comma-separated values with a header (RFC 4180).
    Csv,
    /// Tab-separated values with a header, quoted as in CSV.
    Tsv,
    /// Apache Parquet, with zstd.
    Parquet,
    /// An Arrow IPC file, with LZ4.
    Arrow,
}

impl RowFormat {
    /// The format for rows in a new file with this name; JSON Lines without an ending.
    ///
    /// # Errors
    /// [`Error::UnknownEnding`] for any other ending; [`Error::PackedColumns`] if the name asks for a compression around a
    /// format that is compressed inside.
    pub fn of(path: &Path) -> Result<Self> {
        let Some(ending) = ending(path) else { return Ok(Self::JsonLines) };
        // In a file with this ending others expect one JSON text.
        let named = RecordFormat::of_name(path).filter(|_| !AMBIGUOUS.contains(&&*ending));
        let Some(format) = named.and_then(RecordFormat::as_rows) else {
            return Err(Error::UnknownEnding { path: path.to_owned() });
        };
        format.check_name(path).map(|()| format)
    }

    /// The format into which records that came as `from` are turned when they are written under a name; `None` if they stay
    /// as they are.
    ///
    /// # Errors
    /// [`Error::ForeignEnding`] if the name is that of something that they cannot be turned into.
    pub fn of_output(path: &Path, from: RecordFormat) -> Result<Option<Self>> {
        const FOREIGN: [&str; 1] = ["zip"];
        let foreign = || Error::ForeignEnding { path: path.to_owned(), format: from.name() };
        match RecordFormat::of_name(path) {
            Some(named) if named == from => Ok(None),
            Some(named) => named.as_rows().map(Some).ok_or_else(foreign),
            None if ending(path).is_some_and(|ending| FOREIGN.contains(&&*ending)) => Err(foreign()),
            None => Ok(None),
        }
    }

    /// Checks that the name of a file in this format does not ask for a compression around it that cannot be.
    ///
    /// # Errors
    /// [`Error::PackedColumns`].
    pub fn check_name(self, path: &Path) -> Result<()> {
        self.as_records().check_name(path)
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        self.as_records().name()
    }

    fn as_records(self) -> RecordFormat {
        match self {
            Self::JsonLines => RecordFormat::JsonLines,
            Self::Csv => RecordFormat::Csv,
            Self::Tsv => RecordFormat::Tsv,
            Self::Parquet => RecordFormat::Parquet,
            Self::Arrow => RecordFormat::Arrow,
        }
    }

    /// The name of a file that had another format: with the ending of this one, and the compression that it had.
    pub fn rename(self, path: &Path) -> PathBuf {
        let (compression, mut name) = Compression::of_name(path);
        if RecordFormat::of_name(path).is_some() {
            name.set_extension("");
        }
        let mut name = name.into_os_string();
        name.push(".");
        name.push(self.as_records().ending());
        if compression != Compression::None && !self.as_records().has_columns() {
            name.push(".");
            name.push(path.extension().unwrap_or_default());
        }
        name.into()
    }
}

const PARQUET_MAGIC: &[u8] = b"PAR1";
pub(crate) const ARROW_MAGIC: &[u8] = b"ARROW1";
/// An Arrow stream begins with the mark of a message. No text begins so: the byte is none of UTF-8.
const ARROW_STREAM_MARK: &[u8] = &[0xFF; 4];

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Many records.
    Records(RecordFormat),
    /// One document.
    Text,
}

/// Endings of files that hold one document.
const TEXT: [&str; 5] = ["txt", "md", "html", "htm", "xhtml"];

/// Endings of records and of much else, like configurations in JSON: in folders they say nothing.
const AMBIGUOUS: [&str; 1] = ["json"];

/// Enough to get past some empty lines.
const HEAD_BYTES: u64 = 4096;

impl Layout {
    /// What the ending of a file says that was named by itself, if it says anything.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        let is_text = || ending(path).is_some_and(|ending| TEXT.contains(&&*ending));
        RecordFormat::of_name(path).map(Self::Records).or_else(|| is_text().then_some(Self::Text))
    }

    /// The layout of a file of a folder, of which there may be many, and of any kind: what does not say that it holds
    /// records is one document.
    pub(crate) fn of_folder_entry(path: &Path) -> Self {
        let is_ambiguous = ending(path).is_some_and(|ending| AMBIGUOUS.contains(&&*ending));
        RecordFormat::of_name(path).filter(|_| !is_ambiguous).map_or(Self::Text, Self::Records)
    }

    /// What the first unpacked bytes of a file say.
    pub(crate) fn of_content(path: &Path, compression: Compression) -> Result<Self> {
        let mut head = Vec::new();
        // What cannot be unpacked is said by whoever reads the documents.
        let _ = compression.open(path)?.take(HEAD_BYTES).read_to_end(&mut head);
        Ok(Self::of_head(&head))
    }

    fn of_head(head: &[u8]) -> Self {
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
        match text {
            _ if head.starts_with(b"WARC/1.") => Self::Records(RecordFormat::Warc),
            _ if head.starts_with(SKETCH_MAGIC) => Self::Records(RecordFormat::Sketch),
            _ if head.starts_with(PARQUET_MAGIC) => Self::Records(RecordFormat::Parquet),
            _ if head.starts_with(ARROW_MAGIC) || head.starts_with(ARROW_STREAM_MARK) => {
                Self::Records(RecordFormat::Arrow)
            }
            [b'{', ..] => Self::Records(RecordFormat::JsonLines),
            _ => Self::Text,
        }
    }
}

/// The last ending of a name in lower case, without that of a compression.
fn ending(path: &Path) -> Option<String> {
    Compression::of_name(path).1.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_name_formats_also_of_packed_files() {
        for name in ["a.jsonl", "a.NDJSON", "b/a.json.gz", "a.b.jsonl.zst"] {
            assert_eq!(RecordFormat::of_name(Path::new(name)), Some(RecordFormat::JsonLines), "{name}");
        }
        for name in ["a", "a.txt", "jsonl", ".jsonl", "a.gz"] {
            assert_eq!(RecordFormat::of_name(Path::new(name)), None, "{name}");
        }
        assert_eq!(RecordFormat::of_name(Path::new("a.PQ")), Some(RecordFormat::Parquet));
        assert_eq!(Layout::of_folder_entry(Path::new("package.json")), Layout::Text);
        assert_eq!(Layout::of_folder_entry(Path::new("a.feather")), Layout::Records(RecordFormat::Arrow));
    }

    #[test]
    fn content_decides_where_the_ending_says_nothing() {
        for head in ["{}", "\u{feff} \r\n\n{\"a\"", "{"] {
            assert_eq!(Layout::of_head(head.as_bytes()), Layout::Records(RecordFormat::JsonLines), "{head}");
        }
        assert_eq!(Layout::of_head(b"WARC/1.1\r\n"), Layout::Records(RecordFormat::Warc));
        assert_eq!(Layout::of_head(b"PAR1\x15\x04"), Layout::Records(RecordFormat::Parquet));
        for head in [&b"ARROW1\0\0"[..], b"\xFF\xFF\xFF\xFF\x10\0"] {
            assert_eq!(Layout::of_head(head), Layout::Records(RecordFormat::Arrow));
        }
        for head in ["", "text", "WARC/", "\nWARC/1.0", "[1]", "\u{feff}", "PAR", "ARROW"] {
            assert_eq!(Layout::of_head(head.as_bytes()), Layout::Text, "{head}");
        }
    }

    #[test]
    fn endings_of_outputs_turn_records_into_their_format() {
        let output = |name: &str, from| RowFormat::of_output(Path::new(name), from);
        for name in ["out", "out.jsonl", "out.json.xz", "out.txt", "-", "out.2025"] {
            assert_eq!(output(name, RecordFormat::JsonLines).unwrap(), None, "{name}");
        }
        for (name, from, expected) in [
            ("out.PARQUET", RecordFormat::JsonLines, RowFormat::Parquet),
            ("out.csv.gz", RecordFormat::Tsv, RowFormat::Csv),
            ("out.json", RecordFormat::Warc, RowFormat::JsonLines),
            ("out.arrow", RecordFormat::ItemLines, RowFormat::Arrow),
        ] {
            assert_eq!(output(name, from).unwrap(), Some(expected), "{name}");
        }
        for name in ["out.zip", "out.warc", "out.wet.gz"] {
            assert!(matches!(output(name, RecordFormat::JsonLines), Err(Error::ForeignEnding { .. })), "{name}");
        }
        assert_eq!(output("out.wet.gz", RecordFormat::Warc).unwrap(), None);
    }

    #[test]
    fn names_follow_the_format() {
        for (name, format, expected) in [
            ("a/b.jsonl.gz", RowFormat::Parquet, "a/b.parquet"),
            ("a/b.jsonl.gz", RowFormat::Csv, "a/b.csv.gz"),
            ("a/b.warc.gz", RowFormat::Csv, "a/b.csv.gz"),
            ("b.PARQUET", RowFormat::JsonLines, "b.jsonl"),
            ("b.c", RowFormat::Arrow, "b.c.arrow"),
            ("b", RowFormat::Tsv, "b.tsv"),
            ("b.zst", RowFormat::Tsv, "b.tsv.zst"),
        ] {
            assert_eq!(format.rename(Path::new(name)), Path::new(expected));
        }
        assert!(matches!(RowFormat::of(Path::new("x.parquet.gz")), Err(Error::PackedColumns { .. })));
        for name in ["x.txt", "x.json", "x.warc"] {
            assert!(matches!(RowFormat::of(Path::new(name)), Err(Error::UnknownEnding { .. })), "{name}");
        }
        assert_eq!(RowFormat::of(Path::new("x.feather")).unwrap(), RowFormat::Arrow);
        assert_eq!(RowFormat::of(Path::new("-")).unwrap(), RowFormat::JsonLines);
    }
}

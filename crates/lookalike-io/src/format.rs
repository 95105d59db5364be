//! How the documents of a file are laid out: told by its ending, and where that says nothing, by its first bytes.

use crate::compression::Compression;
use crate::error::Result;
use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

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
}

/// First bytes of a saved sketch.
pub const SKETCH_MAGIC: &[u8; 8] = b"LKSKETCH";

impl RecordFormat {
    /// Those that an ending or the content can tell.
    const ALL: [Self; 5] = [Self::JsonLines, Self::Csv, Self::Tsv, Self::Warc, Self::Sketch];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonLines => "JSON Lines",
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::ItemLines => "lines of items",
            Self::Warc => "WARC",
            Self::Sketch => "sketch",
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
        }
    }

    /// What stands between the fields of a row, for formats with a header and rows.
    pub fn delimiter(self) -> Option<u8> {
        match self {
            Self::JsonLines | Self::ItemLines | Self::Warc | Self::Sketch => None,
            Self::Csv => Some(b','),
            Self::Tsv => Some(b'\t'),
        }
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
}

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
    /// The layout of a file that was named by itself.
    pub(crate) fn of_file(path: &Path, compression: Compression) -> Result<Self> {
        if let Some(format) = RecordFormat::of_name(path) {
            return Ok(Self::Records(format));
        }
        if ending(path).is_some_and(|ending| TEXT.contains(&&*ending)) {
            return Ok(Self::Text);
        }
        Self::of_content(path, compression)
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
            [b'{', ..] => Self::Records(RecordFormat::JsonLines),
            _ => Self::Text,
        }
    }
}

/// The last ending of a name in lower case, without that of a compression.
fn ending(path: &Path) -> Option<String> {
    Compression::of_name(path).1.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase)
}

/// Checks that records of one format may be written under a name: not under the ending of something else.
///
/// # Errors
/// [`crate::Error::ForeignEnding`].
pub fn check_ending(path: &Path, format: RecordFormat) -> Result<()> {
    const FOREIGN: [&str; 3] = ["parquet", "arrow", "zip"];
    let is_foreign = ending(path).is_some_and(|ending| FOREIGN.contains(&&*ending));
    if is_foreign || RecordFormat::of_name(path).is_some_and(|named| named != format) {
        return Err(crate::Error::ForeignEnding { path: path.to_owned(), format: format.name() });
    }
    Ok(())
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
        assert_eq!(Layout::of_folder_entry(Path::new("package.json")), Layout::Text);
    }

    #[test]
    fn content_decides_where_the_ending_says_nothing() {
        for head in ["{}", "\u{feff} \r\n\n{\"a\"", "{"] {
            assert_eq!(Layout::of_head(head.as_bytes()), Layout::Records(RecordFormat::JsonLines), "{head}");
        }
        assert_eq!(Layout::of_head(b"WARC/1.1\r\n"), Layout::Records(RecordFormat::Warc));
        for head in ["", "text", "WARC/", "\nWARC/1.0", "[1]", "\u{feff}"] {
            assert_eq!(Layout::of_head(head.as_bytes()), Layout::Text, "{head}");
        }
    }

    #[test]
    fn records_go_under_endings_of_their_format_or_of_none() {
        for name in ["out", "out.jsonl", "out.json.xz", "out.txt", "-", "out.2025"] {
            assert!(check_ending(Path::new(name), RecordFormat::JsonLines).is_ok(), "{name}");
        }
        for name in ["out.zip", "out.PARQUET"] {
            assert!(check_ending(Path::new(name), RecordFormat::JsonLines).is_err(), "{name}");
        }
        assert!(check_ending(Path::new("out.csv"), RecordFormat::JsonLines).is_err());
        assert!(check_ending(Path::new("out.csv.gz"), RecordFormat::Csv).is_ok());
        assert!(check_ending(Path::new("out.csv"), RecordFormat::Tsv).is_err());
    }
}

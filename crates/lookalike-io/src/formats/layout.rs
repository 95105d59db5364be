//! Detection of the layout of a file: by its extension, else by its first bytes.
//!
//! Standard input has no extension, and is JSON Lines if nothing else is recognized. In folders only extensions count:
//! to open a million files for a look would cost more than to read some of them. Two extensions are looked into:
//! `.json` (an array, or lines) of named files, and `.csv`, whose separator the first rows tell.

use super::file_names::names_one_value;
use super::separator::{table_format, table_with};
use crate::base::{BYTE_ORDER_MARK, Compression, RecordFormat, Result, extension};
use lookalike_core::stored::{MAGIC, MAGIC_OF_VERSION_1};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::Path;

const PARQUET_MAGIC: &[u8] = b"PAR1";
pub(crate) const ARROW_MAGIC: &[u8] = b"ARROW1";
/// An Arrow stream begins with the marker of a message, whose bytes occur in no UTF-8 text.
const ARROW_STREAM_MARKER: &[u8] = &[0xFF; 4];

/// Number of documents in a file, and their format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// One document.
    Text,
    /// Many records.
    #[serde(untagged)]
    Records(RecordFormat),
}

/// Extensions of files that hold one document.
const TEXT: [&str; 5] = ["txt", "md", "html", "htm", "xhtml"];

/// Enough to skip some empty lines, and for some rows of a table.
const HEAD_BYTES: u64 = 1 << 16;

impl Layout {
    /// The layout that the extension of a named file means; `None` for an unknown extension.
    pub fn of_name(path: &Path) -> Option<Self> {
        let is_text = || extension(path).is_some_and(|extension| TEXT.contains(&&*extension));
        RecordFormat::of_name(path).map(Self::Records).or_else(|| is_text().then_some(Self::Text))
    }

    /// The layout of a file in a folder: records for an extension of records, else one document.
    pub(crate) fn of_folder_entry(path: &Path, json: JsonFiles) -> Self {
        let format = RecordFormat::of_name(path).filter(|_| json == JsonFiles::Records || !names_one_value(path));
        format.map_or(Self::Text, Self::Records)
    }

    /// The layout that the first decompressed bytes of a file indicate. A table is known by its `column`.
    pub(crate) fn of_content(path: &Path, compression: Compression, column: &str) -> Result<Self> {
        Ok(Self::of_head(&head_of(path, compression)?, Some(column)))
    }

    /// The layout of a file whose name means `self`, as it begins: `.json` files hold lines or an array, unless the
    /// user has `named` one, `.csv` files have various separators.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if the file cannot be opened.
    pub(crate) fn refined(
        self,
        name: &Path,
        file: &Path,
        compression: Compression,
        named: Option<Self>,
    ) -> Result<Self> {
        let format = match self {
            Self::Records(RecordFormat::JsonLines) if names_one_value(name) && named.is_none() => {
                let head = head_of(file, compression)?;
                let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&head).trim_ascii_start();
                if text.starts_with(b"[") { RecordFormat::JsonArray } else { RecordFormat::JsonLines }
            }
            Self::Records(RecordFormat::Csv) => table_format(&head_of(file, compression)?),
            _ => return Ok(self),
        };
        Ok(Self::Records(format))
    }

    /// The layout that the first bytes indicate; a table only with a `column`.
    pub(crate) fn of_head(head: &[u8], column: Option<&str>) -> Self {
        let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
        match text {
            _ if head.starts_with(b"WARC/1.") => Self::Records(RecordFormat::Warc),
            _ if head.starts_with(MAGIC) || head.starts_with(MAGIC_OF_VERSION_1) => {
                Self::Records(RecordFormat::Snapshot)
            }
            _ if head.starts_with(PARQUET_MAGIC) => Self::Records(RecordFormat::Parquet),
            _ if head.starts_with(ARROW_MAGIC) || head.starts_with(ARROW_STREAM_MARKER) => {
                Self::Records(RecordFormat::Arrow)
            }
            _ if head.starts_with(b"\x93NUMPY") => Self::Records(RecordFormat::Npy),
            [b'{', ..] => Self::Records(RecordFormat::JsonLines),
            [b'[', rest @ ..] if rest.trim_ascii_start().starts_with(b"{") => Self::Records(RecordFormat::JsonArray),
            _ => column.and_then(|column| table_with(head, column)).map_or(Self::Text, Self::Records),
        }
    }
}

/// The first decompressed bytes of a file.
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) if it cannot be opened.
pub(crate) fn head_of(path: &Path, compression: Compression) -> Result<Vec<u8>> {
    let mut head = Vec::new();
    // Readers report corrupt compression with its position, so an error is ignored here.
    let _ = compression.open(path)?.take(HEAD_BYTES).read_to_end(&mut head);
    Ok(head)
}

/// Meaning of files named `.json` in folders. Named ones are records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JsonFiles {
    /// One document each: configurations, metadata, and what else is written in JSON.
    #[default]
    Texts,
    /// Records, because their fields are named.
    Records,
}

impl JsonFiles {
    /// Returns whether they are texts.
    pub fn are_texts(&self) -> bool {
        *self == Self::Texts
    }
}

/// Reading of files that are not recognized as records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texts {
    /// One document each.
    Documents,
    /// One set of items per line.
    ItemLines,
    /// One image each, whatever they are called.
    Images,
}

impl Texts {
    /// The layout of a file that was detected as `found`.
    pub(crate) fn layout(self, found: Layout) -> Layout {
        match (self, found) {
            (Self::ItemLines, Layout::Text) => Layout::Records(RecordFormat::ItemLines),
            // A snapshot stands for images, too.
            (Self::Images, found) if found != Layout::Records(RecordFormat::Snapshot) => Layout::Text,
            _ => found,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_name_formats_also_of_compressed_files() {
        for name in ["a.jsonl", "a.NDJSON", "b/a.json.gz", "a.b.jsonl.zst"] {
            assert_eq!(RecordFormat::of_name(Path::new(name)), Some(RecordFormat::JsonLines), "{name}");
        }
        for name in ["a", "a.txt", "jsonl", ".jsonl", "a.gz"] {
            assert_eq!(RecordFormat::of_name(Path::new(name)), None, "{name}");
        }
        assert_eq!(RecordFormat::of_name(Path::new("a.PQ")), Some(RecordFormat::Parquet));
        let entry = |name| Layout::of_folder_entry(Path::new(name), JsonFiles::Texts);
        assert_eq!(entry("package.json"), Layout::Text);
        assert_eq!(entry("a.feather"), Layout::Records(RecordFormat::Arrow));
        let records = Layout::of_folder_entry(Path::new("a.json.gz"), JsonFiles::Records);
        assert_eq!(records, Layout::Records(RecordFormat::JsonLines));
    }

    #[test]
    fn content_decides_for_unknown_extensions() {
        for head in ["{}", "\u{feff} \r\n\n{\"a\"", "{"] {
            assert_eq!(
                Layout::of_head(head.as_bytes(), Some("text")),
                Layout::Records(RecordFormat::JsonLines),
                "{head}"
            );
        }
        assert_eq!(Layout::of_head(b"WARC/1.1\r\n", Some("text")), Layout::Records(RecordFormat::Warc));
        assert_eq!(Layout::of_head(b"PAR1\x15\x04", Some("text")), Layout::Records(RecordFormat::Parquet));
        for head in [&b"ARROW1\0\0"[..], b"\xFF\xFF\xFF\xFF\x10\0"] {
            assert_eq!(Layout::of_head(head, Some("text")), Layout::Records(RecordFormat::Arrow));
        }
        for head in ["[{}]", "\u{feff}[\n  {\"a\": 1}"] {
            assert_eq!(
                Layout::of_head(head.as_bytes(), Some("text")),
                Layout::Records(RecordFormat::JsonArray),
                "{head}"
            );
        }
        assert_eq!(Layout::of_head(b"id\ttext\n1\ta\n", Some("text")), Layout::Records(RecordFormat::Tsv));
        for head in ["", "text", "a, text", "WARC/", "\nWARC/1.0", "[1]", "\u{feff}", "PAR", "ARROW"] {
            assert_eq!(Layout::of_head(head.as_bytes(), Some("text")), Layout::Text, "{head}");
        }
    }
}

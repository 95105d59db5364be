//! Layouts of files with many records, as their names tell them.

use super::compression::Compression;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The layout of a file with many records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordFormat {
    /// One JSON object per line.
    #[serde(rename = "jsonl")]
    JsonLines,
    /// One JSON array of objects.
    #[serde(rename = "json")]
    JsonArray,
    /// Comma-separated values with a header (RFC 4180).
    Csv,
    /// CSV with semicolons in place of commas.
    #[serde(rename = "semicolon-csv")]
    SemicolonCsv,
    /// CSV with vertical bars in place of commas.
    #[serde(rename = "pipe-csv")]
    PipeCsv,
    /// Tab-separated values with a header.
    Tsv,
    /// One set of items per line; never detected, only where documents are sets of items.
    #[serde(rename = "items")]
    ItemLines,
    /// WARC (ISO 28500), WET files included.
    Warc,
    /// Ids and shingle sets of a former job, without texts.
    Snapshot,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC, file or stream format.
    Arrow,
    /// An array of NumPy, a vector in each row.
    Npy,
}

impl RecordFormat {
    /// The detectable formats.
    const ALL: [Self; 8] =
        [Self::JsonLines, Self::Csv, Self::Tsv, Self::Warc, Self::Parquet, Self::Arrow, Self::Npy, Self::Snapshot];

    /// The name in messages and checkpoints, and the file extensions in lower case, of which the first is for new
    /// files.
    fn name_and_extensions(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::JsonLines => ("JSON Lines", &["jsonl", "ndjson", "json"]),
            Self::JsonArray => ("JSON array", &["json"]),
            Self::Csv => ("CSV", &["csv"]),
            Self::SemicolonCsv => ("CSV with semicolons", &["csv"]),
            Self::PipeCsv => ("CSV with vertical bars", &["csv"]),
            Self::Tsv => ("TSV", &["tsv"]),
            Self::ItemLines => ("lines of items", &["txt"]),
            Self::Warc => ("WARC", &["warc", "wet"]),
            Self::Snapshot => ("snapshot", &["snapshot", "sketch"]),
            Self::Parquet => ("Parquet", &["parquet", "pq"]),
            Self::Arrow => ("Arrow", &["arrow", "feather", "ipc", "arrows"]),
            Self::Npy => ("NumPy", &["npy"]),
        }
    }

    /// The name in messages and checkpoints.
    pub fn name(self) -> &'static str {
        self.name_and_extensions().0
    }

    fn extensions(self) -> &'static [&'static str] {
        self.name_and_extensions().1
    }

    /// The field separator of CSV and TSV.
    pub fn delimiter(self) -> Option<u8> {
        match self {
            Self::Csv => Some(b','),
            Self::SemicolonCsv => Some(b';'),
            Self::PipeCsv => Some(b'|'),
            Self::Tsv => Some(b'\t'),
            Self::JsonLines | Self::JsonArray | Self::ItemLines | Self::Warc => None,
            Self::Parquet | Self::Arrow | Self::Npy | Self::Snapshot => None,
        }
    }

    /// Returns whether a record may end with this byte; any but the last of a file ends with such a one.
    pub fn may_end_with(self, byte: u8) -> bool {
        match self {
            Self::JsonLines | Self::ItemLines => byte == b'\n',
            Self::Csv | Self::SemicolonCsv | Self::PipeCsv | Self::Tsv => matches!(byte, b'\n' | b'\r'),
            Self::JsonArray | Self::Warc | Self::Parquet | Self::Arrow | Self::Npy | Self::Snapshot => true,
        }
    }

    /// Returns whether a record may begin behind this byte: the end of another one, or of a byte order mark.
    pub fn may_begin_behind(self, byte: u8) -> bool {
        self.may_end_with(byte) || BYTE_ORDER_MARK.ends_with(&[byte])
    }

    /// Returns whether the format stores columns, each compressed inside the file.
    pub fn has_columns(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow | Self::Npy)
    }

    /// Returns whether files in this format may have the extension of `path`.
    pub fn has_extension_of(self, path: &Path) -> bool {
        extension(path).is_some_and(|extension| self.extensions().contains(&&*extension))
    }

    /// The format that the extension of `path` names; the extension of a compression after it is ignored.
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = extension(path)?;
        Self::ALL.into_iter().find(|format| format.extensions().contains(&&*extension))
    }

    /// The extension for new files.
    pub fn extension(self) -> &'static str {
        self.extensions().first().copied().unwrap_or_default()
    }
}

/// The extension of a name in lower case, that of a compression removed.
pub(crate) fn extension(path: &Path) -> Option<String> {
    Compression::of_name(path).1.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase)
}

/// A path with more at the end of its name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The byte order mark in UTF-8. Files that were put together have it in the middle, too, at the begin of a line.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A line of a list, without the byte order marks that it begins with.
///
/// ```
/// assert_eq!(lookalike_io::base::without_mark("\u{feff}word"), "word");
/// ```
pub fn without_mark(line: &str) -> &str {
    line.trim_start_matches('\u{feff}')
}

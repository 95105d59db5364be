//! Layouts of files with many records.

use crate::ground::{BYTE_ORDER_MARK, Compression, Error, Result};
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
    /// The same with semicolons in place of commas.
    #[serde(rename = "semicolon-csv")]
    SemicolonCsv,
    /// The same with vertical bars in place of commas.
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

    /// The name in messages and checkpoints.
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonLines => "JSON Lines",
            Self::JsonArray => "JSON array",
            Self::Csv => "CSV",
            Self::SemicolonCsv => "CSV with semicolons",
            Self::PipeCsv => "CSV with vertical bars",
            Self::Tsv => "TSV",
            Self::ItemLines => "lines of items",
            Self::Warc => "WARC",
            Self::Snapshot => "snapshot",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
            Self::Npy => "NumPy",
        }
    }

    /// File extensions in lower case; the first one is for new files.
    fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::JsonLines => &["jsonl", "ndjson", "json"],
            Self::JsonArray => &["json"],
            Self::Csv | Self::SemicolonCsv | Self::PipeCsv => &["csv"],
            Self::Tsv => &["tsv"],
            Self::ItemLines => &["txt"],
            Self::Warc => &["warc", "wet"],
            Self::Snapshot => &["snapshot", "sketch"],
            Self::Parquet => &["parquet", "pq"],
            Self::Arrow => &["arrow", "feather", "ipc", "arrows"],
            Self::Npy => &["npy"],
        }
    }

    /// The field separator of CSV and TSV.
    pub fn delimiter(self) -> Option<u8> {
        match self {
            Self::Csv => Some(b','),
            Self::SemicolonCsv => Some(b';'),
            Self::PipeCsv => Some(b'|'),
            Self::Tsv => Some(b'\t'),
            Self::JsonLines
            | Self::JsonArray
            | Self::ItemLines
            | Self::Warc
            | Self::Parquet
            | Self::Arrow
            | Self::Npy
            | Self::Snapshot => None,
        }
    }

    /// Whether a record may end with this byte; any but the last of a file ends with such a one.
    pub fn may_end_with(self, byte: u8) -> bool {
        match self {
            Self::JsonLines | Self::ItemLines => byte == b'\n',
            Self::Csv | Self::SemicolonCsv | Self::PipeCsv | Self::Tsv => matches!(byte, b'\n' | b'\r'),
            Self::JsonArray | Self::Warc | Self::Parquet | Self::Arrow | Self::Npy | Self::Snapshot => true,
        }
    }

    /// Whether a record may begin behind this byte: the end of another one, or of a byte order mark.
    pub fn may_begin_behind(self, byte: u8) -> bool {
        self.may_end_with(byte) || BYTE_ORDER_MARK.ends_with(&[byte])
    }

    /// Whether the format stores columns, each compressed inside the file.
    pub fn has_columns(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow | Self::Npy)
    }

    /// Whether files in this format may have the extension of `path`.
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

    /// The error of a file that begins in this format and is to be read in another one.
    pub(crate) fn instead_of(self, expected: Self, path: &Path) -> Error {
        Error::LooksLike {
            path: path.to_owned(),
            expected: expected.name(),
            found: self.name(),
            extension: self.extension(),
        }
    }

    /// Checks that the name of a file in this format names no compression if the format needs random access, and that
    /// of a snapshot no format of records.
    ///
    /// # Errors
    /// [`Error::PackedColumns`], [`Error::ForeignExtension`].
    pub fn check_name(self, path: &Path) -> Result<()> {
        if self == Self::Snapshot && Self::of_name(path).is_some_and(|named| named != self) {
            return Err(Error::ForeignExtension { path: path.to_owned(), format: "a snapshot" });
        }
        self.check_compression(path, Compression::of_name(path).0)
    }

    /// Checks that a file in this format is not compressed as a whole if the format needs random access.
    ///
    /// # Errors
    /// [`Error::PackedColumns`].
    pub(crate) fn check_compression(self, path: &Path, compression: Compression) -> Result<()> {
        let needs_random_access = self.has_columns() || self == Self::Snapshot;
        if needs_random_access && compression != Compression::None {
            return Err(Error::PackedColumns { path: path.to_owned(), format: self.name() });
        }
        Ok(())
    }
}

/// Extensions of records that are common for other content too, such as configurations in JSON.
const AMBIGUOUS: [&str; 1] = ["json"];

/// Whether the extension of a name is `.json`: it may hold lines of records, other content, or one value, which readers
/// of such files expect.
pub fn names_one_value(path: &Path) -> bool {
    extension(path).is_some_and(|extension| AMBIGUOUS.contains(&&*extension))
}

/// The extension of a name in lower case, that of a compression removed.
pub(super) fn extension(path: &Path) -> Option<String> {
    Compression::of_name(path).1.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase)
}
/// What the ids of an array are called beside it.
const IDS: &str = ".ids";

/// The file of ids beside an array of NumPy.
pub(crate) fn ids_beside(array: &Path) -> PathBuf {
    let mut name = array.as_os_str().to_owned();
    name.push(IDS);
    name.into()
}

/// The file of ids beside a path, if that is the path of an array of NumPy.
pub fn ids_of_array(path: &Path) -> Option<PathBuf> {
    (RecordFormat::of_name(path) == Some(RecordFormat::Npy)).then(|| ids_beside(path))
}

/// Whether a file is that of the ids of an array beside it: a part of an input, and none by itself.
pub(crate) fn is_of_ids(path: &Path) -> bool {
    let array = path.to_str().and_then(|name| name.strip_suffix(IDS)).map(Path::new);
    array.is_some_and(|array| RecordFormat::of_name(array) == Some(RecordFormat::Npy) && array.is_file())
}

/// Whether a file in a folder belongs to other files there, and holds no documents of its own.
pub(crate) fn is_part_of_others(path: &Path) -> bool {
    is_of_ids(path) || is_about_dataset(path)
}

/// Files that the library `datasets` writes beside the files of a data set.
const DATASET_STATE: &str = "state.json";
const DATASET_INFO: &str = "dataset_info.json";
const DATASET_SPLITS: &str = "dataset_dict.json";
/// What the names of files of results begin with that it keeps there.
const DATASET_CACHE: &str = "cache-";

/// Whether a file says something about the data set that is saved in its folder, or is a result that was kept there:
/// the records are in the other files.
fn is_about_dataset(path: &Path) -> bool {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(OsStr::to_str)) else { return false };
    let is_saved = |folder: &Path| folder.join(DATASET_STATE).is_file() && folder.join(DATASET_INFO).is_file();
    match name {
        DATASET_STATE | DATASET_INFO => is_saved(folder),
        DATASET_SPLITS => std::fs::read_dir(folder)
            .is_ok_and(|entries| entries.filter_map(std::io::Result::ok).any(|entry| is_saved(&entry.path()))),
        _ if name.starts_with(DATASET_CACHE) => RecordFormat::Arrow.has_extension_of(path) && is_saved(folder),
        _ => false,
    }
}

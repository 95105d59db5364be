//! How the records of a file are laid out.

use crate::compression::Compression;
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

/// The layout of a file with many records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// One JSON object a line.
    JsonLines,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC, as a file or as a stream.
    Arrow,
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
    const ENDINGS: [(&'static str, Self); 9] = [
        ("jsonl", Self::JsonLines),
        ("ndjson", Self::JsonLines),
        ("csv", Self::Csv),
        ("tsv", Self::Tsv),
        ("parquet", Self::Parquet),
        ("pq", Self::Parquet),
        ("arrow", Self::Arrow),
        ("feather", Self::Arrow),
        ("ipc", Self::Arrow),
    ];

    /// The format that the ending of `path` names, before that of a compression, if it names one.
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = Compression::of_name(path).1;
        let ending = name.extension()?.to_str()?.to_ascii_lowercase();
        Self::ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, format)| *format)
    }

    /// The same; JSON Lines without an ending.
    ///
    /// # Errors
    /// [`Error::UnknownEnding`] for any other ending; [`Error::PackedColumns`] if the name asks for a compression around a
    /// format that is compressed inside.
    pub fn of(path: &Path) -> Result<Self> {
        let has_ending = Compression::of_name(path).1.extension().is_some();
        let format = match Self::of_name(path) {
            None if has_ending => return Err(Error::UnknownEnding { path: path.to_owned() }),
            found => found.unwrap_or(Self::JsonLines),
        };
        format.check_name(path).map(|()| format)
    }

    /// Checks that the name of a file in this format does not ask for a compression around it that cannot be.
    ///
    /// # Errors
    /// [`Error::PackedColumns`].
    pub fn check_name(self, path: &Path) -> Result<()> {
        if self.has_columns() && Compression::of_name(path).0 != Compression::None {
            return Err(Error::PackedColumns { path: path.to_owned(), format: self.name() });
        }
        Ok(())
    }

    /// Whether it is compressed inside, column by column.
    fn has_columns(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow)
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonLines => "JSON Lines",
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
        }
    }

    /// The name of a file that had another format: with the ending of this one, and the compression that it had.
    pub fn rename(self, path: &Path) -> PathBuf {
        let ending = Self::ENDINGS.iter().find(|(_, format)| *format == self).map_or("", |(ending, _)| ending);
        let (compression, mut name) = Compression::of_name(path);
        if Self::of_name(path).is_some() {
            name.set_extension("");
        }
        let mut name = name.into_os_string();
        name.push(".");
        name.push(ending);
        if compression != Compression::None && !self.has_columns() {
            name.push(".");
            name.push(path.extension().unwrap_or_default());
        }
        name.into()
    }
}

impl From<RecordFormat> for RowFormat {
    fn from(format: RecordFormat) -> Self {
        match format {
            RecordFormat::JsonLines => Self::JsonLines,
            RecordFormat::Parquet => Self::Parquet,
            RecordFormat::Arrow => Self::Arrow,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_format() {
        for (name, format, expected) in [
            ("a/b.jsonl.gz", RowFormat::Parquet, "a/b.parquet"),
            ("a/b.jsonl.gz", RowFormat::Csv, "a/b.csv.gz"),
            ("b.PARQUET", RowFormat::JsonLines, "b.jsonl"),
            ("b.c", RowFormat::Arrow, "b.c.arrow"),
            ("b", RowFormat::Tsv, "b.tsv"),
            ("b.zst", RowFormat::Tsv, "b.tsv.zst"),
        ] {
            assert_eq!(format.rename(Path::new(name)), Path::new(expected));
        }
        assert!(matches!(RowFormat::of(Path::new("x.parquet.gz")), Err(Error::PackedColumns { .. })));
        assert!(matches!(RowFormat::of(Path::new("x.txt")), Err(Error::UnknownEnding { .. })));
        assert_eq!(RowFormat::of(Path::new("x.feather")).unwrap(), RowFormat::Arrow);
        assert_eq!(RowFormat::of(Path::new("-")).unwrap(), RowFormat::JsonLines);
    }
}

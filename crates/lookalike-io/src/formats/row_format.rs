//! Layouts in which rows and converted records are written.

use super::archive::names_archive;
use super::file_names::names_one_value;
use super::layout::Layout;
use crate::base::details::DataForm;
use crate::base::{Compression, Error, RecordFormat, Result, extension, with_suffix};
use std::path::{Path, PathBuf};

/// The layout of new files: of rows, or of records converted from another layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// One JSON object per line.
    JsonLines,
    /// Comma-separated values with a header (RFC 4180).
    Csv,
    /// Tab-separated values with a header, quoted as in CSV.
    Tsv,
    /// Apache Parquet, compressed with zstd.
    Parquet,
    /// An Arrow IPC file, compressed with LZ4.
    Arrow,
}

impl RowFormat {
    const ALL: [Self; 5] = [Self::JsonLines, Self::Csv, Self::Tsv, Self::Parquet, Self::Arrow];

    /// The format that a new file with this name has: `chosen`, or that of its extension.
    ///
    /// # Errors
    /// As [`Self::check_name`] and [`Self::from_path`].
    pub(crate) fn chosen_or_named(chosen: Option<Self>, path: &Path) -> Result<Self> {
        match chosen {
            Some(format) => format.check_name(path).map(|()| format),
            None => Self::from_path(path),
        }
    }

    /// The separator of fields in a table of text.
    pub(crate) fn delimiter(self) -> Option<u8> {
        self.as_records().delimiter()
    }

    /// The format of rows in a new file with this name; JSON Lines without an extension.
    ///
    /// # Errors
    /// [`Error::UnknownExtension`] for any other extension; [`Error::PackedColumns`] if the name means a whole-file
    /// compression of a format that is compressed inside.
    pub fn from_path(path: &Path) -> Result<Self> {
        if extension(path).is_none() {
            return Ok(Self::JsonLines);
        }
        // Readers of `.json` files expect one JSON value, not lines.
        let named = RecordFormat::of_name(path).filter(|_| !names_one_value(path));
        let Some(format) = named.and_then(RecordFormat::as_rows) else {
            return Err(Error::UnknownExtension { path: path.to_owned() });
        };
        format.check_name(path).map(|()| format)
    }

    /// The format to which the records of a `source` in the format `from` are converted for an output with this name;
    /// `None` if they are copied.
    ///
    /// # Errors
    /// [`Error::ForeignExtension`] if there is no conversion to the format that the extension names, or if it is that
    /// of one text, as which records would be read again, and not that of the source, too.
    pub fn of_output(path: &Path, from: RecordFormat, source: &Path) -> Result<Option<Self>> {
        let foreign = || Error::ForeignExtension { path: path.to_owned(), form: DataForm::Records(from) };
        match RecordFormat::of_name(path) {
            // Rows of an array are not copied: its header tells how many there are.
            Some(RecordFormat::Npy) | None if from == RecordFormat::Npy => Err(foreign()),
            Some(named) if named == from => Ok(None),
            // `.json` names arrays and lines, `.csv` tables of any separator.
            Some(_) if from.has_extension_of(path) => Ok(None),
            Some(named) => named.as_rows().map(Some).ok_or_else(foreign),
            None if names_foreign(path) => Err(foreign()),
            None if from.has_extension_of(path) || extension(path) == extension(source) => Ok(None),
            None if names_text(path) => Err(foreign()),
            None => Ok(None),
        }
    }

    /// Checks that the name of a file in this format names no other format, and no compression if the format needs
    /// random access.
    ///
    /// # Errors
    /// [`Error::OtherExtension`], [`Error::PackedColumns`].
    pub fn check_name(self, path: &Path) -> Result<()> {
        self.as_records().check_extension(path)?;
        self.as_records().check_name(path)
    }

    /// Returns whether values are written as text, in which their types do not show.
    pub(crate) fn is_text(self) -> bool {
        self.delimiter().is_some()
    }

    /// The name in messages.
    pub fn name(self) -> &'static str {
        self.as_records().name()
    }

    pub(crate) fn as_records(self) -> RecordFormat {
        match self {
            Self::JsonLines => RecordFormat::JsonLines,
            Self::Csv => RecordFormat::Csv,
            Self::Tsv => RecordFormat::Tsv,
            Self::Parquet => RecordFormat::Parquet,
            Self::Arrow => RecordFormat::Arrow,
        }
    }

    /// The name of a converted file: the extension of its format replaced, that of its compression kept if possible.
    pub(crate) fn rename(self, path: &Path) -> PathBuf {
        let (compression, mut name) = Compression::of_name(path);
        if RecordFormat::of_name(path).is_some() {
            name.set_extension("");
        }
        let name = with_suffix(&name, &format!(".{}", self.as_records().extension()));
        if compression == Compression::None || self.as_records().has_columns() {
            return name;
        }
        with_suffix(&name, &format!(".{}", path.extension().unwrap_or_default().to_string_lossy()))
    }
}

/// Returns whether the extension is that of a file, so that no folder should have it: of records, texts, or what is
/// never written.
pub(crate) fn names_file(path: &Path) -> bool {
    names_foreign(path) || RecordFormat::of_name(path).is_some() || names_text(path)
}

/// Returns whether the extension is that of a file with one text.
fn names_text(path: &Path) -> bool {
    Layout::of_name(path) == Some(Layout::Text)
}

/// Returns whether the extension names a format that is never written: that of an archive, a spreadsheet, an image.
fn names_foreign(path: &Path) -> bool {
    let is_known = extension(path).is_some_and(|extension| infer::is_supported(&extension));
    names_archive(path) || is_known && !names_text(path)
}

impl RecordFormat {
    /// Checks that the extension of a file in this format names no other one.
    ///
    /// # Errors
    /// [`Error::OtherExtension`].
    pub fn check_extension(self, path: &Path) -> Result<()> {
        let names_other = Self::of_name(path).is_some() && !self.has_extension_of(path);
        if names_other || names_foreign(path) {
            return Err(Error::OtherExtension { path: path.to_owned(), format: self });
        }
        Ok(())
    }

    /// The format as a target of conversions, if it is one.
    pub fn as_rows(self) -> Option<RowFormat> {
        RowFormat::ALL.into_iter().find(|format| format.as_records() == self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_of_outputs_choose_the_format_of_their_records() {
        let output = |name: &str, from| RowFormat::of_output(Path::new(name), from, Path::new("in.txt.gz"));
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
        for name in ["out.zip", "out.warc", "out.wet.gz", "out.xlsx", "out.pdf", "out.md", "out.html"] {
            assert!(matches!(output(name, RecordFormat::JsonLines), Err(Error::ForeignExtension { .. })), "{name}");
        }
        assert_eq!(output("out.wet.gz", RecordFormat::Warc).unwrap(), None);
        // Records in a file of this name would be one text to whoever reads it.
        let of_jsonl = |from| RowFormat::of_output(Path::new("out.txt"), from, Path::new("in.jsonl"));
        assert!(matches!(of_jsonl(RecordFormat::JsonLines), Err(Error::ForeignExtension { .. })));
        assert_eq!(of_jsonl(RecordFormat::ItemLines).unwrap(), None);
        for name in ["out.npy", "out", "-", "out.txt"] {
            assert!(matches!(output(name, RecordFormat::Npy), Err(Error::ForeignExtension { .. })), "{name}");
        }
        assert_eq!(output("out.parquet", RecordFormat::Npy).unwrap(), Some(RowFormat::Parquet));
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
        assert!(matches!(RowFormat::from_path(Path::new("x.parquet.gz")), Err(Error::PackedColumns { .. })));
        for (format, name) in
            [(RowFormat::Parquet, "x.jsonl"), (RowFormat::JsonLines, "x.csv.gz"), (RowFormat::Csv, "x.xlsx")]
        {
            assert!(matches!(format.check_name(Path::new(name)), Err(Error::OtherExtension { .. })), "{name}");
        }
        for (format, name) in [
            (RowFormat::JsonLines, "x.json"),
            (RowFormat::Csv, "x.txt"),
            (RowFormat::Tsv, "-"),
            (RowFormat::Csv, "x.html"),
        ] {
            format.check_name(Path::new(name)).unwrap();
        }
        for name in ["x.txt", "x.json", "x.warc"] {
            assert!(matches!(RowFormat::from_path(Path::new(name)), Err(Error::UnknownExtension { .. })), "{name}");
        }
        assert_eq!(RowFormat::from_path(Path::new("x.feather")).unwrap(), RowFormat::Arrow);
        assert_eq!(RowFormat::from_path(Path::new("-")).unwrap(), RowFormat::JsonLines);
    }
}

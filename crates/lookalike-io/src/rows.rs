//! Flat rows as JSON Lines, CSV or TSV.

use crate::atomic::{AtomicFile, Sealed};
use crate::compression::Compression;
use crate::error::{Error, Result};
use serde::Serialize;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// One JSON object a line.
    JsonLines,
    /// Comma-separated values with a header (RFC 4180).
    Csv,
    /// Tab-separated values with a header, quoted as in CSV.
    Tsv,
}

impl RowFormat {
    /// The format that the ending of `path` names, before that of a compression; JSON Lines without an ending.
    ///
    /// # Errors
    /// [`Error::UnknownEnding`] for any other ending.
    pub fn of(path: &Path) -> Result<Self> {
        match Compression::of_name(path).1.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase).as_deref() {
            None | Some("jsonl" | "ndjson") => Ok(Self::JsonLines),
            Some("csv") => Ok(Self::Csv),
            Some("tsv") => Ok(Self::Tsv),
            Some(_) => Err(Error::UnknownEnding { path: path.to_owned() }),
        }
    }
}

/// The compact JSON text of a value.
///
/// # Errors
/// [`Error::Io`] if the value cannot be expressed, as a map with keys that are no strings.
pub fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::io("express as JSON", Path::new("a value"), error.into()))
}

/// Writes rows to a file that appears when it is finished.
#[derive(Debug)]
pub struct RowWriter {
    path: PathBuf,
    format: RowFormat,
    file: AtomicFile,
    /// The delimited form of one row.
    line: Vec<u8>,
    has_header: bool,
    header: &'static [&'static str],
}

impl RowWriter {
    /// Begins the file at `path` (`-` is standard output) for rows with the fields that `header` names.
    ///
    /// # Errors
    /// [`Error::UnknownEnding`], or as [`AtomicFile::create`].
    pub fn create(path: &Path, header: &'static [&'static str]) -> Result<Self> {
        Self::create_with(path, header, &std::env::temp_dir())
    }

    /// As [`Self::create`], with a folder for what goes to a URL later.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_with(path: &Path, header: &'static [&'static str], temporary_folder: &Path) -> Result<Self> {
        let format = RowFormat::of(path)?;
        let file = AtomicFile::create_with(path, temporary_folder)?;
        Ok(Self { path: path.to_owned(), format, file, line: Vec::new(), has_header: false, header })
    }

    /// Writes a row: a flat struct with the fields of the header.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&mut self, row: &impl Serialize) -> Result<()> {
        let written = match self.format {
            RowFormat::JsonLines => serde_json::to_writer(self.file.writer(), row).map_err(io::Error::from),
            RowFormat::Csv => self.write_delimited(b',', row),
            RowFormat::Tsv => self.write_delimited(b'\t', row),
        };
        written.map_err(|source| Error::io("write", &self.path, source))?;
        if self.format == RowFormat::JsonLines { self.file.write(b"\n") } else { Ok(()) }
    }

    fn write_delimited(&mut self, delimiter: u8, row: &impl Serialize) -> io::Result<()> {
        self.write_header(delimiter)?;
        self.line.clear();
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).has_headers(false).from_writer(&mut self.line);
        writer.serialize(row).map_err(io::Error::from)?;
        drop(writer);
        self.file.writer().write_all(&self.line)
    }

    fn write_header(&mut self, delimiter: u8) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_header, true) {
            let header = self.header.join(&*char::from(delimiter).to_string());
            writeln!(self.file.writer(), "{header}")?;
        }
        Ok(())
    }

    /// Writes the last bytes. The file is complete then, but still aside.
    ///
    /// # Errors
    /// As [`AtomicFile::seal`].
    pub fn seal(mut self) -> Result<Sealed> {
        let header = match self.format {
            RowFormat::JsonLines => Ok(()),
            RowFormat::Csv => self.write_header(b','),
            RowFormat::Tsv => self.write_header(b'\t'),
        };
        header.map_err(|source| Error::io("write", &self.path, source))?;
        self.file.seal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[derive(Serialize)]
    struct Row {
        key: &'static str,
        similarity: f64,
    }

    fn written(name: &str, rows: &[Row]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let mut writer = RowWriter::create(&path, &["key", "similarity"]).unwrap();
        rows.iter().for_each(|row| writer.write(row).unwrap());
        writer.seal().unwrap().publish().unwrap();
        fs::read_to_string(&path).unwrap()
    }

    #[test]
    fn endings_choose_the_format() {
        let rows = [Row { key: "a,\"b\"", similarity: 0.875 }, Row { key: "c\td", similarity: 1.0 }];
        assert_eq!(
            written("x.jsonl", &rows),
            "{\"key\":\"a,\\\"b\\\"\",\"similarity\":0.875}\n{\"key\":\"c\\td\",\"similarity\":1.0}\n"
        );
        assert_eq!(written("x.csv", &rows), "key,similarity\n\"a,\"\"b\"\"\",0.875\nc\td,1.0\n");
        assert_eq!(written("x.TSV", &rows), "key\tsimilarity\n\"a,\"\"b\"\"\"\t0.875\n\"c\td\"\t1.0\n");
        assert!(matches!(RowFormat::of(Path::new("x.parquet")), Err(Error::UnknownEnding { .. })));
    }

    #[test]
    fn no_rows_leave_a_header_or_an_empty_file() {
        assert_eq!(written("x.csv", &[]), "key,similarity\n");
        assert_eq!(written("x.jsonl", &[]), "");
    }
}

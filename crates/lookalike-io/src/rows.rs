//! Flat rows as JSON Lines, CSV, TSV, Parquet or Arrow.
//!
//! A row is a struct that can be serialized. For files of columns the serializer of arrow-json, which we need for JSON records
//! anyway, turns it into arrays.

use crate::atomic::{Aside, AtomicFile, Sealed};
use crate::columns::{BatchWriter, Layout};
use crate::error::{Error, Result};
use crate::format::RowFormat;
use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows of columns that are held back.
const BATCH_ROWS: usize = 1 << 13;

/// A field of all rows of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowField {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: RowKind,
}

/// What a field of rows holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// Strings.
    Text,
    /// Whole numbers from 0 on.
    Count,
    /// Numbers.
    Number,
}

impl RowField {
    /// A field of strings.
    pub const fn text(name: &'static str) -> Self {
        Self { name, kind: RowKind::Text }
    }

    /// A field of whole numbers.
    pub const fn count(name: &'static str) -> Self {
        Self { name, kind: RowKind::Count }
    }

    /// A field of numbers.
    pub const fn number(name: &'static str) -> Self {
        Self { name, kind: RowKind::Number }
    }

    fn column(&self) -> Field {
        let data_type = match self.kind {
            RowKind::Text => DataType::Utf8,
            RowKind::Count => DataType::UInt64,
            RowKind::Number => DataType::Float64,
        };
        Field::new(self.name, data_type, false)
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
    target: Target,
}

#[derive(Debug)]
enum Target {
    Lines(Box<AtomicFile>),
    Delimited(Box<Delimited>),
    Columns(Box<Columns>),
}

impl RowWriter {
    /// Begins the file at `path` (`-` is standard output) for rows with these fields.
    ///
    /// # Errors
    /// [`Error::UnknownEnding`], [`Error::PackedColumns`], or as [`AtomicFile::create`].
    pub fn create(path: &Path, header: &'static [RowField]) -> Result<Self> {
        Self::create_with(path, header, &Aside::default())
    }

    /// As [`Self::create`], with a place for what is not finished.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_with(path: &Path, header: &'static [RowField], aside: &Aside) -> Result<Self> {
        let format = RowFormat::of(path)?;
        let file = AtomicFile::create_with(path, aside)?;
        let delimited =
            |file, delimiter| Box::new(Delimited { file, delimiter, header, has_header: false, line: Vec::new() });
        let target = match format {
            RowFormat::JsonLines => Target::Lines(Box::new(file)),
            RowFormat::Csv => Target::Delimited(delimited(file, b',')),
            RowFormat::Tsv => Target::Delimited(delimited(file, b'\t')),
            RowFormat::Parquet => Target::Columns(Box::new(Columns::create(file, &Layout::Parquet, header)?)),
            RowFormat::Arrow => Target::Columns(Box::new(Columns::create(file, &Layout::new_arrow(), header)?)),
        };
        Ok(Self { path: path.to_owned(), target })
    }

    /// Writes a row: a flat struct with the fields of the header.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&mut self, row: &impl Serialize) -> Result<()> {
        let written = match &mut self.target {
            Target::Lines(file) => serde_json::to_writer(file.writer(), row)
                .map_err(io::Error::from)
                .and_then(|()| file.writer().write_all(b"\n")),
            Target::Delimited(delimited) => delimited.write(row),
            Target::Columns(columns) => return columns.write(row),
        };
        written.map_err(|source| Error::io("write", &self.path, source))
    }

    /// Writes the last bytes. The file is complete then, but still aside.
    ///
    /// # Errors
    /// As [`AtomicFile::seal`].
    pub fn seal(self) -> Result<Sealed> {
        match self.target {
            Target::Lines(file) => file.seal(),
            Target::Delimited(mut delimited) => {
                delimited.write_header().map_err(|source| Error::io("write", &self.path, source))?;
                delimited.file.seal()
            }
            Target::Columns(columns) => columns.seal(),
        }
    }
}

/// Rows as CSV or TSV.
#[derive(Debug)]
struct Delimited {
    file: AtomicFile,
    delimiter: u8,
    header: &'static [RowField],
    has_header: bool,
    /// The form of one row.
    line: Vec<u8>,
}

impl Delimited {
    fn write(&mut self, row: &impl Serialize) -> io::Result<()> {
        self.write_header()?;
        self.line.clear();
        let mut writer =
            csv::WriterBuilder::new().delimiter(self.delimiter).has_headers(false).from_writer(&mut self.line);
        writer.serialize(row).map_err(io::Error::from)?;
        drop(writer);
        self.file.writer().write_all(&self.line)
    }

    fn write_header(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_header, true) {
            let names: Vec<&str> = self.header.iter().map(|field| field.name).collect();
            writeln!(self.file.writer(), "{}", names.join(&*char::from(self.delimiter).to_string()))?;
        }
        Ok(())
    }
}

/// Rows as columns.
#[derive(Debug)]
struct Columns {
    path: PathBuf,
    decoder: Decoder,
    writer: BatchWriter,
}

impl Columns {
    fn create(file: AtomicFile, layout: &Layout, header: &[RowField]) -> Result<Self> {
        let path = file.path().to_owned();
        let schema = Arc::new(Schema::new(header.iter().map(RowField::column).collect::<Vec<_>>()));
        let decoder = ReaderBuilder::new(schema.clone()).with_batch_size(BATCH_ROWS).build_decoder();
        let decoder = decoder.map_err(|error| inexpressible(&path, error))?;
        Ok(Self { path, decoder, writer: BatchWriter::create(file, layout, &schema)? })
    }

    fn write(&mut self, row: &impl Serialize) -> Result<()> {
        self.decoder.serialize(std::slice::from_ref(row)).map_err(|error| inexpressible(&self.path, error))?;
        if self.decoder.len() >= BATCH_ROWS { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        match self.decoder.flush().map_err(|error| inexpressible(&self.path, error))? {
            Some(batch) => self.writer.write(&batch),
            None => Ok(()),
        }
    }

    fn seal(mut self) -> Result<Sealed> {
        self.flush()?;
        self.writer.seal()
    }
}

fn inexpressible(path: &Path, error: ArrowError) -> Error {
    Error::io("write", path, io::Error::other(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const HEADER: &[RowField] = &[RowField::text("key"), RowField::number("similarity")];

    #[derive(Serialize)]
    struct Row {
        key: &'static str,
        similarity: f64,
    }

    fn written(name: &str, rows: &[Row]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let mut writer = RowWriter::create(&path, HEADER).unwrap();
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
    }

    #[test]
    fn no_rows_leave_a_header_or_an_empty_file() {
        assert_eq!(written("x.csv", &[]), "key,similarity\n");
        assert_eq!(written("x.jsonl", &[]), "");
    }
}

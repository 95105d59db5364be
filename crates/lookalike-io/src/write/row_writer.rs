//! Rows as JSON Lines, CSV, TSV, Parquet or Arrow.
//!
//! A row is a flat struct with serde's `Serialize`. For files of columns the serializer of arrow-json, which JSON
//! records need too, converts it to arrays.

use crate::columns::{BatchFormat, BatchWriter};
use crate::formats::RowFormat;
use crate::ground::Staging;
use crate::ground::{Error, Result};
use crate::outputs::{AtomicFile, Sealed};
use crate::rows::{BASIS_KEY, JsonForm, RowField};
use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{ArrowError, Schema};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of rows per batch of columns.
const BATCH_ROWS: usize = 1 << 13;

/// Writes rows to a file that appears when it is complete.
///
/// ```
/// use lookalike_core::{measure::Figure, rule::Reason};
/// use lookalike_io::{PairFigure, PairRow, RowSources, RowWriter, read_pairs};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("pairs.csv");
/// let mut writer = RowWriter::create(&path, &PairRow::header(Figure::Similarity, RowSources::Absent))?;
/// writer.write(&PairRow::new(["x", "y"], PairFigure::Similarity(0.875), Reason::Near))?;
/// writer.seal()?.publish()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "a,b,similarity,reason\nx,y,0.875,near\n");
/// read_pairs(&path, |pair, _| {
///     assert_eq!((&*pair.a, &*pair.b), ("x", "y"));
///     Ok::<_, lookalike_io::Error>(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RowWriter {
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    Lines(Box<Lines>),
    Delimited(Box<Delimited>),
    Columns(Box<Columns>),
}

impl RowWriter {
    /// Creates the file at `path` (`-` is standard output) for rows with these fields.
    ///
    /// # Errors
    /// [`Error::UnknownExtension`], [`Error::PackedColumns`], or as [`AtomicFile::create`].
    pub fn create(path: &Path, header: &[RowField]) -> Result<Self> {
        Self::create_with(path, None, header, &Staging::default())
    }

    /// As [`Self::create`], with a choice of the format, which else follows the extension, and of the staging.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_with(path: &Path, format: Option<RowFormat>, header: &[RowField], staging: &Staging) -> Result<Self> {
        let format = match format {
            Some(format) => format.check_name(path).map(|()| format)?,
            None => RowFormat::of(path)?,
        };
        let file = AtomicFile::create_with(path, staging)?;
        let delimited = |file, delimiter| {
            let header = header.to_vec();
            Box::new(Delimited { file, delimiter, header, has_header: false, line: Vec::new() })
        };
        let target = match format {
            RowFormat::JsonLines => Target::Lines(Box::new(Lines { file, line: Vec::new() })),
            RowFormat::Csv => Target::Delimited(delimited(file, b',')),
            RowFormat::Tsv => Target::Delimited(delimited(file, b'\t')),
            RowFormat::Parquet => Target::Columns(Box::new(Columns::create(file, &BatchFormat::Parquet, header)?)),
            RowFormat::Arrow => Target::Columns(Box::new(Columns::create(file, &BatchFormat::new_arrow(), header)?)),
        };
        Ok(Self { path: path.to_owned(), target })
    }

    /// Writes a row: a flat struct with the fields of the header.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&mut self, row: &impl Serialize) -> Result<()> {
        let written = match &mut self.target {
            Target::Lines(lines) => lines.write(row),
            Target::Delimited(delimited) => delimited.write(row),
            Target::Columns(columns) => return columns.write(row),
        };
        written.map_err(|source| Error::io("write", &self.path, source))
    }

    /// How JSON values stand in these rows.
    pub fn json_form(&self) -> JsonForm {
        match self.target {
            Target::Lines(_) => JsonForm::Value,
            Target::Delimited(_) | Target::Columns(_) => JsonForm::Text,
        }
    }

    /// Shows the rows so far to who reads them while they are written: on standard output, a pipe or a device, unless
    /// they are columns or compressed.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn show(&mut self) -> Result<()> {
        match &mut self.target {
            Target::Lines(lines) => lines.file.show(),
            Target::Delimited(delimited) => delimited.file.show(),
            Target::Columns(_) => Ok(()),
        }
    }

    /// Says what the rows depend on: Parquet and Arrow files carry it in their metadata, under [`BASIS_KEY`].
    pub fn describe(&mut self, basis: &str) {
        if let Target::Columns(columns) = &mut self.target {
            columns.writer.describe(BASIS_KEY, basis);
        }
    }

    /// Completes the file, which appears when it is published.
    ///
    /// # Errors
    /// As [`AtomicFile::seal`].
    pub fn seal(self) -> Result<Sealed> {
        match self.target {
            Target::Lines(lines) => lines.file.seal(),
            Target::Delimited(mut delimited) => {
                delimited.write_header().map_err(|source| Error::io("write", &self.path, source))?;
                delimited.file.seal()
            }
            Target::Columns(columns) => columns.seal(),
        }
    }
}

/// Rows as JSON Lines.
#[derive(Debug)]
struct Lines {
    file: AtomicFile,
    /// Buffer for one serialized row: the file takes it at once, and not in some ten pieces.
    line: Vec<u8>,
}

impl Lines {
    fn write(&mut self, row: &impl Serialize) -> io::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, row)?;
        self.line.push(b'\n');
        self.file.writer().write_all(&self.line)
    }
}

/// Rows as CSV or TSV.
#[derive(Debug)]
struct Delimited {
    file: AtomicFile,
    delimiter: u8,
    header: Vec<RowField>,
    has_header: bool,
    /// Buffer for one serialized row.
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
    fn create(file: AtomicFile, format: &BatchFormat, header: &[RowField]) -> Result<Self> {
        let path = file.path().to_owned();
        let schema = Arc::new(Schema::new(header.iter().map(RowField::column).collect::<Vec<_>>()));
        let decoder = ReaderBuilder::new(schema.clone()).with_batch_size(BATCH_ROWS).build_decoder();
        let decoder = decoder.map_err(|error| inexpressible(&path, error))?;
        Ok(Self { path, decoder, writer: BatchWriter::create(file, format, &schema)? })
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

    const HEADER: &[RowField] = &[RowField::text("id"), RowField::number("similarity")];

    #[derive(Serialize)]
    struct Row {
        id: &'static str,
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
    fn extensions_choose_the_format() {
        let rows = [Row { id: "a,\"b\"", similarity: 0.875 }, Row { id: "c\td", similarity: 1.0 }];
        assert_eq!(
            written("x.jsonl", &rows),
            "{\"id\":\"a,\\\"b\\\"\",\"similarity\":0.875}\n{\"id\":\"c\\td\",\"similarity\":1.0}\n"
        );
        assert_eq!(written("x.csv", &rows), "id,similarity\n\"a,\"\"b\"\"\",0.875\nc\td,1.0\n");
        assert_eq!(written("x.TSV", &rows), "id\tsimilarity\n\"a,\"\"b\"\"\"\t0.875\n\"c\td\"\t1.0\n");
    }

    #[test]
    fn no_rows_leave_a_header_or_an_empty_file() {
        assert_eq!(written("x.csv", &[]), "id,similarity\n");
        assert_eq!(written("x.jsonl", &[]), "");
    }
}

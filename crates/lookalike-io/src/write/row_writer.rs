//! Rows as JSON Lines, CSV, TSV, Parquet or Arrow: a row is a [`Row`], and its columns are the header.

use super::row_encoder::{Encoded, EncodedRows, LineEncoding, RowEncoder, RowEncoding, decode, decoder};
use crate::base::Staging;
use crate::base::details::Action;
use crate::base::{Error, Result};
use crate::columns::{BatchFormat, BatchWriter};
use crate::formats::RowFormat;
use crate::outputs::{AtomicFile, Sealed};
use crate::rows::{BASIS_KEY, Column, Row};
use arrow_array::RecordBatch;
use arrow_json::reader::Decoder;
use arrow_schema::{ArrowError, Schema, SchemaRef};
use arrow_select::coalesce::BatchCoalescer;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of rows per batch of columns.
const BATCH_ROWS: usize = 1 << 13;

/// Writes rows to a file that appears when it is complete.
///
/// ```
/// use lookalike_core::rule::Reason;
/// use lookalike_core::similarity::Figure;
/// use lookalike_io::{RowWriter, read::read_pairs, rows::{Figures, PairRow, RowSources, Verified}};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("pairs.csv");
/// let mut writer = RowWriter::create(&path, &PairRow::header(Figure::Similarity, RowSources::Absent))?;
/// let figures = Figures::new(Figure::Similarity, Verified::from_similarity(0.875));
/// writer.write(&PairRow::new(["x", "y"], figures, Reason::Near))?;
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
    target: RowOutput,
}

#[derive(Debug)]
enum RowOutput {
    Lines(Box<LineOutput>),
    Columns(Box<ColumnOutput>),
}

impl RowWriter {
    /// Creates the file at `path` (`-` is standard output) for rows with these fields.
    ///
    /// # Errors
    /// [`Error::UnknownExtension`], [`Error::PackedColumns`], or as [`AtomicFile::create`].
    pub fn create(path: &Path, header: &[Column]) -> Result<Self> {
        Self::create_with(path, None, header, &Staging::default())
    }

    /// Creates it as [`Self::create`] does, with a choice of the format, which else follows the extension, and of the
    /// staging.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_with(path: &Path, format: Option<RowFormat>, header: &[Column], staging: &Staging) -> Result<Self> {
        let format = RowFormat::chosen_or_named(format, path)?;
        let file = AtomicFile::create_with(path, staging)?;
        let target = match (format, format.delimiter()) {
            (_, Some(delimiter)) => {
                RowOutput::Lines(Box::new(LineOutput::new(file, LineEncoding::Delimited(delimiter), header)))
            }
            (RowFormat::JsonLines, None) => {
                RowOutput::Lines(Box::new(LineOutput::new(file, LineEncoding::Json, header)))
            }
            (_, None) => RowOutput::Columns(Box::new(ColumnOutput::create(file, &format.into(), header)?)),
        };
        Ok(Self { path: path.to_owned(), target })
    }

    /// Writes a row with the columns of the header.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&mut self, row: &impl Row) -> Result<()> {
        match &mut self.target {
            RowOutput::Lines(lines) => lines.write(row).map_err(|source| Error::io(Action::Write, &self.path, source)),
            RowOutput::Columns(columns) => columns.write(row),
        }
    }

    /// An encoder of rows for this file, which other threads may use.
    pub fn encoder(&self) -> RowEncoder {
        let encoding = match &self.target {
            RowOutput::Lines(lines) => RowEncoding::Lines(lines.encoding),
            RowOutput::Columns(columns) => RowEncoding::Columns(columns.schema.clone()),
        };
        RowEncoder::new(&self.path, encoding)
    }

    /// Writes rows that the encoder of this file has encoded.
    ///
    /// # Errors
    /// [`Error::Io`]; also for rows of the encoder of a file in another format.
    pub fn append(&mut self, rows: EncodedRows) -> Result<()> {
        let written = match (&mut self.target, rows.0) {
            (RowOutput::Lines(to), Encoded::Lines(encoding, lines)) if to.encoding == encoding => to.append(&lines),
            (RowOutput::Columns(to), Encoded::Columns(batch)) => return to.append(batch),
            (RowOutput::Lines(_), _) | (RowOutput::Columns(_), Encoded::Lines(..)) => {
                Err(io::Error::other("these rows were encoded for a file in another format"))
            }
        };
        written.map_err(|source| Error::io(Action::Write, &self.path, source))
    }

    /// Shows the rows so far to who reads them while they are written: on standard output, a pipe or a device, unless
    /// they are columns or compressed.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn show(&mut self) -> Result<()> {
        match &mut self.target {
            RowOutput::Lines(lines) => lines.file.show(),
            RowOutput::Columns(_) => Ok(()),
        }
    }

    /// Says what the rows depend on: Parquet and Arrow files carry it in their metadata, under [`BASIS_KEY`].
    pub fn describe(&mut self, basis: &str) {
        if let RowOutput::Columns(columns) = &mut self.target {
            columns.writer.describe(BASIS_KEY, basis);
        }
    }

    /// Completes the file, which appears when it is published.
    ///
    /// # Errors
    /// As [`AtomicFile::seal`].
    pub fn seal(self) -> Result<Sealed> {
        match self.target {
            RowOutput::Lines(mut lines) => {
                lines.write_header().map_err(|source| Error::io(Action::Write, &self.path, source))?;
                lines.file.seal()
            }
            RowOutput::Columns(columns) => columns.seal(),
        }
    }
}

/// Rows as lines.
#[derive(Debug)]
struct LineOutput {
    file: AtomicFile,
    encoding: LineEncoding,
    /// The line of names that CSV and TSV begin with, until it is written.
    header: Option<String>,
    /// Buffer for one encoded row: the file takes it at once, and not in some ten pieces.
    line: Vec<u8>,
}

impl LineOutput {
    fn new(file: AtomicFile, encoding: LineEncoding, header: &[Column]) -> Self {
        let header = match encoding {
            LineEncoding::Json => None,
            LineEncoding::Delimited(delimiter) => {
                let names: Vec<&str> = header.iter().map(|column| column.name).collect();
                Some(names.join(&*char::from(delimiter).to_string()) + "\n")
            }
        };
        Self { file, encoding, header, line: Vec::new() }
    }

    fn write(&mut self, row: &impl Row) -> io::Result<()> {
        self.write_header()?;
        self.line.clear();
        self.encoding.append([row], &mut self.line)?;
        self.file.writer().write_all(&self.line)
    }

    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        self.write_header()?;
        self.file.writer().write_all(lines)
    }

    fn write_header(&mut self) -> io::Result<()> {
        self.header.take().map_or(Ok(()), |header| self.file.writer().write_all(header.as_bytes()))
    }
}

/// Rows as columns.
#[derive(Debug)]
struct ColumnOutput {
    path: PathBuf,
    schema: SchemaRef,
    /// Rows that were written one by one, until they are a batch.
    decoder: Decoder,
    /// Batches of any size, until they are one of [`BATCH_ROWS`].
    rows: BatchCoalescer,
    writer: BatchWriter,
}

impl ColumnOutput {
    fn create(file: AtomicFile, format: &BatchFormat, header: &[Column]) -> Result<Self> {
        let path = file.path().to_owned();
        let schema = Arc::new(Schema::new(header.iter().map(Column::field).collect::<Vec<_>>()));
        let decoder = decoder(&schema, BATCH_ROWS).map_err(|error| inexpressible(&path, error))?;
        let rows = BatchCoalescer::new(schema.clone(), BATCH_ROWS);
        let writer = BatchWriter::create(file, format, &schema)?;
        Ok(Self { path, schema, decoder, rows, writer })
    }

    fn write(&mut self, row: &impl Row) -> Result<()> {
        decode(&mut self.decoder, row).map_err(|error| inexpressible(&self.path, error))?;
        if self.decoder.len() >= BATCH_ROWS { self.append(None) } else { Ok(()) }
    }

    /// Adds a batch behind the rows that were written one by one, and writes whole batches.
    fn append(&mut self, batch: Option<RecordBatch>) -> Result<()> {
        let written = self.decoder.flush().map_err(|error| inexpressible(&self.path, error))?;
        for batch in written.into_iter().chain(batch) {
            self.rows.push_batch(batch).map_err(|error| inexpressible(&self.path, error))?;
        }
        self.write_completed()
    }

    fn write_completed(&mut self) -> Result<()> {
        while let Some(batch) = self.rows.next_completed_batch() {
            self.writer.write(&batch)?;
        }
        Ok(())
    }

    fn seal(mut self) -> Result<Sealed> {
        self.append(None)?;
        self.rows.finish_buffered_batch().map_err(|error| inexpressible(&self.path, error))?;
        self.write_completed()?;
        self.writer.seal()
    }
}

fn inexpressible(path: &Path, error: ArrowError) -> Error {
    Error::io(Action::Write, path, io::Error::other(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::all_columns::{ID, SIMILARITY};
    use crate::rows::{Cell, Value};
    use std::fs;

    const HEADER: &[Column] = &[ID, SIMILARITY];

    struct TestRow {
        id: &'static str,
        similarity: f64,
    }

    impl Row for TestRow {
        fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
            [(&ID, Value::text(self.id)), (&SIMILARITY, Value::Number(self.similarity))].into_iter()
        }
    }

    fn written(name: &str, rows: &[TestRow]) -> String {
        String::from_utf8(written_with(name, |writer| rows.iter().for_each(|row| writer.write(row).unwrap()))).unwrap()
    }

    fn written_with(name: &str, write: impl FnOnce(&mut RowWriter)) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let mut writer = RowWriter::create(&path, HEADER).unwrap();
        write(&mut writer);
        writer.seal().unwrap().publish().unwrap();
        fs::read(&path).unwrap()
    }

    #[test]
    fn extensions_choose_the_format() {
        let rows = [TestRow { id: "a,\"b\"", similarity: 0.875 }, TestRow { id: "c\td", similarity: 1.0 }];
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

    #[test]
    fn rows_are_the_same_bytes_however_many_are_encoded_at_once() {
        let rows: Vec<TestRow> =
            (0..20_000).map(|n| TestRow { id: ["a", "b,", "\"c"][n % 3], similarity: n as f64 }).collect();
        for name in ["x.jsonl", "x.csv", "x.tsv", "x.parquet", "x.arrow"] {
            let one_by_one = written_with(name, |writer| rows.iter().for_each(|row| writer.write(row).unwrap()));
            for size in [1000, BATCH_ROWS - 1, BATCH_ROWS, 3 * BATCH_ROWS] {
                let in_batches = written_with(name, |writer| {
                    let encoder = writer.encoder();
                    let (first, others) = rows.split_at(7);
                    first.iter().for_each(|row| writer.write(row).unwrap());
                    others.chunks(size).for_each(|batch| writer.append(encoder.encode(batch).unwrap()).unwrap());
                    writer.append(encoder.encode(&rows[..0]).unwrap()).unwrap();
                });
                assert!(one_by_one == in_batches, "{name}, {size} at once");
            }
        }
    }

    #[test]
    fn rows_of_another_format_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let create = |name: &str| RowWriter::create(&folder.path().join(name), HEADER).unwrap();
        for (from, to) in [("x.arrow", "x.csv"), ("x.csv", "x.arrow"), ("x.jsonl", "x.csv"), ("x.csv", "x.tsv")] {
            let encoded = create(from).encoder().encode([TestRow { id: "a", similarity: 1.0 }]).unwrap();
            assert!(matches!(create(to).append(encoded), Err(Error::Io { .. })), "{from} to {to}");
        }
    }
}

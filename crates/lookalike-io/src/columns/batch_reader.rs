//! The rows of a file of columns, or of a table in memory, batch by batch, with all columns or some.

use super::arrow_file::ArrowFile;
use super::batch_format::BatchFormat;
use super::decoding::{Decoded, guarded, open};
use super::fields::ColumnPath;
use super::npy_file::NpyFile;
use super::parquet_file::{BatchTypes, ParquetBatches, ParquetFile};
use crate::base::details::Action;
use crate::base::{Error, Result};
use crate::formats::RecordFormat;
use crate::sources::MemoryTable;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use std::path::Path;

/// Reads a file of columns batch by batch.
#[derive(Debug)]
pub(crate) struct BatchReader {
    kind: BatchSource,
    schema: SchemaRef,
    file_bytes: u64,
    read_bytes: u64,
}

#[derive(Debug)]
enum BatchSource {
    Parquet(Box<ParquetBatches>),
    Arrow(Box<ArrowFile>),
    Npy(Box<NpyFile>),
    Memory(MemoryBatches),
    /// No more rows: the end of the file, or an error before.
    Ended,
}

/// Rows of a table in memory that are taken at a time, so that little is made of a column where it has to be converted.
const MEMORY_ROWS: usize = 1 << 13;

/// The rows of a table in memory that were not taken yet.
#[derive(Debug)]
struct MemoryBatches {
    batches: std::vec::IntoIter<RecordBatch>,
    /// The rest of a batch.
    rest: Option<RecordBatch>,
    rows: usize,
    taken: usize,
}

impl MemoryBatches {
    fn next(&mut self) -> Option<RecordBatch> {
        let batch = self.rest.take().or_else(|| self.batches.next())?;
        let length = batch.num_rows().min(MEMORY_ROWS);
        if length < batch.num_rows() {
            self.rest = Some(batch.slice(length, batch.num_rows() - length));
        }
        self.taken += length;
        Some(batch.slice(0, length))
    }

    fn share_done(&self) -> f64 {
        if self.rows == 0 { 1.0 } else { self.taken as f64 / self.rows as f64 }
    }
}

/// The value of an entry in the metadata of a file of columns: of its footer, or of the schema of an Arrow stream.
///
/// # Errors
/// As [`BatchReader::open`].
pub(crate) fn stored_metadata(path: &Path, format: RecordFormat, key: &str) -> Result<Option<String>> {
    if format == RecordFormat::Parquet {
        return Ok(ParquetFile::open(path)?.stored_metadata(key));
    }
    let ArrowFile { footer_metadata, schema, .. } = &mut ArrowFile::open(path, &|_| false)?;
    Ok(footer_metadata.remove(key).or_else(|| schema.metadata().get(key).cloned()))
}

impl BatchReader {
    /// Opens a file to read its first `limit` rows, or all. Arrow and NumPy are read in whole batches, which may exceed
    /// the limit. All columns have the types of the file; if only some are `selected`, strings may be views.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::NotInFormat`] if the metadata cannot be read.
    pub(crate) fn open(
        path: &Path,
        format: RecordFormat,
        selected: Option<&[ColumnPath]>,
        limit: Option<u64>,
    ) -> Result<Self> {
        let file_bytes = open(path, format)?.metadata().map_err(|source| Error::io(Action::Read, path, source))?.len();
        let (kind, schema) = if format == RecordFormat::Parquet {
            let file = ParquetFile::open(path)?;
            let schema = file.schema().clone();
            let mask = file.mask(selected);
            let form = if selected.is_some() { BatchTypes::Views } else { BatchTypes::AsStored };
            (BatchSource::Parquet(Box::new(ParquetBatches::new(file, mask, limit, form))), schema)
        } else if format == RecordFormat::Npy {
            let file = NpyFile::open(path)?;
            let schema = SchemaRef::clone(&file.schema);
            (BatchSource::Npy(Box::new(file)), schema)
        } else {
            let is_first = |name: &str, path: &ColumnPath| path.first().is_some_and(|first| first == name);
            let is_selected =
                |name: &str| selected.is_none_or(|selected| selected.iter().any(|path| is_first(name, path)));
            let file = ArrowFile::open(path, &is_selected)?;
            let schema = file.schema.clone();
            (BatchSource::Arrow(Box::new(file)), schema)
        };
        Ok(Self { kind, schema, file_bytes, read_bytes: 0 })
    }

    /// The rows of a table in memory, a few thousand at a time; the texts have about `text_bytes` bytes.
    pub(crate) fn in_memory(table: &MemoryTable, text_bytes: u64) -> Self {
        let rows = table.batches().iter().map(RecordBatch::num_rows).sum();
        let batches = table.batches().to_vec().into_iter();
        let kind = BatchSource::Memory(MemoryBatches { batches, rest: None, rows, taken: 0 });
        Self { kind, schema: table.schema().clone(), file_bytes: text_bytes, read_bytes: 0 }
    }

    /// The schema of the whole file.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Bytes of the file read so far; estimated for Parquet from the share of its rows.
    pub(crate) fn read_bytes(&self) -> u64 {
        self.read_bytes
    }

    /// The next rows; `Ok(None)` at the end.
    ///
    /// # Errors
    /// The message of the decoder; all further calls return `Ok(None)`.
    pub(crate) fn next(&mut self) -> Decoded<Option<RecordBatch>> {
        let batch = match &mut self.kind {
            BatchSource::Parquet(batches) => batches.next(),
            BatchSource::Arrow(file) => guarded(|| file.next()),
            BatchSource::Npy(file) => file.next(),
            BatchSource::Memory(batches) => Ok(batches.next()),
            BatchSource::Ended => return Ok(None),
        };
        if !matches!(batch, Ok(Some(_))) {
            self.end();
            return batch;
        }
        let share_done = match &self.kind {
            BatchSource::Parquet(batches) => batches.share_done(),
            BatchSource::Npy(file) => file.share_done(),
            BatchSource::Memory(batches) => batches.share_done(),
            BatchSource::Arrow(file) => {
                self.read_bytes = file.read_bytes.min(self.file_bytes);
                return batch;
            }
            BatchSource::Ended => 1.0,
        };
        self.read_bytes = (self.file_bytes as f64 * share_done) as u64;
        batch
    }

    /// Makes all further calls of [`Self::next`] return `Ok(None)`.
    pub(crate) fn end(&mut self) {
        self.read_bytes = self.file_bytes;
        self.kind = BatchSource::Ended;
    }

    /// The format for a copy of an Arrow file, with the compression of the last batch.
    pub(crate) fn arrow_format(&self) -> BatchFormat {
        match &self.kind {
            BatchSource::Arrow(file) if file.has_footer() => {
                BatchFormat::ArrowFile(file.compression, file.footer_metadata.clone())
            }
            BatchSource::Arrow(file) => BatchFormat::ArrowStream(file.compression),
            _ => BatchFormat::new_arrow(),
        }
    }
}

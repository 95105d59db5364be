//! The rows of a file, batch by batch, with all columns or some.

use super::views::{as_stored, check_strings, has_unchecked_strings, next_part, with_views};
use super::{ArrowFile, ColumnPath, Layout, guarded, open};
use crate::error::{Error, Result};
use crate::format::RecordFormat;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Encoding;
use parquet::file::metadata::RowGroupMetaData;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Uncompressed bytes of the wanted columns that a batch of Parquet should have.
const BATCH_BYTES: u64 = 1 << 20;
/// Bounds what a few long texts behind many short ones can do to a batch.
const MOST_BATCH_ROWS: u64 = 1024;
/// The same where a text may be stored as the begin of the one before it: such are not views, and may be far larger than
/// their page.
const MOST_DELTA_ROWS: u64 = 64;
/// Bytes of strings in a batch of rows with the types of the file. Only unusual batches have more and are cut.
const MOST_STRING_BYTES: u64 = 4 * BATCH_BYTES;

/// What a step of a decoder gave.
type Decoded<T> = std::result::Result<T, String>;

/// An open Parquet file, of which the footer was read.
#[derive(Debug, Clone)]
pub(crate) struct ParquetFile {
    path: PathBuf,
    schema: SchemaRef,
    /// With a schema of views.
    metadata: ArrowReaderMetadata,
    /// Whether there are strings that the decoder does not check.
    has_unchecked: bool,
}

impl ParquetFile {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = open(path)?;
        let metadata = guarded(|| ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()));
        let wrong = |message| Error::NotInFormat { path: path.to_owned(), format: "Parquet", message };
        let stored = metadata.map_err(wrong)?;
        let schema = stored.schema().clone();
        let views = ArrowReaderOptions::new().with_schema(with_views(&schema, stored.parquet_schema()));
        let metadata = guarded(|| ArrowReaderMetadata::try_new(stored.metadata().clone(), views)).unwrap_or(stored);
        let has_unchecked = has_unchecked_strings(&schema, metadata.parquet_schema());
        Ok(Self { path: path.to_owned(), schema, metadata, has_unchecked })
    }

    /// As the file says: what is read may have views where this has strings.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    pub(crate) fn groups(&self) -> &[RowGroupMetaData] {
        self.metadata.metadata().row_groups()
    }

    /// Number of rows of all groups.
    pub(crate) fn rows(&self) -> u64 {
        self.groups().iter().map(rows_of).sum()
    }

    /// The leaves below the wanted columns.
    fn mask(&self, wanted: Option<&[ColumnPath]>) -> ProjectionMask {
        let schema = self.metadata.parquet_schema();
        let Some(wanted) = wanted else { return ProjectionMask::all() };
        let is_wanted = |leaf: &usize| {
            let path = schema.column(*leaf).path().parts().to_vec();
            wanted.iter().any(|column| path.starts_with(column))
        };
        ProjectionMask::leaves(schema, (0..schema.num_columns()).filter(is_wanted))
    }

    /// The first `limit` rows of a row group.
    fn read_group(&self, group: usize, mask: &ProjectionMask, limit: u64) -> Decoded<ParquetRecordBatchReader> {
        let rows = batch_rows(&self.groups()[group], mask);
        guarded(|| {
            let file = File::open(&self.path)?;
            ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
                .with_row_groups(vec![group])
                .with_projection(mask.clone())
                .with_batch_size(rows)
                .with_limit(limit as usize)
                .build()
        })
    }
}

/// Rows that make about [`BATCH_BYTES`], as the metadata tell.
fn batch_rows(group: &RowGroupMetaData, mask: &ProjectionMask) -> usize {
    let wanted = group.columns().iter().enumerate().filter(|(leaf, _)| mask.leaf_included(*leaf));
    let (mut bytes, mut most_rows) = (0u64, MOST_BATCH_ROWS);
    for (_, column) in wanted {
        bytes = bytes.saturating_add(column.uncompressed_size().max(0) as u64);
        if column.encodings().any(|encoding| encoding == Encoding::DELTA_BYTE_ARRAY) {
            most_rows = MOST_DELTA_ROWS;
        }
    }
    let rows = rows_of(group).saturating_mul(BATCH_BYTES) / bytes.max(1);
    rows.clamp(1, most_rows) as usize
}

fn rows_of(group: &RowGroupMetaData) -> u64 {
    group.num_rows().max(0) as u64
}

/// Goes through the row groups.
#[derive(Debug)]
struct ParquetBatches {
    file: ParquetFile,
    mask: ProjectionMask,
    /// The next group to begin.
    group: usize,
    reader: Option<BoxedReader>,
    /// Rows that the current group still owes, and rows of all groups so far.
    owed: u64,
    done: u64,
    /// Rows that are wanted behind those of the current group.
    limit: u64,
    form: Form,
    /// What waits to be handed on in the types of the file: the next rows last.
    parts: Vec<RecordBatch>,
}

/// In what types rows are handed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Views where there are strings in the file.
    Views,
    AsStored,
}

struct BoxedReader(Box<ParquetRecordBatchReader>);

impl fmt::Debug for BoxedReader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ParquetRecordBatchReader")
    }
}

impl ParquetBatches {
    fn next(&mut self) -> Decoded<Option<RecordBatch>> {
        if self.form == Form::Views {
            return self.decode();
        }
        if self.parts.is_empty() {
            self.parts = self.decode()?.into_iter().collect();
        }
        let part = next_part(&mut self.parts, MOST_STRING_BYTES);
        part.map(|part| guarded(|| as_stored(&part, self.file.schema()))).transpose()
    }

    fn decode(&mut self) -> Decoded<Option<RecordBatch>> {
        loop {
            if let Some(BoxedReader(reader)) = &mut self.reader {
                if let Some(batch) = guarded(|| reader.next().transpose())? {
                    if self.file.has_unchecked {
                        guarded(|| check_strings(&batch))?;
                    }
                    self.owed = self.owed.saturating_sub(batch.num_rows() as u64);
                    self.done += batch.num_rows() as u64;
                    return Ok(Some(batch));
                }
                // A page that is cut short may look like the end of its column.
                if self.owed > 0 {
                    return Err(format!("{} rows of row group {} are missing", self.owed, self.group - 1));
                }
                self.reader = None;
            }
            let Some(group) = self.file.groups().get(self.group).filter(|_| self.limit > 0) else { return Ok(None) };
            self.owed = rows_of(group).min(self.limit);
            self.limit -= self.owed;
            self.reader = Some(BoxedReader(Box::new(self.file.read_group(self.group, &self.mask, self.owed)?)));
            self.group += 1;
        }
    }
}

/// Reads a file of columns batch by batch.
#[derive(Debug)]
pub(crate) struct BatchReader {
    kind: Kind,
    schema: SchemaRef,
    file_bytes: u64,
    read_bytes: u64,
}

#[derive(Debug)]
enum Kind {
    Parquet(Box<ParquetBatches>),
    Arrow(Box<ArrowFile>),
    /// Nothing can be read behind an error.
    Ended,
}

impl BatchReader {
    /// Opens a file to read its first `limit` rows. Arrow is read in whole batches, so it may give some rows more. All columns
    /// come in the types of the file; if only some are `wanted`, strings may come as views.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::NotInFormat`] if what describes the file cannot be read.
    pub(crate) fn open(path: &Path, format: RecordFormat, wanted: Option<&[ColumnPath]>, limit: u64) -> Result<Self> {
        let file_bytes = open(path)?.metadata().map_err(|source| Error::io("read", path, source))?.len();
        let (kind, schema) = if format == RecordFormat::Parquet {
            let file = ParquetFile::open(path)?;
            let (schema, mask) = (file.schema().clone(), file.mask(wanted));
            let form = if wanted.is_some() { Form::Views } else { Form::AsStored };
            let (parts, reader) = (Vec::new(), None);
            let batches = ParquetBatches { file, mask, group: 0, reader, owed: 0, done: 0, limit, form, parts };
            (Kind::Parquet(Box::new(batches)), schema)
        } else {
            let is_first = |name: &str, path: &ColumnPath| path.first().is_some_and(|first| first == name);
            let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted.iter().any(|path| is_first(name, path)));
            let file = ArrowFile::open(path, &is_wanted)?;
            let schema = file.schema.clone();
            (Kind::Arrow(Box::new(file)), schema)
        };
        Ok(Self { kind, schema, file_bytes, read_bytes: 0 })
    }

    /// The schema of the whole file.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Bytes of the file that the batches so far stand for.
    pub(crate) fn read_bytes(&self) -> u64 {
        self.read_bytes
    }

    /// The next rows; `Ok(None)` at the end.
    ///
    /// # Errors
    /// What the decoder says of rows that it cannot read. Nothing follows that.
    pub(crate) fn next(&mut self) -> Decoded<Option<RecordBatch>> {
        let batch = match &mut self.kind {
            Kind::Parquet(batches) => batches.next(),
            Kind::Arrow(file) => guarded(|| file.next()),
            Kind::Ended => return Ok(None),
        };
        match (&batch, &self.kind) {
            (Ok(Some(_)), Kind::Parquet(batches)) => {
                let share = batches.done as f64 / batches.file.rows().max(1) as f64;
                self.read_bytes = (self.file_bytes as f64 * share.min(1.0)) as u64;
            }
            (Ok(Some(_)), Kind::Arrow(file)) => self.read_bytes = file.read_bytes.min(self.file_bytes),
            _ => self.end(),
        }
        batch
    }

    /// Lets all further calls of [`Self::next`] find nothing.
    pub(crate) fn end(&mut self) {
        self.read_bytes = self.file_bytes;
        self.kind = Kind::Ended;
    }

    /// The form of an Arrow file, as far as it was read.
    pub(crate) fn arrow_layout(&self) -> Layout {
        match &self.kind {
            Kind::Arrow(file) if file.has_footer() => Layout::ArrowFile(file.compression, file.footer_metadata.clone()),
            Kind::Arrow(file) => Layout::ArrowStream(file.compression),
            _ => Layout::new_arrow(),
        }
    }
}

//! The rows of a Parquet file, batch by batch.

use super::decoding::{Decoded, guarded, open};
use super::fields::ColumnPath;
use super::parquet_repair::{RepairedFile, metadata_of};
use super::views::{as_stored, check_strings, has_unchecked_strings, next_slice, with_views, without_dictionaries};
use crate::base::details::DataForm;
use crate::base::{Error, Result};
use crate::formats::RecordFormat;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use lookalike_core::counted;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_schema_by_columns};
use parquet::basic::Encoding;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Desired uncompressed size of a batch.
const BATCH_BYTES: u64 = 1 << 20;
/// Bounds the size of a batch in which a few long texts follow many short ones.
const MAX_BATCH_ROWS: u64 = 1024;
/// Maximum number of rows of texts stored as a common prefix with the text before and a suffix (`DELTA_BYTE_ARRAY`):
/// they are decoded to strings, not views, and may be far larger than their page.
const MAX_DELTA_ROWS: u64 = 64;
/// Maximum size of the strings in a batch with the types of the file. Only unusual batches have more and are split.
const MAX_STRING_BYTES: u64 = 4 * BATCH_BYTES;

/// A Parquet file whose footer was read.
#[derive(Debug)]
pub(super) struct ParquetFile {
    path: PathBuf,
    schema: SchemaRef,
    /// Metadata with a schema of views.
    metadata: ArrowReaderMetadata,
    /// True if it has strings whose UTF-8 the decoder does not check.
    has_unchecked: bool,
    /// Positions that [`RepairedFile`] corrects.
    marks: Arc<[u64]>,
}

impl ParquetFile {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = open(path, RecordFormat::Parquet)?;
        let wrong = |message| Error::NotInFormat {
            path: path.to_owned(),
            form: DataForm::Records(RecordFormat::Parquet),
            message,
        };
        let metadata = Arc::new(guarded(|| metadata_of(&file)).map_err(wrong)?);
        let stored = guarded(|| ArrowReaderMetadata::try_new(Arc::clone(&metadata), ArrowReaderOptions::new()));
        let stored = stored.map_err(|message| wrong(with_column(&metadata, message)))?;
        let marks = guarded(|| Ok::<_, String>(RepairedFile::marks(&file, stored.metadata()))).map_err(wrong)?;
        let schema = without_dictionaries(stored.schema());
        let views = ArrowReaderOptions::new().with_schema(with_views(&schema, stored.parquet_schema()));
        let metadata = guarded(|| ArrowReaderMetadata::try_new(stored.metadata().clone(), views)).unwrap_or(stored);
        let has_unchecked = has_unchecked_strings(&schema, metadata.parquet_schema());
        Ok(Self { path: path.to_owned(), schema, metadata, has_unchecked, marks })
    }

    /// The value of an entry in the metadata of the file.
    pub(super) fn stored_metadata(&self, key: &str) -> Option<String> {
        let entries = self.metadata.metadata().file_metadata().key_value_metadata()?;
        entries.iter().find(|entry| entry.key == key)?.value.clone()
    }

    /// The stored schema, without dictionaries; batches may have views where it has strings.
    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn groups(&self) -> &[RowGroupMetaData] {
        self.metadata.metadata().row_groups()
    }

    /// Number of rows of all groups.
    fn rows(&self) -> u64 {
        self.groups().iter().map(rows_of).sum()
    }

    /// The leaves below the selected columns.
    pub(super) fn mask(&self, selected: Option<&[ColumnPath]>) -> ProjectionMask {
        let schema = self.metadata.parquet_schema();
        let Some(selected) = selected else { return ProjectionMask::all() };
        let is_selected = |leaf: &usize| {
            let path = schema.column(*leaf).path().parts().to_vec();
            selected.iter().any(|column| path.starts_with(column))
        };
        ProjectionMask::leaves(schema, (0..schema.num_columns()).filter(is_selected))
    }

    /// The first `limit` rows of a row group.
    fn read_group(&self, group: usize, mask: &ProjectionMask, limit: u64) -> Decoded<ParquetRecordBatchReader> {
        let rows = batch_rows(&self.groups()[group], mask);
        guarded(|| {
            let file = RepairedFile::new(File::open(&self.path)?, &self.marks);
            ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
                .with_row_groups(vec![group])
                .with_projection(mask.clone())
                .with_batch_size(rows)
                .with_limit(limit as usize)
                .build()
        })
    }
}

/// The message of the decoder about a schema, with the column that it is about.
fn with_column(metadata: &ParquetMetaData, message: String) -> String {
    let schema = metadata.file_metadata().schema_descr();
    let is_refused = |leaf: &usize| {
        let alone = ProjectionMask::leaves(schema, [*leaf]);
        guarded(|| parquet_to_arrow_schema_by_columns(schema, alone, None)).is_err()
    };
    match (0..schema.num_columns()).find(is_refused) {
        Some(leaf) => {
            let column = schema.column(leaf).path().string();
            format!("column `{column}` has a type that cannot be read: {message}")
        }
        None => message,
    }
}

/// Number of rows with about [`BATCH_BYTES`], estimated from the metadata.
fn batch_rows(group: &RowGroupMetaData, mask: &ProjectionMask) -> usize {
    let selected = group.columns().iter().enumerate().filter(|(leaf, _)| mask.leaf_included(*leaf));
    let mut bytes = 0u64;
    let mut max_rows = MAX_BATCH_ROWS;
    for (_, column) in selected {
        bytes = bytes.saturating_add(column.uncompressed_size().max(0) as u64);
        if column.encodings().any(|encoding| encoding == Encoding::DELTA_BYTE_ARRAY) {
            max_rows = MAX_DELTA_ROWS;
        }
    }
    let rows = rows_of(group).saturating_mul(BATCH_BYTES) / bytes.max(1);
    rows.clamp(1, max_rows) as usize
}

fn rows_of(group: &RowGroupMetaData) -> u64 {
    group.num_rows().max(0) as u64
}

/// Reads the row groups in order.
#[derive(Debug)]
pub(super) struct ParquetBatches {
    file: ParquetFile,
    mask: ProjectionMask,
    /// Index of the next group.
    group: usize,
    reader: Option<BoxedReader>,
    /// Number of rows of the current group that are still to be read.
    owed: u64,
    /// Number of rows read so far.
    done: u64,
    /// Maximum number of rows to read after the current group.
    limit: Option<u64>,
    form: BatchTypes,
    /// Slices of a decoded batch that are still to be converted to the types of the file, in reverse order.
    slices: Vec<RecordBatch>,
}

/// The types of the batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BatchTypes {
    /// Views for the strings of the file.
    Views,
    /// The types of the file.
    AsStored,
}

struct BoxedReader(Box<ParquetRecordBatchReader>);

impl fmt::Debug for BoxedReader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ParquetRecordBatchReader")
    }
}

impl ParquetBatches {
    /// The first `limit` rows of the columns in `mask`.
    pub(super) fn new(file: ParquetFile, mask: ProjectionMask, limit: Option<u64>, form: BatchTypes) -> Self {
        Self { file, mask, group: 0, reader: None, owed: 0, done: 0, limit, form, slices: Vec::new() }
    }

    /// The share of all rows that was read, at most 1.
    pub(super) fn share_done(&self) -> f64 {
        (self.done as f64 / self.file.rows().max(1) as f64).min(1.0)
    }

    pub(super) fn next(&mut self) -> Decoded<Option<RecordBatch>> {
        if self.form == BatchTypes::Views {
            return self.decode();
        }
        if self.slices.is_empty() {
            self.slices = self.decode()?.into_iter().collect();
        }
        let slice = next_slice(&mut self.slices, MAX_STRING_BYTES);
        slice.map(|slice| guarded(|| as_stored(&slice, self.file.schema()))).transpose()
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
                // The end of a truncated page may look like the end of its column.
                if self.owed > 0 {
                    return Err(format!("row group {} lacks {}", self.group - 1, counted(self.owed, "row")));
                }
                self.reader = None;
            }
            let next = self.file.groups().get(self.group).filter(|_| self.limit != Some(0));
            let Some(group) = next else { return Ok(None) };
            self.owed = self.limit.map_or(rows_of(group), |limit| limit.min(rows_of(group)));
            self.limit = self.limit.map(|limit| limit - self.owed);
            self.reader = Some(BoxedReader(Box::new(self.file.read_group(self.group, &self.mask, self.owed)?)));
            self.group += 1;
        }
    }
}

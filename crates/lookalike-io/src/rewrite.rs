//! Writing records of a source again, in its own format of columns or in another format than it has.
//!
//! ```text
//! Parquet -> Parquet       column by column, as stored (columns/parquet_copy.rs)
//! anything else            batches of Arrow in between:
//!                          ColumnRows | JsonRows | DelimitedRows | DocumentRows -> BatchWriter
//! JSON Lines -> the same   is not for this file, nor is CSV, TSV, WARC: their records are copied byte for byte
//! ```

mod delimited_rows;
mod document_rows;
mod json_rows;
mod json_types;
mod wanted_records;

use crate::annotate::{ANNOTATION_FIELDS, Annotation, Wanted};
use crate::atomic::{AtomicFile, Sealed};
use crate::columns::{self, ANNOTATION_COLUMNS, ANNOTATION_TYPES, BatchReader, BatchWriter, Layout};
use crate::error::{Error, Result};
use crate::format::{RecordFormat, RowFormat};
use crate::record::FieldNames;
use crate::source::{Source, SourceKind};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, StructArray, UInt32Array};
use arrow_schema::{ArrowError, Field, Fields, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use delimited_rows::DelimitedRows;
use document_rows::DocumentRows;
use json_rows::JsonRows;
use std::iter::Peekable;
use std::path::Path;
use std::sync::Arc;

/// What is to be written, and how.
#[derive(Debug, Clone, Copy)]
pub struct Rewrite<'r> {
    /// A file of records, or text files that become records of one.
    pub source: &'r Source,
    /// Names of its fields.
    pub fields: &'r FieldNames,
    /// Longest record that was taken, in bytes.
    pub limit: u64,
    /// Format of the output.
    pub format: RowFormat,
    /// Whether the records have annotations, each of which becomes a column; in JSON Lines the object of this name.
    pub annotation: Option<&'static str>,
}

/// Writes those records of a source that `records` names, in order. `go_on` is told now and then how many more bytes of the
/// input are done, and says whether to go on.
///
/// # Errors
/// If the source cannot be read again or has fewer records, if the format of the output cannot hold one of them, if the output
/// cannot be written; [`Error::Stopped`].
pub fn rewrite<'w>(
    job: Rewrite<'_>,
    out: AtomicFile,
    records: impl Iterator<Item = Wanted<'w>> + Clone,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Sealed> {
    let path = &job.source.file;
    let documents = || DocumentRows::open(job.source, job.fields, job.limit, job.format);
    let rows = match job.source.kind {
        SourceKind::TextFiles { .. } => Rows::Documents(Box::new(documents())),
        SourceKind::Records { format, compression, .. } => match format {
            RecordFormat::Parquet if job.format == RowFormat::Parquet => {
                return columns::copy_parquet(path, out, job.annotation.is_some(), records, go_on)?.seal();
            }
            RecordFormat::Parquet | RecordFormat::Arrow => {
                let last = records.clone().last().map_or(0, |record| record.number);
                let reader = BatchReader::open(path, format, None, last)?;
                Rows::Columns(Box::new(ColumnRows { path, format, reader, before: 0 }))
            }
            RecordFormat::JsonLines => {
                Rows::Json(Box::new(JsonRows::open(path, compression, job.fields, records.clone())?))
            }
            RecordFormat::Csv | RecordFormat::Tsv => {
                Rows::Delimited(Box::new(DelimitedRows::open(job.source, job.fields)?))
            }
            RecordFormat::ItemLines | RecordFormat::Warc => Rows::Documents(Box::new(documents())),
            RecordFormat::Sketch => return Err(Error::NoTexts { path: job.source.path.to_path_buf() }),
        },
    };
    write_batches(job, out, rows, records.peekable(), go_on)
}

fn write_batches<'w>(
    job: Rewrite<'_>,
    out: AtomicFile,
    mut rows: Rows<'_>,
    mut records: Peekable<impl Iterator<Item = Wanted<'w>>>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Sealed> {
    let annotator = job.annotation.map(|name| Annotator { name, format: job.format });
    let mut schema = rows.schema();
    if let Some(annotator) = &annotator {
        schema = annotator.schema(&schema, &job.source.path)?;
    }
    // The first batch tells how an Arrow file is compressed.
    let mut batch = rows.next(&mut records)?;
    let mut writer = BatchWriter::create(out, &layout(job.format, &rows), &schema)?;
    let mut done = 0;
    while let Some((mut rows_now, kept)) = batch {
        if let Some(annotator) = &annotator {
            let added = annotator.columns(&kept);
            let all = rows_now.columns().iter().cloned().chain(added).collect();
            rows_now = RecordBatch::try_new(schema.clone(), all).map_err(|error| unwritable(job.source, &error))?;
        }
        writer.write(&rows_now)?;
        let reached = rows.read_bytes().max(done);
        if !go_on(reached - done) {
            return Err(Error::Stopped);
        }
        done = reached;
        batch = rows.next(&mut records)?;
    }
    writer.seal()
}

fn unwritable(source: &Source, error: &ArrowError) -> Error {
    Error::io("convert", &source.path, std::io::Error::other(error.to_string()))
}

fn layout(format: RowFormat, rows: &Rows<'_>) -> Layout {
    match (format, rows) {
        (RowFormat::Arrow, Rows::Columns(rows)) if rows.format == RecordFormat::Arrow => rows.reader.arrow_layout(),
        (RowFormat::JsonLines, _) => Layout::JsonLines,
        (RowFormat::Csv, _) => Layout::Delimited(b','),
        (RowFormat::Tsv, _) => Layout::Delimited(b'\t'),
        (RowFormat::Parquet, _) => Layout::Parquet,
        (RowFormat::Arrow, _) => Layout::new_arrow(),
    }
}

/// Batches of wanted rows.
enum Rows<'r> {
    Columns(Box<ColumnRows<'r>>),
    Json(Box<JsonRows<'r>>),
    Delimited(Box<DelimitedRows<'r>>),
    Documents(Box<DocumentRows<'r>>),
}

/// Some rows, and what is wanted of each.
type WantedRows<'w> = (RecordBatch, Vec<Wanted<'w>>);

impl Rows<'_> {
    fn schema(&self) -> SchemaRef {
        match self {
            Self::Columns(rows) => rows.reader.schema().clone(),
            Self::Json(rows) => rows.schema.clone(),
            Self::Delimited(rows) => rows.schema.clone(),
            Self::Documents(rows) => rows.schema.clone(),
        }
    }

    fn next<'w>(&mut self, records: &mut Peekable<impl Iterator<Item = Wanted<'w>>>) -> Result<Option<WantedRows<'w>>> {
        if records.peek().is_none() {
            return Ok(None);
        }
        match self {
            Self::Columns(rows) => rows.next(records).map(Some),
            Self::Json(rows) => rows.next(records).map(Some),
            Self::Delimited(rows) => rows.next(records).map(Some),
            Self::Documents(rows) => rows.next(records).map(Some),
        }
    }

    fn read_bytes(&self) -> u64 {
        match self {
            Self::Columns(rows) => rows.reader.read_bytes(),
            Self::Json(rows) => rows.records.read_bytes,
            Self::Delimited(rows) => rows.records.read_bytes,
            Self::Documents(rows) => rows.read_bytes,
        }
    }
}

/// Rows of a file of columns.
struct ColumnRows<'r> {
    path: &'r Path,
    format: RecordFormat,
    reader: BatchReader,
    /// Rows of the batches so far.
    before: u64,
}

impl ColumnRows<'_> {
    /// The next batch that has wanted rows, of which there must be some.
    fn next<'w>(&mut self, records: &mut Peekable<impl Iterator<Item = Wanted<'w>>>) -> Result<WantedRows<'w>> {
        let unreadable = |message| columns::unreadable(self.path, self.format, message);
        while let Some(batch) = self.reader.next().map_err(unreadable)? {
            let rows = batch.num_rows() as u64;
            let mut is_wanted = vec![false; batch.num_rows()];
            let mut wanted = Vec::new();
            while let Some(record) = records.next_if(|record| record.number <= self.before + rows) {
                if let Some(row) = is_wanted.get_mut((record.number - self.before - 1) as usize) {
                    *row = true;
                }
                wanted.push(record);
            }
            self.before += rows;
            if !wanted.is_empty() {
                let filtered = filter_record_batch(&batch, &BooleanArray::from(is_wanted));
                return filtered.map(|batch| (batch, wanted)).map_err(|error| unreadable(error.to_string()));
            }
        }
        Err(Error::Changed { path: self.path.to_owned() })
    }
}

/// Adds annotations to batches.
struct Annotator {
    name: &'static str,
    format: RowFormat,
}

impl Annotator {
    /// The fields of an annotation.
    fn fields(&self) -> Fields {
        let names = if self.format == RowFormat::JsonLines { ANNOTATION_FIELDS } else { ANNOTATION_COLUMNS };
        names.into_iter().zip(ANNOTATION_TYPES).map(|(name, data_type)| Field::new(name, data_type, true)).collect()
    }

    fn schema(&self, schema: &Schema, path: &Path) -> Result<SchemaRef> {
        let added = match self.format {
            RowFormat::JsonLines => Fields::from(vec![Field::new_struct(self.name, self.fields(), true)]),
            _ => self.fields(),
        };
        if let Some(known) = added.iter().find(|field| schema.fields().find(field.name()).is_some()) {
            return Err(Error::ColumnExists { path: path.to_owned(), column: known.name().clone() });
        }
        let fields: Vec<_> = schema.fields().iter().chain(&added).cloned().collect();
        Ok(Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())))
    }

    fn columns(&self, wanted: &[Wanted<'_>]) -> Vec<ArrayRef> {
        let annotations = || wanted.iter().map(|record| record.annotation);
        let of = |annotation: Option<Annotation<'_>>| annotation.map(|annotation| annotation.duplicate);
        let columns: Vec<ArrayRef> = vec![
            Arc::new(annotations().map(of).collect::<BooleanArray>()),
            Arc::new(annotations().map(|found| found.map(|found| found.kept)).collect::<StringArray>()),
            Arc::new(annotations().map(|found| found.map(|found| found.similarity)).collect::<Float64Array>()),
            Arc::new(annotations().map(|found| found.map(|found| found.cluster_size)).collect::<UInt32Array>()),
        ];
        match self.format {
            RowFormat::JsonLines => vec![Arc::new(StructArray::new(self.fields(), columns, None))],
            _ => columns,
        }
    }
}

#[cfg(test)]
mod tests;

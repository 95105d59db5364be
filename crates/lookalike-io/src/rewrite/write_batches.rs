//! Batches of selected rows from any sources, written to the output.

use super::annotator::Annotator;
use super::conversion::{Rewrite, SelectedRecord, SelectedRows, TextEdit};
use super::edit::edited;
use super::rows::{OpenRows, SourceRows};
use super::schemas::{common_schema, fitted};
use crate::base::details::Action;
use crate::base::{Error, Result};
use crate::columns::{BatchFormat, BatchWriter, ColumnPath, FieldColumns};
use crate::formats::{RecordFormat, RowFormat};
use crate::outputs::AtomicFile;
use crate::rows::BASIS_KEY;
use crate::sources::{FieldNames, Source};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema, SchemaRef};
use std::iter::Peekable;
use std::path::Path;
use std::sync::Arc;

/// Writes the selected rows of all sources, batch by batch.
pub(super) fn write_batches<'w, I: Iterator<Item = SelectedRecord<'w>> + Clone>(
    rows: SourceRows<'_>,
    file: AtomicFile,
    records: impl Fn(usize) -> I,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<AtomicFile> {
    let Rewrite { sources, format, annotations, edit, fields, basis, .. } = rows.job();
    let annotator = annotations.kind().map(|kind| Annotator::new(format, kind));
    let schema = without_basis(&common_schema(&rows.schemas()?, format)?);
    let mut start = Some(file);
    let mut writer: Option<BatchWriter> = None;
    for (index, source) in sources.iter().enumerate() {
        let selected = records(index);
        let last = selected.clone().last().map_or(0, |record| record.number);
        let opened = rows.open(index, last).map_err(|error| error.of_path(&source.path))?;
        let mut of_source = SelectedReading { all: &rows, index, rows: opened, selected: selected.peekable(), done: 0 };
        // The first batch determines the compression of an Arrow file.
        let mut batch = of_source.next()?;
        // Records of JSON Lines have the fields of their source.
        let own = (format == RowFormat::JsonLines).then(|| of_source.rows.schema());
        let schema = own.as_ref().unwrap_or(&schema);
        let text = edit.map(|edit| Ok::<_, Error>((text_of(&of_source.rows.schema(), fields, source)?, edit)));
        let edit = text.transpose()?;
        let target = BatchTarget { source_path: &source.path, schema, annotator: annotator.as_ref(), edit };
        let writer = match (&mut writer, start.take()) {
            (Some(writer), _) => writer,
            (none, Some(file)) => {
                let format = batch_format(format, &of_source.rows);
                let schema = with_stream_basis(target.whole_schema()?, &format, basis);
                let writer = none.insert(BatchWriter::create(file, &format, &schema)?);
                basis.into_iter().for_each(|basis| writer.describe(BASIS_KEY, basis));
                writer
            }
            (None, None) => break,
        };
        while let Some((kept_rows, kept)) = batch {
            let kept_rows = target.batch(kept_rows, &kept)?;
            let number = |row: usize| kept.get(row).map(|record| record.number);
            writer.write(&kept_rows).map_err(|error| error.of_record(&source.path, number))?;
            if !go_on(of_source.advanced()) {
                return Err(Error::Stopped);
            }
            batch = of_source.next()?;
        }
    }
    match (writer, start) {
        (Some(writer), _) => writer.finish(),
        (None, Some(file)) => Ok(file),
        (None, None) => Err(Error::Stopped),
    }
}

/// The selected rows of a source on their way.
struct SelectedReading<'r, I: Iterator> {
    all: &'r SourceRows<'r>,
    index: usize,
    rows: OpenRows<'r>,
    selected: Peekable<I>,
    /// Bytes of the source that were reported.
    done: u64,
}

impl<'w, I: Iterator<Item = SelectedRecord<'w>>> SelectedReading<'_, I> {
    fn next(&mut self) -> Result<Option<SelectedRows<'w>>> {
        let source = self.all.job().sources[self.index];
        let rows = self.rows.next(&mut self.selected).map_err(|error| error.of_path(&source.path))?;
        rows.map(|rows| self.all.written(self.index, rows)).transpose()
    }

    /// Bytes of the source read since the last call.
    fn advanced(&mut self) -> u64 {
        let reached = self.rows.read_bytes().max(self.done);
        reached - std::mem::replace(&mut self.done, reached)
    }
}

/// The form that the rows of a source get.
struct BatchTarget<'t> {
    source_path: &'t Path,
    /// Schema without annotations.
    schema: &'t SchemaRef,
    annotator: Option<&'t Annotator>,
    /// The column of texts, and what becomes of them.
    edit: Option<(ColumnPath, TextEdit<'t>)>,
}

impl BatchTarget<'_> {
    /// The schema of the output.
    fn whole_schema(&self) -> Result<SchemaRef> {
        self.annotated(self.schema)
    }

    fn annotated(&self, schema: &SchemaRef) -> Result<SchemaRef> {
        match self.annotator {
            Some(annotator) => annotator.schema(schema, self.source_path),
            None => Ok(schema.clone()),
        }
    }

    /// A batch of rows with the columns of the output.
    fn batch(&self, rows: RecordBatch, kept: &[SelectedRecord<'_>]) -> Result<RecordBatch> {
        let inconvertible = |error: ArrowError| inconvertible(self.source_path, &error);
        let rows = match &self.edit {
            None => rows,
            Some((text, edit)) => edited(rows, text, kept, *edit).map_err(inconvertible)?,
        };
        let rows = fitted(&rows, self.schema).map_err(inconvertible)?;
        let Some(annotator) = self.annotator else { return Ok(rows) };
        let schema = self.annotated(&rows.schema())?;
        let columns = rows.columns().iter().cloned().chain(annotator.columns(kept)).collect();
        RecordBatch::try_new(with_metadata(&schema, self.schema), columns).map_err(inconvertible)
    }
}

/// The column of texts in the rows of a source.
fn text_of(schema: &Schema, fields: &FieldNames, source: &Source) -> Result<ColumnPath> {
    // Of documents without fields, the text is the last column, whatever its name.
    let is_made = source.record_format().is_none_or(|format| format == RecordFormat::Warc);
    if let Some(text) = schema.fields().last().filter(|_| is_made) {
        return Ok(vec![text.name().clone()]);
    }
    let names = FieldNames { reserved: None, ..fields.clone() };
    Ok(FieldColumns::find(schema, &names, &source.path)?.text)
}

/// The schema without what its file says of itself: other rows are written.
fn without_basis(schema: &SchemaRef) -> SchemaRef {
    let mut metadata = schema.metadata().clone();
    match metadata.remove(BASIS_KEY) {
        Some(_) => Arc::new(Schema::new_with_metadata(schema.fields().clone(), metadata)),
        None => Arc::clone(schema),
    }
}

/// The schema of a stream with the basis in it: a stream has no footer.
fn with_stream_basis(schema: SchemaRef, format: &BatchFormat, basis: Option<&str>) -> SchemaRef {
    let Some(basis) = basis.filter(|_| matches!(format, BatchFormat::ArrowStream(_))) else { return schema };
    let mut metadata = schema.metadata().clone();
    metadata.insert(BASIS_KEY.to_owned(), basis.to_owned());
    Arc::new(Schema::new_with_metadata(schema.fields().clone(), metadata))
}

fn with_metadata(schema: &SchemaRef, of: &Schema) -> SchemaRef {
    Arc::new(Schema::new_with_metadata(schema.fields().clone(), of.metadata().clone()))
}

fn inconvertible(path: &Path, error: &ArrowError) -> Error {
    Error::io(Action::Convert, path, std::io::Error::other(error.to_string()))
}

fn batch_format(format: RowFormat, rows: &OpenRows<'_>) -> BatchFormat {
    match (format, rows) {
        (RowFormat::Arrow, OpenRows::Columns(rows)) => {
            let mut format = rows.arrow_format().unwrap_or_else(BatchFormat::new_arrow);
            if let BatchFormat::ArrowFile(_, metadata) = &mut format {
                metadata.remove(BASIS_KEY);
            }
            format
        }
        (format, _) => format.into(),
    }
}

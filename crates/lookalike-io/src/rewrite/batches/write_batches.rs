//! Batches of wanted rows from any source, written to the output.

use super::annotator::Annotator;
use crate::columns::{BatchFormat, BatchWriter};
use crate::formats::RowFormat;
use crate::ground::{Error, Result};
use crate::outputs::Sealed;
use crate::rewrite::output::Output;
use crate::rewrite::rows::Rows;
use crate::rewrite::wanted::{Annotations, Wanted};
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use std::iter::Peekable;
use std::path::Path;

/// Writes the wanted rows, batch by batch.
pub(crate) fn write_batches<'w>(
    output: Output<'_>,
    mut rows: Rows<'_>,
    mut records: Peekable<impl Iterator<Item = Wanted<'w>>>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Sealed> {
    let Output { file, source_path, format, annotations } = output;
    let annotator = (annotations == Annotations::Add).then(|| Annotator::new(format));
    let mut schema = rows.schema();
    if let Some(annotator) = &annotator {
        schema = annotator.schema(&schema, source_path)?;
    }
    // The first batch determines the compression of an Arrow file.
    let mut batch = rows.next(&mut records)?;
    let mut writer = BatchWriter::create(file, &batch_format(format, &rows), &schema)?;
    let mut done = 0;
    while let Some((mut kept_rows, kept)) = batch {
        if let Some(annotator) = &annotator {
            let columns = kept_rows.columns().iter().cloned().chain(annotator.columns(&kept)).collect();
            let annotated = RecordBatch::try_new(schema.clone(), columns);
            kept_rows = annotated.map_err(|error| inconvertible(source_path, &error))?;
        }
        let number = |row: usize| kept.get(row).map(|record| record.number);
        writer.write(&kept_rows).map_err(|error| error.of_record(source_path, number))?;
        let reached = rows.read_bytes().max(done);
        if !go_on(reached - done) {
            return Err(Error::Stopped);
        }
        done = reached;
        batch = rows.next(&mut records)?;
    }
    writer.seal()
}

fn inconvertible(path: &Path, error: &ArrowError) -> Error {
    Error::io("convert", path, std::io::Error::other(error.to_string()))
}

fn batch_format(format: RowFormat, rows: &Rows<'_>) -> BatchFormat {
    match (format, rows) {
        (RowFormat::Arrow, Rows::Columns(rows)) => rows.arrow_format().unwrap_or_else(BatchFormat::new_arrow),
        (RowFormat::Arrow, _) => BatchFormat::new_arrow(),
        (RowFormat::JsonLines, _) => BatchFormat::JsonLines,
        (RowFormat::Csv, _) => BatchFormat::Delimited(b','),
        (RowFormat::Tsv, _) => BatchFormat::Delimited(b'\t'),
        (RowFormat::Parquet, _) => BatchFormat::Parquet,
    }
}

//! The entry point of conversions.

use super::batches::write_batches;
use super::output::Output;
use super::parquet_copy::copy_parquet;
use super::rows::{ColumnRows, DelimitedRows, DocumentRows, JsonRows, Rows};
use super::wanted::{Annotations, Wanted};
use crate::formats::{RecordFormat, RowFormat};
use crate::ground::{Error, Result};
use crate::outputs::{AtomicFile, Sealed};
use crate::sources::{FieldNames, Source, SourceKind};

/// A conversion of records.
#[derive(Debug, Clone, Copy)]
pub struct Rewrite<'r> {
    /// A file of records, or text files that become records of one file.
    pub source: &'r Source,
    /// Names of its fields.
    pub fields: &'r FieldNames,
    /// Maximum size of a record in bytes, as in the first reading.
    pub limit: Option<u64>,
    /// Format of the output.
    pub format: RowFormat,
    /// Whether the decisions are added to the records.
    pub annotations: Annotations,
}

/// Writes those records of a source that `records` names, in order. `go_on` is called with the number of input bytes
/// processed since the last call; `false` stops.
///
/// # Errors
/// If the source cannot be read again or has fewer records, if the output format cannot hold a record, if the output
/// cannot be written; [`Error::Stopped`].
pub fn rewrite<'w>(
    job: Rewrite<'_>,
    out: AtomicFile,
    records: impl Iterator<Item = Wanted<'w>> + Clone,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Sealed> {
    let path = &job.source.file;
    let output = Output { file: out, source_path: &job.source.path, format: job.format, annotations: job.annotations };
    let documents = || DocumentRows::open(job.source, job.fields, job.limit, job.format);
    let rows = match job.source.kind {
        SourceKind::TextFiles { .. } => Rows::Documents(Box::new(documents())),
        SourceKind::Records { format, compression, .. } => match format {
            RecordFormat::Parquet if job.format == RowFormat::Parquet => {
                return copy_parquet(path, output, records, go_on)?.seal();
            }
            RecordFormat::Parquet | RecordFormat::Arrow => {
                let last = records.clone().last().map_or(0, |record| record.number);
                Rows::Columns(Box::new(ColumnRows::open((path, format), job.fields, job.format, last)?))
            }
            RecordFormat::JsonLines => {
                Rows::Json(Box::new(JsonRows::open(path, compression, job.fields, records.clone())?))
            }
            RecordFormat::Csv | RecordFormat::Tsv => {
                Rows::Delimited(Box::new(DelimitedRows::open(job.source, job.fields)?))
            }
            RecordFormat::ItemLines | RecordFormat::Warc => Rows::Documents(Box::new(documents())),
            RecordFormat::Snapshot => return Err(Error::NoTexts { path: job.source.path.to_path_buf() }),
        },
    };
    write_batches(output, rows, records.peekable(), go_on)
}

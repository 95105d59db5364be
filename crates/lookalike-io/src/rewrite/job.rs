//! The entry point of conversions.

use super::conversion::{Rewrite, SelectedRecord};
use super::parquet_copy::{copy_parquet, have_one_parquet_schema};
use super::rows::{SourceRows, schema_of_source};
use super::schemas::common_schema;
use super::write_batches::write_batches;
use crate::base::Result;
use crate::outputs::AtomicFile;

/// Writes those records of the sources that `records` names by the index of the source, in order. `go_on` is called
/// with the number of input bytes processed since the last call; `false` stops. Returns the file, which may be
/// continued if its format has lines.
///
/// # Errors
/// If a source cannot be read again or has fewer records, if the output format cannot hold a record, if the sources
/// have no common columns, if the output cannot be written; [`Error::Stopped`](crate::Error::Stopped).
pub fn rewrite<'w, I: Iterator<Item = SelectedRecord<'w>> + Clone>(
    job: Rewrite<'_>,
    out: AtomicFile,
    records: impl Fn(usize) -> I,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<AtomicFile> {
    if job.is_parquet_only() && have_one_parquet_schema(job.sources)? {
        return copy_parquet(job, out, records, go_on);
    }
    let rows = SourceRows::read_types(job, &records)?;
    write_batches(rows, out, records, go_on)
}

/// Checks that the records of these sources, as far as their columns are known without reading all of them, have a
/// place in one file of `format`.
///
/// # Errors
/// [`Error::SchemasDiffer`](crate::Error::SchemasDiffer) with the first column that differs.
pub fn check_join(job: Rewrite<'_>) -> Result<()> {
    let schemas = job.sources.iter().map(|source| schema_of_source(job, source));
    let known: Vec<_> = schemas.filter_map(Result::transpose).collect::<Result<_>>()?;
    common_schema(&known, job.format).map(drop)
}

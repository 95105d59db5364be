//! Conversion of records: to another format, or within a format of columns.
//!
//! ```text
//! Parquet -> Parquet       column by column, as stored (parquet_copy)
//! all others               Arrow batches in between:
//!                          ColumnRows | JsonRows | DelimitedRows | DocumentRows (rows) -> BatchWriter (write_batches)
//! ```
//!
//! Several sources become one file if they have the same columns (schemas), JSON Lines in any case.
//!
//! JSON Lines, CSV, TSV and WARC are not converted to themselves here: their records are copied byte for byte.

mod annotator;
mod conversion;
mod edit;
mod job;
mod parquet_annotations;
mod parquet_copy;
mod rows;
mod schemas;
mod write_batches;

pub use conversion::{Annotations, Rewrite, SelectedRecord, TextEdit};
pub use job::{check_join, rewrite};

#[cfg(test)]
mod tests;

//! Conversion of records: to another format, or within a format of columns.
//!
//! ```text
//! Parquet -> Parquet       column by column, as stored (parquet_copy.rs)
//! all others               Arrow batches in between (batches.rs):
//!                          ColumnRows | JsonRows | DelimitedRows | DocumentRows -> BatchWriter
//! ```
//!
//! JSON Lines, CSV, TSV and WARC are not converted to themselves here: their records are copied byte for byte.

mod annotator;
mod batches;
mod column_rows;
mod delimited_rows;
mod document_rows;
mod job;
mod json_rows;
mod json_types;
mod output;
mod parquet_annotations;
mod parquet_copy;
mod wanted;
mod wanted_records;

pub use job::{Rewrite, rewrite};
pub use wanted::Wanted;

#[cfg(test)]
mod tests;

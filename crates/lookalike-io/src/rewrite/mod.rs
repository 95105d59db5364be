//! Conversion of records: to another format, or within a format of columns.
//!
//! ```text
//! Parquet -> Parquet       column by column, as stored (parquet_copy)
//! all others               Arrow batches in between:
//!                          ColumnRows | JsonRows | DelimitedRows | DocumentRows (rows) -> BatchWriter (batches)
//! ```
//!
//! JSON Lines, CSV, TSV and WARC are not converted to themselves here: their records are copied byte for byte.

mod batches;
mod job;
mod output;
mod parquet_copy;
mod rows;
mod wanted;

pub use job::{Rewrite, rewrite};
pub use wanted::{Annotations, Wanted};

#[cfg(test)]
mod tests;

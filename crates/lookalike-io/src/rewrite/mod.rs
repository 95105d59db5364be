//! Conversion of records: to another format, or within a format of columns.
//!
//! ```text
//! Parquet -> Parquet       column by column, as stored (parquet_copy)
//! all others               Arrow batches in between:
//!                          ColumnRows | JsonRows | DelimitedRows | DocumentRows (rows) -> BatchWriter (batches)
//! ```
//!
//! Several sources become one file if they have the same columns (schemas), JSON Lines in any case.
//!
//! JSON Lines, CSV, TSV and WARC are not converted to themselves here: their records are copied byte for byte.

mod asked;
mod batches;
mod edit;
mod job;
mod output;
mod parquet_copy;
mod rows;
mod schemas;
mod wanted;

pub use asked::Rewrite;
pub use job::{check_join, rewrite};
pub use wanted::{Annotations, TextEdit, Wanted};

#[cfg(test)]
mod tests;

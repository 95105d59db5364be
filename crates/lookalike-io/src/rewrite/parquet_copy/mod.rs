//! Rows of a Parquet file copied to a Parquet file, value by value as stored, with annotations as further columns.

mod annotations;
mod copy;

pub(super) use copy::{copy_parquet, have_one_parquet_schema};

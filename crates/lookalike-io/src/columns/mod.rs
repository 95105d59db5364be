//! Files of columns, Parquet and Arrow IPC, by the crates of the Apache project: rows in batches, read and written.

mod arrow_file;
mod batch_reader;
mod batch_writer;
mod decoding;
mod fields;
mod parquet_file;
mod views;

pub(crate) use batch_reader::BatchReader;
pub(crate) use batch_writer::{BatchFormat, BatchWriter, unwritable};
pub use decoding::panic_becomes_error;
pub(crate) use decoding::{guarded, open, unreadable};
pub(crate) use fields::{FieldColumns, Scores, check_columns, column, leaf_columns, strings};

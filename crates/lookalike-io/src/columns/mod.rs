//! Files of columns, Parquet and Arrow IPC, by the crates of the Apache project: rows in batches, read and written.

mod arrow_file;
mod batch_format;
mod batch_reader;
mod decoding;
mod encode;
mod fields;
mod parquet_file;
mod parquet_repair;
mod texts;
mod views;

pub(crate) use batch_format::BatchFormat;
pub(crate) use batch_reader::{BatchReader, stored_metadata};
pub use decoding::panic_becomes_error;
pub(crate) use decoding::{guarded, open, unreadable};
pub(crate) use encode::{BatchWriter, unwritable};
pub(crate) use fields::{ColumnPath, Content, FieldColumns, Scores, check_columns, column, leaf_columns, strings};
pub(crate) use parquet_repair::{RepairedFile, metadata_of};
pub(crate) use texts::{Spelling, Texts, to_strings, with_strings};

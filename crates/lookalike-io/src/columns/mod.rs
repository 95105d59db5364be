//! Files of columns, Parquet and Arrow IPC, by the crates of the Apache project: rows in batches, read and written.
//!
//! All that the crates decode goes through `decoding`, which makes errors of their panics. The thread that takes the
//! next block decodes the selected columns of a batch; a document is known by its row, and kept rows are read again
//! with all columns: from Parquet to Parquet value by value, so that nothing depends on what Arrow makes of a type,
//! otherwise as batches. Dictionaries that the Arrow schema of a Parquet file names are ignored: each row group has its
//! own, which few formats could hold.

mod arrow_file;
mod batch_format;
mod batch_reader;
mod cells;
mod contents;
mod data_types;
mod decoding;
mod encode;
mod fields;
mod item_lists;
mod npy_file;
mod parquet_file;
mod parquet_repair;
mod texts;
mod vector_lists;
mod views;

pub(crate) use batch_format::BatchFormat;
pub(crate) use batch_reader::{BatchReader, stored_metadata};
pub(crate) use cells::CellsBuilder;
pub use cells::table_of_rows;
pub(crate) use contents::Contents;
pub(crate) use data_types::{repeated, strings};
pub use decoding::panic_becomes_error;
pub(crate) use decoding::{guarded, open, unreadable};
pub(crate) use encode::{BatchWriter, JsonColumn, JsonValues, unwritable};
pub(crate) use fields::{ColumnPath, FieldColumns, Scores, check_columns, column, content_types, leaf_columns};
pub(crate) use item_lists::ItemLists;
pub(crate) use npy_file::npy_header;
pub(crate) use parquet_repair::{RepairedFile, metadata_of};
pub(crate) use texts::{Spelling, TextValues, cast_columns, with_strings};

//! Files of columns, Parquet and Arrow IPC, by the crates of the Apache project: rows in batches, read and written.
//!
//! ```text
//! batch_reader     rows of any file of columns, batch by batch
//! parquet_file     rows of a Parquet file
//! parquet_repair/  Parquet files whose writers did not follow the format
//! arrow_file       Arrow IPC, message by message
//! npy_file         arrays of NumPy
//! decoding         third-party decoders, guarded against panics
//! fields           columns of text, id and score, found by name
//! contents         compared contents: texts, lists of items, or vectors
//! texts            columns of texts
//! item_lists       columns of sets of items
//! vector_lists     columns of vectors
//! views            text of Parquet as views into pages
//! data_types       types of columns
//! cells            cells of rows as columns
//! batch_format     formats in which batches are written
//! encode/          batches written in any format
//! ```
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

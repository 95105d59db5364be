//! The selected rows of a source as Arrow batches, one file a kind of source.
//!
//! ```text
//! ColumnRows      rows of Parquet and Arrow files
//! JsonRows        records of JSON Lines, with types found by reading them once before (json_types.rs)
//! DelimitedRows   rows of CSV and TSV, all strings
//! DocumentRows    text files, pages of a crawl, lines of items
//! ```
//!
//! For tables of text, lists of items become strings (joined_items.rs).

mod column_rows;
mod delimited_rows;
mod document_rows;
mod exact_numbers;
mod joined_items;
mod json_rows;
mod json_types;
mod selected_records;
mod source_rows;
mod surrogates;

pub(super) use source_rows::{OpenRows, SourceRows, schema_of_source};

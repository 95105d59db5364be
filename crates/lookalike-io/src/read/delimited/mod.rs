//! CSV and TSV files: a header, then one record per row; a row may span several lines.
//!
//! Only the quotes before it tell a row end from a line break in a field. The thread that reads runs the automaton of
//! csv-core over the bytes to find row ends and nothing else; the fields are cut by the threads that take the blocks.
//! Counting quotes would be faster, and wrong for a quote in the middle of a field, which is an ordinary character to
//! both parsers.
//!
//! ```text
//! file      reads a file; cuts it into blocks of whole rows
//! row_ends  where rows begin and end, by csv-core
//! rows      the rows of a block: documents and remarks
//! columns   the columns of the selected fields, found in the header
//! quotes    where the cell of a row stands, and whether it is in quotes
//! ```

mod columns;
mod file;
mod quotes;
mod row_ends;
mod rows;

pub(crate) use columns::{names_in, text_column};
pub(super) use file::DelimitedFile;
pub use file::{header, header_names};
pub(crate) use quotes::{cell_place, is_quoted};
pub(crate) use row_ends::{csv_reader, is_blank, row_reader};
pub(super) use rows::TableBlock;

#[cfg(test)]
mod tests;

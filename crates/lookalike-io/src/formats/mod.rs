//! Layouts of files, and their detection from names and contents.
//!
//! ```text
//! layout      the layout of a file, by extension or first bytes
//! file_names  names of files: formats, and files that belong to others
//! looks       another format than the name or the user says
//! archive     archives
//! binary      files without text
//! dialect     separator and quotes of a table
//! separator   detection of the separator
//! table_row   rows of tables, written
//! row_format  layouts in which rows and records are written
//! ```

mod archive;
mod binary;
mod dialect;
mod file_names;
mod layout;
mod looks;
mod row_format;
mod separator;
mod table_row;

pub use crate::base::RecordFormat;
pub(crate) use archive::ArchiveFormat;
pub(crate) use binary::binary_kind;
pub use dialect::Dialect;
pub use dialect::Quotes;
pub(crate) use dialect::{QUOTE, QuotesFound, is_clear_row, quotes_of};
pub(crate) use file_names::{ids_beside, is_of_ids, is_part_of_others};
pub use file_names::{ids_of_array, names_one_value};
pub(crate) use layout::{ARROW_MAGIC, head_of};
pub use layout::{JsonFiles, Layout, Texts};
pub(crate) use looks::looks_like;
pub use row_format::RowFormat;
pub(crate) use row_format::names_file;
pub(crate) use table_row::{UNCLEAR_ROW, UnclearRow, push_row};

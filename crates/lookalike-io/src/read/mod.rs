//! Readers: from sources to documents.
//!
//! ```text
//! Blocks   one thread at a time reads a source and cuts it at records   Source -> Block
//! Block    any thread finds the documents in a block                    Block -> Document | BadRecord
//! ```
//!
//! Each layout has a folder: `json` (lines and arrays), `delimited`, `columnar`, `warc`, `texts`. Columns are the
//! exception: they are decoded by the thread that reads them.
//!
//! The thread that takes the next block cuts it at the end of a record and does not look into records, so it has to
//! know no more than where one ends: at a line feed, where csv-core says that a row ends, where brackets close, where a
//! header says.

mod block;
mod blocks;
mod buffers;
mod columnar;
mod context;
mod delimited;
mod input;
mod item_column;
mod json;
mod main_content;
mod pairs;
mod texts;
mod warc;

pub use block::Block;
pub use blocks::{Blocks, check_usable, has_records};
pub(crate) use context::Origin;
pub use context::{Noted, TableRemarks};
pub(crate) use delimited::{cell_place, csv_reader, is_blank, is_quoted, names_in, row_reader, text_column};
pub use delimited::{header, header_names};
pub use item_column::ItemColumn;
pub(crate) use json::{numbers, text_place};
pub use main_content::compared_content;
pub use pairs::{basis_inside, read_basis, read_pairs};
pub(crate) use texts::decode_text;
pub use texts::{is_page, thumbnail_of};
pub use warc::kept_records;

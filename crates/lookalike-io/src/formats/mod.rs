//! Layouts of files, and their detection from names and contents.

mod layout;
mod record_format;
mod row_format;

pub use layout::Texts;
pub(crate) use layout::{ARROW_MAGIC, Layout};
pub use record_format::RecordFormat;
pub use row_format::RowFormat;

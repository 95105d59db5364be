//! Documents that are a text or an image each: files of a folder, and texts in memory.
//!
//! ```text
//! files       files with one document each: texts, HTML, images
//! html_page   HTML pages and text files, decoded
//! image_file  images, decoded
//! memory      texts in memory, in blocks
//! ```

mod files;
mod html_page;
mod image_file;
mod memory;

pub use files::thumbnail_of;
pub(super) use files::{TextFile, read_text_files};
pub(crate) use html_page::decode_text;
pub use html_page::is_page;
pub(super) use html_page::{decode_sent, readable_text};
pub(super) use memory::{TextReader, TextRows};

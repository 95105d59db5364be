//! Documents that are a text or an image each: files of a folder, and texts in memory.

mod files;
mod image_file;
mod memory;

pub use files::thumbnail_of;
pub(super) use files::{TextFile, read_text_files};
pub(super) use memory::{TextReader, TextRows};

//! Documents that are a text each: files of a folder, and texts in memory.

mod files;
mod memory;

pub(super) use files::{TextFile, read_text_files};
pub(super) use memory::{TextReader, TextRows};

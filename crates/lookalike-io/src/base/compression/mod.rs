//! Compressed files: their formats, read and written.

mod decompressor;
mod encoder;
mod kinds;

pub use decompressor::Decompressor;
pub(crate) use encoder::Encoder;
pub use kinds::Compression;

//! Errors, documents as they are put into an index, their texts compressed, and numbers as bytes.

mod bytes;
mod document;
mod error;
mod packed_text;

pub(crate) use bytes::{BytesReader, put_bytes, put_number};
pub use document::{Document, SetBuffer};
pub use error::{Error, Result};
pub use packed_text::PackedText;
pub(crate) use packed_text::unpack_text;

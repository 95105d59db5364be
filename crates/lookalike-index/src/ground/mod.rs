//! Errors, documents as they are put into an index, their texts compressed, numbers as bytes, and the number of an
//! index.

mod bytes;
pub mod details;
mod document;
mod error;
mod identity;
mod packed_text;

pub(crate) use bytes::{BytesReader, put_bytes, put_number};
pub use document::{Document, SetBuffer};
pub use error::{Error, Result};
pub(crate) use identity::IndexId;
pub use packed_text::PackedText;
pub(crate) use packed_text::unpack_text;

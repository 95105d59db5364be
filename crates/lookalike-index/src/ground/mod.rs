//! Errors, documents as they are put into an index, and numbers as bytes.

mod bytes;
mod document;
mod error;

pub(crate) use bytes::{BytesReader, put_bytes, put_number};
pub use document::{Document, SetBuffer};
pub use error::{Error, Result};

//! Errors, documents as they are put into an index, and the number of an index.

pub mod details;
mod document;
mod error;
mod identity;

pub(crate) use document::unpack_text;
pub use document::{IndexDocument, PackedText, SetBuffer};
pub use error::{Error, Result};
pub(crate) use identity::IndexId;

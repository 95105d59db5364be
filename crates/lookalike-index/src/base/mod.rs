//! Errors, documents as they are put into an index, and the number of an index.
//!
//! ```text
//! error     errors of this crate
//! details   values that errors carry in place of words
//! document  documents as they are put into an index
//! identity  the identity of an index
//! ```

pub mod details;
mod document;
mod error;
mod identity;

pub(crate) use document::unpack_text;
pub use document::{IndexDocument, PackedText, SetBuffer};
pub use error::{Error, Result};
pub(crate) use identity::IndexId;

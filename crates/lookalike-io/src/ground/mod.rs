//! The base of all other rooms: errors, positions in files, documents, and compressed files.

mod compression;
mod document;
mod encoder;
mod error;
mod message;
mod place;
mod problem;

pub use compression::Compression;
pub(crate) use compression::Decompressor;
pub use document::{Document, Score};
pub(crate) use encoder::Encoder;
pub use error::{Error, Result};
pub use message::shown;
pub use place::{Place, Span};
pub use problem::{BadRecord, Problem};

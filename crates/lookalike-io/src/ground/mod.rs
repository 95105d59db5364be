//! The base of all other rooms: errors and the values that they carry, positions in files, documents, formats by name,
//! compressed files, files of work folders, and the walk through folders.

mod byte_order_mark;
mod compression;
mod decompressor;
pub mod details;
mod document;
mod encoder;
mod error;
mod folders;
mod manifest;
mod message;
mod names_found;
mod not_a_vector;
mod own_file;
mod path_bytes;
mod place;
mod problem;
mod record_format;
mod score;
mod staging;

pub(crate) use byte_order_mark::BYTE_ORDER_MARK;
pub use byte_order_mark::without_mark;
pub use compression::Compression;
pub(crate) use decompressor::Decompressor;
pub use document::{Document, DocumentContent, Extracted};
pub(crate) use encoder::Encoder;
pub use error::{Error, Result};
pub(crate) use folders::{Admission, Depth, Entry, Walk};
pub use folders::{GitignoreFiles, PassedOver, Selection};
pub use manifest::Manifest;
pub(crate) use manifest::{TemporaryKind, TemporaryName};
pub(crate) use message::controls_terminal;
pub use message::{escaped, shown};
pub use names_found::{NamesFound, NearestNames};
pub use not_a_vector::NotAVector;
pub use own_file::{Access, create_own_file, open_own_file};
pub(crate) use path_bytes::path_of_bytes;
pub use place::{Place, Position, Span};
pub use problem::{BadRecord, Problem};
pub use record_format::RecordFormat;
pub(crate) use record_format::extension;
pub use score::{Number, Score};
pub use staging::Staging;

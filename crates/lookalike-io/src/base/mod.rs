//! The base of all other modules: errors and the values that they carry, positions in files, documents, formats by
//! name, compressed files, files of work folders, and the walk through folders.
//!
//! ```text
//! error          failures that end a job
//! problem        records that cannot be used
//! details        values that both carry in place of words
//! names_found    names that exist in place of a missing one, for messages
//! message        ids and names made fit for messages
//! document       a document as readers give it
//! score/         values that order documents
//! place          positions of records in files
//! record_format  formats of records, by name
//! compression/   compressed files, read and written
//! folders/       the walk through folders, and exclusions
//! manifest/      manifest of the temporary files of a work folder
//! own_file       files in a work folder, opened without following links
//! ```

mod compression;
pub mod details;
mod document;
mod error;
mod folders;
mod manifest;
mod message;
mod names_found;
mod own_file;
mod place;
mod problem;
mod record_format;
mod score;

pub use compression::Compression;
pub(crate) use compression::{Decompressor, Encoder};
pub use document::{Document, DocumentContent, Extracted};
pub use error::{Error, Result};
pub(crate) use folders::{EntryAdmission, FolderEntry, Walk, WalkDepth, path_of_bytes};
pub use folders::{FileSelection, GitignoreFiles, SkippedCounts};
pub use manifest::{Manifest, Staging};
pub(crate) use manifest::{TemporaryKind, TemporaryName};
pub(crate) use message::controls_terminal;
pub use message::{escaped, shown};
pub use names_found::{NamesFound, NearestNames};
pub(crate) use own_file::is_same_file;
pub use own_file::{Access, create_own_file, open_own_file};
pub(crate) use place::Located;
pub use place::{Place, Position, Span};
pub use problem::{BadRecord, NotAVector, Problem};
pub(crate) use record_format::{BYTE_ORDER_MARK, extension, with_suffix};
pub use record_format::{RecordFormat, without_mark};
pub(crate) use score::is_printed_as;
pub use score::{Number, Score};

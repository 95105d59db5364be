//! What is stored of a corpus beside checkpoints: snapshots, indexes as they are read, and the document
//! frequencies of terms.

mod idf_file;
mod index_reader;
mod notation;
mod sections;
mod snapshot;
mod tokens;

pub(crate) use idf_file::{read_frequencies, write_frequencies};
pub(in crate::corpus) use index_reader::IndexReader;
pub use notation::notation_of;
pub(crate) use notation::stored_notation;
pub(in crate::corpus) use snapshot::SnapshotReader;
pub(crate) use snapshot::{SnapshotToSave, nouns_of_snapshot, write_snapshot};
pub(crate) use tokens::{SavedTokens, StoredPlaces, TokenChunk, TokensToSave, check_tokens, open_tokens, saved_places};

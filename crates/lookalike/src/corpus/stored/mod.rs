//! What is stored of a corpus beside checkpoints: snapshots, indexes as they are read, and the document
//! frequencies of terms.

mod idf_file;
mod index_reader;
mod sections;
mod snapshot;
mod tokens;

pub(crate) use idf_file::{read_frequencies, write_frequencies};
pub(in crate::corpus) use index_reader::IndexReader;
pub(in crate::corpus) use snapshot::SnapshotReader;
pub(crate) use snapshot::{SnapshotToSave, features_of_snapshot, write_snapshot};
pub(crate) use tokens::{SavedTokens, StoredPlaces, TokenChunk, TokensToSave, check_tokens, open_tokens, saved_places};

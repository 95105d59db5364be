//! Stored forms of a corpus beside checkpoints: snapshots, indexes as they are read, and the document
//! frequencies of terms.
//!
//! ```text
//! snapshot      ids and element sets of documents in a file
//! sections      the file of a snapshot, section by section
//! tokens        tokens of documents with their places in a snapshot
//! index_reader  the documents of an index
//! idf_file      document frequencies in a file
//! ```

mod idf_file;
mod index_reader;
mod sections;
mod snapshot;
mod tokens;

pub(crate) use idf_file::{read_frequencies, write_frequencies};
pub(in crate::corpus) use index_reader::IndexDocumentReader;
pub(in crate::corpus) use snapshot::{RecordNames, SnapshotReader};
pub(crate) use snapshot::{SnapshotToSave, snapshot_parameters, write_snapshot};
pub(crate) use tokens::{StoredPlaces, TokenChunk, TokensToSave, check_tokens, open_tokens, saved_places};

use crate::base::{Error, Result};
use lookalike_index::Settings;
use lookalike_io::sources::Notation;

/// Notation of the documents of an index with these settings.
///
/// # Errors
/// [`Error::UnknownNotation`].
pub fn notation_of(settings: &Settings) -> Result<Notation> {
    let Some(stored) = &settings.notation else { return Ok(Notation::default()) };
    serde_json::from_value(stored.clone()).map_err(|_| Error::UnknownNotation)
}

/// A notation for the settings of an index.
///
/// # Errors
/// None in practice: [`Error::Json`].
pub(crate) fn stored_notation(notation: &Notation) -> Result<Option<serde_json::Value>> {
    let is_known = !notation.is_empty();
    Ok(is_known.then(|| serde_json::to_value(notation)).transpose()?)
}

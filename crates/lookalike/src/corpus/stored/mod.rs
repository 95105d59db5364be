//! What is stored of a corpus beside checkpoints: snapshots, and the document frequencies of terms.

mod idf_file;
mod snapshot;

pub(crate) use idf_file::{read_frequencies, write_frequencies};
pub(in crate::corpus) use snapshot::SnapshotReader;
pub(crate) use snapshot::write_snapshot;

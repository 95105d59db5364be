//! What searches and changes of an index count.

use crate::candidates::MeasuredRecall;
use serde::Serialize;

/// Counts of `search`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct SearchCounts {
    /// Queries.
    pub queries: u64,
    /// Queries that have an answer.
    pub answered: u64,
    /// Queries without elements, to which nothing is near.
    pub without_elements: u64,
    /// Queries of one shingle, of a containment: one of fewer tokens than a shingle has is compared as a whole, and is
    /// found inside no longer text.
    pub of_one_shingle: u64,
    /// Queries of fewer tokens than a shingle has, which are compared as a whole, and can only be equal to a document;
    /// those of a containment are counted by [`Self::of_one_shingle`].
    pub short: u64,
    /// Queries of fewer tokens than a shingle has that were looked for as a whole inside texts: their answers are the
    /// documents that contain them.
    pub looked_up: u64,
    /// Documents of snapshots and indexes with one shingle, by containment: texts of fewer tokens among them are not
    /// looked for inside queries.
    #[serde(skip)]
    pub not_looked_up: u64,
    /// Whether the documents are those of a stored index.
    pub in_index: bool,
    /// Answers to all queries.
    pub answers: u64,
    /// Documents that were searched.
    pub documents: u64,
    /// The probability of finding a document at the threshold; 1 if none is missed.
    pub expected_recall: f64,
    /// The recall that was measured on a sample of the queries, if the method is not complete and they are many enough.
    pub measured_recall: Option<MeasuredRecall>,
}

/// Counts of what was put into an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct IndexCounts {
    /// Documents that were added, those in place of others included.
    pub added: u64,
    /// Those of them that took the place of another with the same id.
    pub replaced: u64,
    /// Documents that were not, because one was near.
    pub near: u64,
    /// Documents whose records have no id and whose texts were there already.
    pub known: u64,
    /// Documents of the index when it was done.
    pub documents: u64,
    /// Size of its segments in bytes.
    pub bytes: u64,
}

//! Documents by rank: their sizes and blocking keys, which are inserted into an index and probe it.

use super::{SharedKey, SharedKeys};
use crate::ground::DocId;
use crate::measure::Verifier;

/// Documents in a given order, addressed by their rank from 0, with their shared blocking keys.
#[derive(Debug, Clone, Copy)]
pub struct RankedDocuments<'a> {
    /// The documents, by rank.
    pub order: &'a [DocId],
    /// The shared blocking keys, by document.
    pub keys: &'a SharedKeys,
    /// Verifies pairs of the documents, and knows the sizes of their sets.
    pub verifier: Verifier<'a>,
}

impl<'a> RankedDocuments<'a> {
    /// The document at `rank`.
    #[inline]
    pub fn document(&self, rank: u32) -> DocId {
        self.order[rank as usize]
    }

    /// Number of elements and shared blocking keys of the document at `rank`, as an index takes them.
    #[inline]
    pub fn entry(&self, rank: u32) -> (usize, &'a [SharedKey]) {
        let document = self.document(rank);
        (self.verifier.size(document), self.keys.get(document))
    }
}

//! The keepers rule: documents in priority order; one is removed if and only if it is a near-duplicate of one already kept.
//!
//! What is kept is the lexicographically first maximal independent set of the graph of near-duplicates: every removed
//! document has a kept witness, no two kept ones are near-duplicates, and the result is a function of the input alone.
//! Only keepers are indexed, so a family of n near-copies costs n comparisons, not n². The witness of a removal is the
//! first keeper in priority order that is similar enough: the one that would have removed it whatever came between.

use crate::candidates::{CandidatePair, IndexKeys, KeyIndex, ProbeScratch};
use crate::document::DocId;
use crate::error::Result;
use crate::similarity::Overlap;
use crate::verify::{VerifiedPair, Verifier};

/// Why a document was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Its set equals that of the kept document.
    Exact,
    /// Its set is similar to that of the kept document.
    Near,
}

/// What becomes of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It stays.
    Kept,
    /// It goes, because of a document that stays.
    Removed {
        /// The document that stays in its place.
        kept: DocId,
        /// Sizes and intersection of the two sets; left is the removed, right the kept document.
        overlap: Overlap,
        /// Whether the sets are equal.
        reason: Reason,
    },
}

/// The documents kept so far.
#[derive(Debug, Clone)]
pub struct Keepers<'a> {
    verifier: Verifier<'a>,
    keys: &'a IndexKeys,
    /// By document: its place in the order of priority.
    rank: &'a [u32],
    index: KeyIndex,
}

impl<'a> Keepers<'a> {
    /// Nothing kept yet. `rank` gives each document's place in the order of priority, from 0.
    pub fn new(verifier: Verifier<'a>, keys: &'a IndexKeys, rank: &'a [u32]) -> Self {
        Self { verifier, keys, rank, index: KeyIndex::new(verifier.threshold()) }
    }

    /// The first keeper in the order of priority that `document` is a near-duplicate of, with `document` as `a`.
    pub fn witness(&self, document: DocId, scratch: &mut ProbeScratch) -> Option<VerifiedPair> {
        let mut candidates = Vec::new();
        self.index.probe(self.verifier.size(document), self.keys.get(document), scratch, &mut candidates);
        candidates.sort_unstable_by_key(|candidate| self.rank[candidate.index()]);
        candidates.into_iter().find_map(|b| self.verifier.verify(CandidatePair { a: document, b }))
    }

    /// Keeps `document`.
    ///
    /// # Errors
    /// [`crate::Error::TooManyDocuments`] if the index is full.
    pub fn keep(&mut self, document: DocId) -> Result<()> {
        self.index.insert(document, self.verifier.size(document), self.keys.get(document))
    }
}

//! The keepers rule: documents in priority order; one is removed if and only if it is a near-duplicate of one already kept.
//!
//! What is kept is the lexicographically first maximal independent set of the graph of near-duplicates: every removed
//! document has a kept witness, no two kept ones are near-duplicates, and the result is a function of the input alone.
//! Only keepers are indexed, so a family of n near-copies costs n comparisons, not n². The witness of a removal is the
//! first keeper in priority order that is similar enough: the one that would have removed it whatever came between.

use crate::candidates::{CandidatePair, KeyIndex, LinkedKey, LinkedKeys};
use crate::document::DocId;
use crate::verify::{VerifiedPair, Verifier};
use std::ops::Range;

/// Why a document was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Its set equals that of the kept document.
    Exact,
    /// Its set is similar to that of the kept document.
    Near,
}

/// What becomes of a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decision {
    /// It stays.
    Kept,
    /// It goes, because of a document that stays.
    Removed {
        /// The document that stays in its place.
        kept: DocId,
        /// Exact Jaccard similarity of the two, computed from their sets; 1 for two empty ones.
        similarity: f64,
        /// Whether the sets are equal.
        reason: Reason,
    },
}

/// What a look for a witness gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Search {
    /// The document as `a` and the first keeper that it is a near-duplicate of as `b`, if there is one.
    pub witness: Option<VerifiedPair>,
    /// Candidates that were verified.
    pub candidates: u64,
}

/// The documents kept so far, by their rank in the order of priority (from 0).
#[derive(Debug)]
pub struct Keepers<'a> {
    verifier: Verifier<'a>,
    keys: &'a LinkedKeys,
    order: &'a [DocId],
    index: KeyIndex<'a>,
}

impl<'a> Keepers<'a> {
    /// Nothing kept yet of the documents that `order` names in the order of priority.
    pub fn new(verifier: Verifier<'a>, keys: &'a LinkedKeys, order: &'a [DocId]) -> Self {
        Self::over(verifier, keys, order, 0..order.len() as u32)
    }

    /// The same with room for the documents that have one of `ranks` only.
    pub fn over(verifier: Verifier<'a>, keys: &'a LinkedKeys, order: &'a [DocId], ranks: Range<u32>) -> Self {
        let documents = order[ranks.start as usize..ranks.end as usize].iter().copied();
        Self { verifier, keys, order, index: KeyIndex::over(keys, verifier.threshold(), documents) }
    }

    /// The number of postings that [`Keepers::witness`] follows.
    pub fn postings(&self, rank: u32, ranks: Range<u32>) -> u64 {
        self.index.count(self.keys.get(self.order[rank as usize]), ranks)
    }

    /// Looks for the first keeper with a rank in `ranks` that the document at `rank` is a near-duplicate of. `candidates` is a
    /// buffer, whose content does not matter.
    pub fn witness(&self, rank: u32, ranks: Range<u32>, candidates: &mut Vec<u32>) -> Search {
        let a = self.order[rank as usize];
        candidates.clear();
        let (size, keys) = self.entry(rank);
        self.index.probe(size, keys, ranks, |rank| candidates.push(rank));
        candidates.sort_unstable();
        candidates.dedup();
        let mut verified = 0;
        let mut documents = candidates.iter().map(|&rank| self.order[rank as usize]);
        let witness = documents.find_map(|b| {
            verified += 1;
            self.verifier.verify(CandidatePair { a, b })
        });
        Search { witness, candidates: verified }
    }

    /// Keeps the document at `rank`; ranks must ascend from call to call, and one call must have ended before the next begins.
    /// Meanwhile others may look for witnesses, with ranks below those of documents that are not decided yet.
    pub fn keep(&self, rank: u32) {
        let (size, keys) = self.entry(rank);
        self.index.insert(rank, size, keys);
    }

    /// Size and keys of the document at `rank`, as the index takes them.
    pub fn entry(&self, rank: u32) -> (usize, &'a [LinkedKey]) {
        let document = self.order[rank as usize];
        (self.verifier.size(document), self.keys.get(document))
    }

    /// The index of the keepers, for those who keep many at once.
    pub fn index(&self) -> &KeyIndex<'a> {
        &self.index
    }
}

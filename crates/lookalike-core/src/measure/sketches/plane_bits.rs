//! The sides of random planes on which vectors lie: a filter of candidates that projections have found.
//!
//! Unlike the other sketches this one is no proof: two vectors that differ in many sides are unlikely to be near, and
//! how unlikely is a part of the recall that is promised ([`crate::method::ProjectionPlan`]) and of the recall that is
//! measured. A candidate costs a cache line in place of a vector.

use crate::ground::{Array, DocId};

/// The sides of all documents, and in how many of them near-duplicates may differ.
#[derive(Debug, Clone)]
pub struct PlaneBits {
    words: Array<[u64; Self::WORDS]>,
    max_differing: u32,
}

impl PlaneBits {
    /// Words of the sides of a document.
    pub const WORDS: usize = 4;
    /// Number of planes.
    pub const PLANES: usize = Self::WORDS * u64::BITS as usize;

    /// The sides by document.
    pub fn new(words: Array<[u64; Self::WORDS]>, max_differing: u32) -> Self {
        Self { words, max_differing }
    }

    /// Whether two documents differ in more sides than near-duplicates may.
    #[inline]
    pub fn refuse(&self, pair: [DocId; 2]) -> bool {
        let [a, b] = pair.map(|document| self.words.slice(document.index()..document.index() + 1)[0]);
        let differing: u32 = a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum();
        differing > self.max_differing
    }
}

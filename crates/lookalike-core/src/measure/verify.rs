//! The exact check of candidate pairs, which every reported pair passes, whichever method found it.

use super::{Agreement, Measure, OddSketches};
use crate::features::ElementSets;
use crate::ground::DocId;
use crate::kernel::Kernel;

/// Two documents that share a blocking key and are worth verifying.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CandidatePair {
    /// One document.
    pub a: DocId,
    /// The other document; the order of the two has no meaning here.
    pub b: DocId,
}

/// Two documents whose exact similarity is at least the threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerifiedPair {
    /// One document.
    pub a: DocId,
    /// The other document.
    pub b: DocId,
    /// What the exact check has found; the first document is `a`.
    pub found: Agreement,
}

/// Verifies candidate pairs by their exact similarity.
#[derive(Debug, Clone, Copy)]
pub struct Verifier<'a> {
    sets: &'a ElementSets,
    measure: Measure,
    kernel: Kernel,
    sketches: Option<&'a OddSketches>,
}

impl<'a> Verifier<'a> {
    /// A verifier of pairs of documents of `sets`; its results do not depend on the kernel.
    pub fn new(sets: &'a ElementSets, measure: Measure, kernel: Kernel) -> Self {
        Self { sets, measure, kernel, sketches: None }
    }

    /// The same verifier with sketches of the same sets and measure, which refuse candidates before they are read.
    #[must_use]
    pub fn with_sketches(self, sketches: &'a OddSketches) -> Self {
        // Sketches are of sets; two fingerprints are compared in less time.
        Self { sketches: Some(sketches).filter(|_| self.measure.hamming().is_none()), ..self }
    }

    /// The sets whose pairs are verified.
    pub fn sets(&self) -> &'a ElementSets {
        self.sets
    }

    /// The measure by which pairs are verified.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// Number of elements of a document.
    pub fn size(&self, document: DocId) -> usize {
        self.sets.size(document)
    }

    /// The verified pair; `None` if its similarity is below the threshold.
    pub fn verify(&self, pair: CandidatePair) -> Option<VerifiedPair> {
        let CandidatePair { a, b } = pair;
        let sketches = self.sketches.filter(|sketches| sketches.are_in_use());
        if sketches.is_some_and(|sketches| sketches.refuse(self.sets, (self.measure, self.kernel), [a, b])) {
            return None;
        }
        let (left, right) = (self.sets.get(a), self.sets.get(b));
        let found = self.measure.verify(self.kernel, left, right);
        if found.is_none() && sketches.is_none() {
            self.sketches.iter().for_each(|sketches| sketches.note_refusal(left.len() + right.len()));
        }
        Some(VerifiedPair { a, b, found: found? })
    }

    /// Whether sketches would refuse a pair, if they were made; false without sketches.
    pub fn would_refuse(&self, pair: [DocId; 2]) -> bool {
        self.sketches.is_some_and(|sketches| sketches.would_refuse(self.sets, self.measure, pair))
    }

    /// The exact similarity of a verified pair, from 0 to 1.
    pub fn similarity(&self, pair: &VerifiedPair) -> f64 {
        self.measure.similarity(pair.found)
    }

    /// The similarity of a document and one with equal features.
    pub fn similarity_of_equals(&self, document: DocId) -> f64 {
        self.measure.similarity_of_equals(self.size(document))
    }

    /// The exact similarity of two arbitrary documents, from 0 to 1.
    pub fn similarity_of(&self, a: DocId, b: DocId) -> f64 {
        self.measure.similarity(self.measure.compare(self.sets.get(a), self.sets.get(b)))
    }
}

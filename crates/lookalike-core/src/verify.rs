//! The exact similarity of candidates: nothing is reported that did not pass here, whatever method found it.

use crate::candidates::CandidatePair;
use crate::document::DocId;
use crate::kernel::Kernel;
use crate::shingle_sets::ShingleSets;
use crate::similarity::Overlap;
use crate::threshold::Threshold;

/// Two documents whose exact similarity was computed and reaches the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifiedPair {
    /// One document.
    pub a: DocId,
    /// The other.
    pub b: DocId,
    /// Sizes of their sets and of the intersection; left is `a`, right is `b`.
    pub overlap: Overlap,
}

/// Computes exact similarities.
#[derive(Debug, Clone, Copy)]
pub struct Verifier<'a> {
    sets: &'a ShingleSets,
    threshold: Threshold,
    kernel: Kernel,
}

impl<'a> Verifier<'a> {
    /// A verifier of pairs of `sets` for `threshold` (inclusive).
    pub fn new(sets: &'a ShingleSets, threshold: Threshold) -> Self {
        Self::with_kernel(sets, threshold, Kernel::detect())
    }

    /// The same with a given version of the inner loops; the answers do not depend on it.
    pub fn with_kernel(sets: &'a ShingleSets, threshold: Threshold, kernel: Kernel) -> Self {
        Self { sets, threshold, kernel }
    }

    /// The threshold that pairs have to reach.
    pub fn threshold(&self) -> Threshold {
        self.threshold
    }

    /// Number of elements of a document.
    pub fn size(&self, document: DocId) -> usize {
        self.sets.size(document)
    }

    /// The pair with its overlap, if it reaches the threshold.
    pub fn verify(&self, pair: CandidatePair) -> Option<VerifiedPair> {
        let CandidatePair { a, b } = pair;
        let overlap = Overlap::with_kernel(self.kernel, self.sets.get(a), self.sets.get(b), self.threshold)?;
        Some(VerifiedPair { a, b, overlap })
    }

    /// The overlap of any two documents, whether it reaches the threshold or not.
    pub fn overlap(&self, a: DocId, b: DocId) -> Overlap {
        Overlap::of(self.sets.get(a), self.sets.get(b))
    }
}

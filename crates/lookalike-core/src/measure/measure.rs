//! The noun that defines similarity and its threshold.
//!
//! Filters, joins and decisions depend on these methods only, not on a particular similarity. A new measure is a
//! variant here and a file of algebra beside [`super::Jaccard`].

use super::{EmptyPolicy, Extent, Jaccard, Overlap, Threshold};
use crate::features::ElementSet;
use crate::kernel::Kernel;
use serde::{Deserialize, Serialize};

/// A similarity of documents with its threshold: the second noun of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "measure", rename_all = "snake_case")]
pub enum Measure {
    /// Jaccard similarity of sets; for bags, whose copies of an element are numbered, weighted Jaccard similarity.
    Jaccard(Jaccard),
}

impl Measure {
    /// Jaccard similarity of at least `threshold`; empty documents have no duplicates.
    pub fn jaccard(threshold: Threshold) -> Self {
        Self::Jaccard(Jaccard { threshold, empty: EmptyPolicy::Keep })
    }

    /// The minimum similarity (>=) of near-duplicates.
    pub fn threshold(self) -> Threshold {
        let Self::Jaccard(jaccard) = self;
        jaccard.threshold
    }

    /// Whether documents without elements are duplicates.
    pub fn empty(self) -> EmptyPolicy {
        let Self::Jaccard(jaccard) = self;
        jaccard.empty
    }

    /// Length of the prefix of a set of `size` elements, in any fixed order of the elements, of which every
    /// near-duplicate contains an element.
    pub fn prefix_length(self, size: usize) -> usize {
        let Self::Jaccard(jaccard) = self;
        jaccard.prefix_length(size)
    }

    /// The minimum Jaccard similarity that the element sets of near-duplicates have: what MinHash bands must find.
    pub fn min_jaccard(self) -> f64 {
        let Self::Jaccard(jaccard) = self;
        jaccard.threshold.as_f64()
    }

    /// Whether two documents that share a blocking key can be near-duplicates, by size and position; never false for
    /// near-duplicates.
    pub fn may_reach(self, probing: Extent, indexed: Extent) -> bool {
        let Self::Jaccard(jaccard) = self;
        jaccard.may_reach(probing, indexed)
    }

    /// Minimum number of common elements of two near-duplicates, given the sizes of their sets.
    pub fn required_overlap(self, left: usize, right: usize) -> usize {
        let Self::Jaccard(jaccard) = self;
        jaccard.required_overlap(left, right)
    }

    /// Maximum number of elements that are in one of the sets of two near-duplicates and not in the other, given their
    /// sizes; `None` if documents of these sizes are never near-duplicates.
    pub fn max_difference(self, left: usize, right: usize) -> Option<usize> {
        (left + right).checked_sub(2 * self.required_overlap(left, right))
    }

    /// The exact check: the overlap of two sets if they are near-duplicates. Stops as soon as they cannot be.
    pub fn verify(self, kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Option<Overlap> {
        let Self::Jaccard(jaccard) = self;
        jaccard.verify(kernel, left, right)
    }

    /// Whether two sets with this overlap are near-duplicates.
    pub fn is_reached(self, overlap: Overlap) -> bool {
        overlap.union() > 0 && overlap.common >= self.required_overlap(overlap.left, overlap.right)
    }

    /// The exact similarity of two sets, from 0 to 1, given their overlap.
    pub fn similarity(self, overlap: Overlap) -> f64 {
        let Self::Jaccard(_) = self;
        overlap.jaccard()
    }

    /// Whether the similarity that an earlier job has computed and stored is at or above the threshold. A stored
    /// similarity is rounded, so the comparison is one of rounded numbers.
    pub fn is_reached_by(self, similarity: f64) -> bool {
        similarity >= self.threshold().as_f64()
    }
}

impl Default for Measure {
    /// Jaccard similarity of at least 0.8.
    fn default() -> Self {
        Self::jaccard(Threshold::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_names_are_frozen() {
        let json = serde_json::to_string(&Measure::default()).unwrap();
        assert_eq!(json, r#"{"measure":"jaccard","threshold":0.8,"empty":"keep"}"#);
        assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), Measure::default());
        for damaged in [r#"{"measure":"cosine"}"#, r#"{"measure":"jaccard","threshold":1.5,"empty":"keep"}"#] {
            assert!(serde_json::from_str::<Measure>(damaged).is_err());
        }
    }
}

//! The noun that says what "alike" means, and from when on.
//!
//! Filters, joins and decisions ask these methods and nothing else: no other file knows what a Jaccard similarity is. A new measure
//! is a variant here and a file of algebra beside [`super::Jaccard`].

use super::{EmptyPolicy, Extent, Jaccard, Overlap, Threshold};
use crate::features::ElementSet;
use crate::kernel::Kernel;
use serde::{Deserialize, Serialize};

/// What "alike" means, and from when on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "measure", rename_all = "snake_case")]
pub enum Measure {
    /// Jaccard similarity of sets; of bags, where equal elements are numbered, weighted Jaccard similarity.
    Jaccard(Jaccard),
}

impl Measure {
    /// Jaccard similarity of at least `threshold`; empty documents are similar to nothing.
    pub fn jaccard(threshold: Threshold) -> Self {
        Self::Jaccard(Jaccard { threshold, empty: EmptyPolicy::Keep })
    }

    /// The similarity from which on documents are near-duplicates.
    pub fn threshold(self) -> Threshold {
        let Self::Jaccard(jaccard) = self;
        jaccard.threshold
    }

    /// What holds of documents without elements.
    pub fn empty(self) -> EmptyPolicy {
        let Self::Jaccard(jaccard) = self;
        jaccard.empty
    }

    /// Number of first elements of a set of `size` elements, in any fixed order of the elements, among which every near-duplicate
    /// shares one.
    pub fn prefix_length(self, size: usize) -> usize {
        let Self::Jaccard(jaccard) = self;
        jaccard.prefix_length(size)
    }

    /// Whether two documents that share a blocking key can be near-duplicates, by size and position: an upper bound that never
    /// refuses a near-duplicate.
    pub fn may_reach(self, probing: Extent, indexed: Extent) -> bool {
        let Self::Jaccard(jaccard) = self;
        jaccard.may_reach(probing, indexed)
    }

    /// The exact check: the overlap of two sets if they are near-duplicates, given up as soon as they cannot be.
    pub fn verify(self, kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Option<Overlap> {
        let Self::Jaccard(jaccard) = self;
        jaccard.verify(kernel, left, right)
    }

    /// The final figure: the exact similarity of two sets, from 0 to 1.
    pub fn similarity(self, overlap: Overlap) -> f64 {
        let Self::Jaccard(_) = self;
        overlap.jaccard()
    }

    /// Whether a similarity that was computed and written before reaches the threshold.
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

//! Exact similarity of two shingle sets, from their sizes and the number of common elements.
//!
//! Sets are strictly ascending slices of element hashes. A bag is such a set too, whose elements are (shingle, i-th
//! occurrence) pairs (see [`crate::shingle`]): its intersection then counts the smaller and its union the larger of the two
//! frequencies of each shingle, so the Jaccard similarity of the elements is the weighted Jaccard similarity of the bags.

use crate::kernel::Kernel;
use crate::threshold::Threshold;

/// Sizes of two sets and of their intersection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// Elements in both sets.
    pub common: usize,
    /// Elements of the first set.
    pub left: usize,
    /// Elements of the second set.
    pub right: usize,
}

impl Overlap {
    /// Counts the common elements of two strictly ascending slices.
    pub fn of(left: &[u64], right: &[u64]) -> Self {
        // Required 0 is always reached.
        let common = Kernel::detect().count_common_at_least(left, right, 0).unwrap_or(0);
        Self { common, left: left.len(), right: right.len() }
    }

    /// The overlap if it reaches `threshold`, else `None`, found as early as the remaining elements allow.
    pub fn of_at_least(left: &[u64], right: &[u64], threshold: Threshold) -> Option<Self> {
        Self::with_kernel(Kernel::detect(), left, right, threshold)
    }

    /// The same with a given version of the inner loops; the overlap does not depend on it.
    pub(crate) fn with_kernel(kernel: Kernel, left: &[u64], right: &[u64], threshold: Threshold) -> Option<Self> {
        let required = threshold.required_overlap(left.len(), right.len());
        let common = kernel.count_common_at_least(left, right, required)?;
        let overlap = Self { common, left: left.len(), right: right.len() };
        (overlap.union() > 0).then_some(overlap)
    }

    /// Elements in at least one of the sets.
    pub fn union(self) -> usize {
        self.left + self.right - self.common
    }

    /// Jaccard similarity |A n B| / |A u B| (Broder 1997: resemblance); 0 for two empty sets.
    pub fn jaccard(self) -> f64 {
        ratio(self.common, self.union())
    }

    /// Containment |A n B| / |A| of the first set in the second; 0 for an empty first set.
    pub fn containment_of_left(self) -> f64 {
        ratio(self.common, self.left)
    }

    /// Containment |A n B| / |B| of the second set in the first; 0 for an empty second set.
    pub fn containment_of_right(self) -> f64 {
        ratio(self.common, self.right)
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert_eq, proptest};
    use std::collections::BTreeSet;

    fn bits(text: &str) -> Vec<u64> {
        text.bytes().zip(0..).filter(|&(bit, _)| bit == b'1').map(|(_, row)| row).collect()
    }

    #[test]
    fn bit_vectors_10111_and_10011_are_three_quarters_similar() {
        let overlap = Overlap::of(&bits("10111"), &bits("10011"));
        assert_eq!(overlap.jaccard(), 0.75);
        assert_eq!((overlap.containment_of_left(), overlap.containment_of_right()), (0.75, 1.0));
    }

    #[test]
    fn empty_sets_are_similar_to_nothing() {
        assert_eq!(Overlap::of(&[], &[]).jaccard(), 0.0);
        assert_eq!(Overlap::of_at_least(&[], &[], Threshold::default()), None);
        assert_eq!(Overlap::of_at_least(&[], &[1], Threshold::default()), None);
    }

    proptest! {
        #[test]
        fn merge_equals_set_operations(left in proptest::collection::btree_set(0u64..80, 0..60),
                                       right in proptest::collection::btree_set(any::<u8>().prop_map(|v| u64::from(v) / 3), 0..60),
                                       percent in 1u32..=100) {
            let threshold = Threshold::try_from(f64::from(percent) / 100.0).unwrap();
            let (a, b): (Vec<u64>, Vec<u64>) = (left.iter().copied().collect(), right.iter().copied().collect());
            let overlap = Overlap::of(&a, &b);
            prop_assert_eq!(overlap.common, left.intersection(&right).count());
            prop_assert_eq!(overlap.union(), left.union(&right).collect::<BTreeSet<_>>().len());
            let reached = overlap.union() > 0 && threshold.reached_by(overlap.common, overlap.union());
            prop_assert_eq!(Overlap::of_at_least(&a, &b, threshold), reached.then_some(overlap));
        }
    }

    use proptest::strategy::Strategy;
}

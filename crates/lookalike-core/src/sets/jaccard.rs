//! The algebra of the Jaccard similarity |A n B| / |A u B| (Broder 1997: resemblance), in integers.
//!
//! With J >= t for sets of a and b elements, c of them common:
//!
//! ```text
//! c / (a + b - c) >= t   is the same as   c >= (a + b) t / (1 + t)      required overlap
//! c <= b                 and so           b >= t a                      minimum size of a partner
//! ```
//!
//! Then, under any fixed order of the elements, B contains at least one of the first a - ceil(t a) + 1 elements of A,
//! its prefix (prefix filter: Bayardo, Ma, Srikant 2007; Xiao et al. 2008). If i elements of A and j elements of B
//! precede the first common element, then at most min(a - i, b - j) elements are common (position filter: Xiao et al.
//! 2008).

use crate::base::details::MethodKind;
use crate::keys::{Bounds, Extent};
use crate::similarity::{Algebra, EmptyPolicy, Limit, Threshold, scale_up};
use serde::{Deserialize, Serialize};

/// The Jaccard similarity with its threshold, and the treatment of empty documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jaccard {
    /// Minimum similarity (>=) of near-duplicates.
    pub threshold: Threshold,
    /// True if documents without elements are duplicates of each other.
    pub empty: EmptyPolicy,
}

impl Jaccard {
    /// Returns whether two sets with a sum of sizes `total` reach the threshold with `common` common elements: the same
    /// as `common >= required_overlap`, without a division.
    fn allows_overlap(self, common: usize, total: usize) -> bool {
        let (numerator, denominator) = self.threshold.fraction();
        common as u128 * u128::from(numerator + denominator) >= total as u128 * u128::from(numerator)
    }

    /// The minimum size of a set that can reach the threshold with a set of `size` elements: ceil(t size).
    pub fn min_partner(self, size: usize) -> usize {
        self.threshold.part_of(size)
    }
}

impl Bounds for Jaccard {
    /// size - ceil(t size) + 1; 0 for an empty set.
    fn prefix_length(&self, size: usize) -> usize {
        if size == 0 { 0 } else { size - self.min_partner(size) + 1 }
    }

    /// The bound holds at the first common element, which has no common elements before it; at a later one it may be
    /// too low, but then the pair has passed at the first.
    fn may_reach(&self, probing: Extent, indexed: Extent) -> bool {
        self.allows_overlap(probing.max_common(indexed) as usize, probing.size as usize + indexed.size as usize)
    }

    fn required_overlap(&self, left: usize, right: usize) -> usize {
        let (numerator, denominator) = self.threshold.fraction();
        scale_up(left + right, numerator, numerator + denominator)
    }
}

impl Algebra for Jaccard {
    fn name(&self) -> &'static str {
        "jaccard"
    }

    fn methods(&self) -> &'static [MethodKind] {
        &[MethodKind::Exact, MethodKind::MinHash]
    }

    fn limit(&self) -> Limit {
        Limit::Similarity(self.threshold)
    }

    fn empty(&self) -> EmptyPolicy {
        self.empty
    }

    fn min_jaccard(&self) -> Option<f64> {
        Some(self.threshold.as_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::Measure;
    use crate::comparison::tests::check_measure_of_sets;
    use crate::documents::ElementSet;
    use crate::kernel::Kernel;
    use crate::similarity::{Agreement, Overlap};
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
    use proptest::strategy::Strategy;
    use std::collections::BTreeSet;

    fn jaccard(percent: u32) -> Jaccard {
        let threshold = (f64::from(percent) / 100.0).try_into().unwrap();
        Jaccard { threshold, empty: EmptyPolicy::Keep }
    }

    #[test]
    fn empty_sets_are_similar_to_nothing() {
        let one = [1];
        for right in [&[][..], &one] {
            let [left, right] = [&[], right].map(|elements| ElementSet::new(elements).unwrap());
            assert_eq!(jaccard(80).verify(Kernel::detect(), left, right), None);
        }
    }

    proptest! {
        #[test]
        fn all_methods_find_what_the_definition_says(
            seed in 0u64..1_000_000, count in 0usize..40, percent in 1u32..=100,
        ) {
            let jaccard = jaccard(percent);
            let is_near = |Overlap { common, left, right }: Overlap| {
                common > 0 && jaccard.threshold.is_reached_by(common, left + right - common)
            };
            check_measure_of_sets(seed, count, Measure::Jaccard(jaccard), is_near);
        }

        #[test]
        fn bounds_are_the_least_that_reach(percent in 1u32..=100, left in 1usize..200, right in 1usize..200) {
            let jaccard = jaccard(percent);
            let reached = |common, union| jaccard.threshold.is_reached_by(common, union);
            let least = (0..=left + right).find(|&common| reached(common, left + right - common)).unwrap();
            prop_assert_eq!(jaccard.required_overlap(left, right), least);
            prop_assert!(jaccard.allows_overlap(least, left + right));
            prop_assert!(least == 0 || !jaccard.allows_overlap(least - 1, left + right));
            let partner = jaccard.min_partner(left);
            prop_assert!(reached(partner, left));
            prop_assert!(partner == 0 || !reached(partner - 1, left));
            prop_assert!((1..=left).contains(&jaccard.prefix_length(left)));
        }

        #[test]
        fn the_exact_check_equals_set_operations(
            left in proptest::collection::btree_set(0u64..80, 0..60),
            right in proptest::collection::btree_set(any::<u8>().prop_map(|v| u64::from(v) / 3), 0..60),
            percent in 1u32..=100,
        ) {
            let jaccard = jaccard(percent);
            let a: Vec<u64> = left.iter().copied().collect();
            let b: Vec<u64> = right.iter().copied().collect();
            let a = ElementSet::new(&a).unwrap();
            let b = ElementSet::new(&b).unwrap();
            let overlap = Overlap::new(a, b);
            prop_assert_eq!(overlap.common, left.intersection(&right).count());
            prop_assert_eq!(overlap.union(), left.union(&right).collect::<BTreeSet<_>>().len());
            let is_near = overlap.union() > 0 && jaccard.threshold.is_reached_by(overlap.common, overlap.union());
            for &kernel in Kernel::available() {
                let found = jaccard.verify(kernel, a, b);
                prop_assert_eq!(found, is_near.then_some(Agreement::Sets(overlap)));
            }
        }
    }
}

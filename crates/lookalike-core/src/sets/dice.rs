//! The algebra of the Dice coefficient 2 |A n B| / (|A| + |B|) (Dice 1945; Sorensen 1948), in integers.
//!
//! With D >= t for sets of a and b elements, c of them common:
//!
//! ```text
//! 2 c / (a + b) >= t   is the same as   c >= (a + b) t / 2               required overlap
//! c <= b               and so           b >= a t / (2 - t)               minimum size of a partner
//! b >= c               and so           c >= a t / (2 - t)               common elements with any partner
//! ```
//!
//! So the prefix of A is its first a - ceil(a t / (2 - t)) + 1 elements, as for Jaccard (see [`super::Jaccard`]) with
//! t / (2 - t) in place of t: D = 2 J / (1 + J), and two sets reach t by D where they reach t / (2 - t) by J.

use crate::base::details::MethodKind;
use crate::keys::{Bounds, Extent};
use crate::similarity::{Algebra, EmptyPolicy, Limit, Overlap, Threshold, scale_up};
use serde::{Deserialize, Serialize};

/// The Dice coefficient with its threshold, and the treatment of empty documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dice {
    /// Minimum coefficient (>=) of near-duplicates.
    pub threshold: Threshold,
    /// True if documents without elements are duplicates of each other.
    pub empty: EmptyPolicy,
}

impl Dice {
    /// Returns whether two sets with a sum of sizes `total` reach the threshold with `common` common elements: the same
    /// as `common >= required_overlap`, without a division.
    fn allows_overlap(self, common: usize, total: usize) -> bool {
        let (numerator, denominator) = self.threshold.fraction();
        2 * common as u128 * u128::from(denominator) >= total as u128 * u128::from(numerator)
    }

    /// The minimum size of a set that can reach the threshold with a set of `size` elements, and the minimum number of
    /// elements that are common then: ceil(size t / (2 - t)).
    fn min_partner(self, size: usize) -> usize {
        let (numerator, denominator) = self.threshold.fraction();
        scale_up(size, numerator, 2 * denominator - numerator)
    }
}

impl Bounds for Dice {
    /// size - ceil(size t / (2 - t)) + 1; 0 for an empty set.
    fn prefix_length(&self, size: usize) -> usize {
        if size == 0 { 0 } else { size - self.min_partner(size) + 1 }
    }

    /// The bound holds at the first common element, as for Jaccard.
    fn may_reach(&self, probing: Extent, indexed: Extent) -> bool {
        self.allows_overlap(probing.max_common(indexed) as usize, probing.size as usize + indexed.size as usize)
    }

    fn required_overlap(&self, left: usize, right: usize) -> usize {
        let (numerator, denominator) = self.threshold.fraction();
        scale_up(left + right, numerator, 2 * denominator)
    }
}

impl Algebra for Dice {
    fn name(&self) -> &'static str {
        "dice"
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

    /// t / (2 - t).
    fn min_jaccard(&self) -> Option<f64> {
        let threshold = self.threshold.as_f64();
        Some(threshold / (2.0 - threshold))
    }

    fn similarity_of_sets(&self, overlap: Overlap) -> f64 {
        2.0 * overlap.common as f64 / (overlap.left + overlap.right).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::Measure;
    use crate::comparison::tests::check_measure_of_sets;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    fn dice(percent: u32) -> Dice {
        let threshold = (f64::from(percent) / 100.0).try_into().unwrap();
        Dice { threshold, empty: EmptyPolicy::Keep }
    }

    #[test]
    fn stored_names_are_frozen() {
        let json = serde_json::to_string(&Measure::Dice(dice(80))).unwrap();
        assert_eq!(json, r#"{"measure":"dice","threshold":0.8,"empty":"keep"}"#);
        assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), Measure::Dice(dice(80)));
    }

    #[test]
    fn four_of_six_and_four_common_elements_are_eight_tenths() {
        let overlap = Overlap { common: 4, left: 6, right: 4 };
        assert_eq!(dice(80).similarity_of_sets(overlap), 0.8);
        assert!(Measure::Dice(dice(80)).is_reached(overlap) && !Measure::Dice(dice(81)).is_reached(overlap));
        assert_eq!(dice(80).similarity_of_sets(Overlap { common: 0, left: 0, right: 0 }), 0.0);
    }

    proptest! {
        #[test]
        fn bounds_are_the_least_that_reach(percent in 1u32..=100, left in 1usize..200, right in 1usize..200) {
            let dice = dice(percent);
            let reaches = |common: usize, total: usize| dice.threshold.is_reached_by(2 * common, total);
            let least = (0..=left + right).find(|&common| reaches(common, left + right)).unwrap();
            prop_assert_eq!(dice.required_overlap(left, right), least);
            prop_assert!(dice.allows_overlap(least, left + right) && !dice.allows_overlap(least - 1, left + right));
            // A partner has as many elements as are common, at least.
            let partner = (1..=left).find(|&size| reaches(size, left + size)).unwrap();
            prop_assert_eq!(dice.prefix_length(left), left - partner + 1);
            // The Jaccard similarity that MinHash can count on, but for rounding.
            let jaccard = least as f64 / (left + right - least) as f64;
            prop_assert!(least > left.min(right) || jaccard >= dice.min_jaccard().unwrap() - 1e-12);
        }

        #[test]
        fn all_methods_find_what_the_definition_says(
            seed in 0u64..1_000_000, count in 0usize..40, percent in 1u32..=100,
        ) {
            let threshold = dice(percent).threshold;
            let is_near = |Overlap { common, left, right }: Overlap| {
                common > 0 && threshold.is_reached_by(2 * common, left + right)
            };
            check_measure_of_sets(seed, count, Measure::Dice(dice(percent)), is_near);
        }
    }
}

//! Whether two documents are near-duplicates by a measure, and why.

use crate::measure::{Agreement, DifferingBits, EmptyPolicy, Hamming, Measure, Overlap};
use crate::rule::Reason;

/// What a measure says of two documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Their similarity.
    pub similarity: f64,
    /// What they have in common, if they are near-duplicates.
    pub reason: Option<Reason>,
}

impl Verdict {
    /// Of two sets with this overlap. `identical` is `None` for texts that are not equal byte for byte; else it says
    /// whether they have no bytes at all. Documents without elements are near-duplicates if their texts are identical;
    /// of texts of zero bytes the measure decides.
    pub(super) fn of_sets(measure: Measure, overlap: Overlap, identical: Option<bool>) -> Self {
        let is_nothing = overlap.left == 0 && overlap.right == 0;
        let are_equal = overlap.is_of_equal_sets() && !is_nothing;
        let is_found = match identical {
            Some(has_no_bytes) if is_nothing => !has_no_bytes || measure.empty() == EmptyPolicy::Duplicate,
            _ if are_equal => measure.is_reached_by_equals(overlap.left),
            _ => measure.is_reached(overlap),
        };
        let reason = match () {
            () if identical.is_some() => Reason::Identical,
            () if are_equal => Reason::Equal,
            () => Reason::Near,
        };
        let similarity = match is_nothing && is_found {
            true => measure.similarity_of_equals(0),
            false => measure.similarity(Agreement::Sets(overlap)),
        };
        Self { similarity, reason: is_found.then_some(reason) }
    }

    /// Of two fingerprints.
    pub fn of_bits(hamming: Hamming, bits: DifferingBits) -> Self {
        let is_found = bits.differing <= hamming.distance;
        let reason = if bits.differing == 0 { Reason::Equal } else { Reason::Near };
        Self { similarity: bits.similarity(), reason: is_found.then_some(reason) }
    }
}

#[cfg(test)]
mod tests {
    use crate::evidence::compare;
    use crate::features::Features;
    use crate::measure::{CommonElements, EmptyPolicy, Jaccard, Measure, Threshold};
    use crate::rule::Reason;

    fn verdict(measure: Measure, left: &str, right: &str) -> (f64, Option<Reason>) {
        let found = compare(&Features::default(), left, right).unwrap();
        let found = found.verdict(measure, found.overlap);
        (found.similarity, found.reason)
    }

    #[test]
    fn reasons_are_those_of_removals() {
        let jaccard = Measure::default();
        let text = "one two three four five six";
        assert_eq!(verdict(jaccard, text, text), (1.0, Some(Reason::Identical)));
        assert_eq!(verdict(jaccard, text, "One two three, four five six."), (1.0, Some(Reason::Equal)));
        assert_eq!(verdict(jaccard, text, "one two three four five seven"), (1.0 / 3.0, None));
        let low = Measure::jaccard("0.3".parse().unwrap());
        assert_eq!(verdict(low, text, "one two three four five seven"), (1.0 / 3.0, Some(Reason::Near)));
    }

    #[test]
    fn texts_without_words_are_duplicates_of_identical_ones() {
        let jaccard = Measure::default();
        assert_eq!(verdict(jaccard, "!!", "!!"), (1.0, Some(Reason::Identical)));
        assert_eq!(verdict(jaccard, "!!", "??").1, None);
        assert_eq!(verdict(jaccard, "", "").1, None);
        let empty = Measure::Jaccard(Jaccard { threshold: Threshold::default(), empty: EmptyPolicy::Duplicate });
        assert_eq!(verdict(empty, "", ""), (1.0, Some(Reason::Identical)));
    }

    #[test]
    fn equal_sets_may_be_too_small() {
        let overlap = |min_common| Measure::Overlap(CommonElements { min_common, empty: EmptyPolicy::Keep });
        let text = "one two three four five six";
        assert_eq!(verdict(overlap(2), text, text), (2.0, Some(Reason::Identical)));
        assert_eq!(verdict(overlap(3), text, text), (2.0, None));
    }
}

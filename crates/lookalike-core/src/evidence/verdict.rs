//! Verdict whether two documents are near-duplicates by a measure, and why.

use crate::base::DocId;
use crate::bits::Hamming;
use crate::comparison::{Measure, PairCheck};
use crate::documents::{ElementSet, WeightedSet};
use crate::kernel::Kernel;
use crate::rule::Reason;
use crate::similarity::{Agreement, CandidatePair, DifferingBits, EmptyPolicy, Overlap};

/// Verdict of a measure on two documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Similarity of the two.
    pub similarity: f64,
    /// Common part of the two, if they are near-duplicates.
    pub reason: Option<Reason>,
}

/// Relation of two texts as they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextRelation {
    Different,
    /// Equal byte for byte.
    Identical,
    /// Two texts of zero bytes.
    BothEmpty,
}

/// Relation of the elements of two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementRelation {
    Different,
    Equal,
}

impl TextRelation {
    pub(super) fn compare(left: &str, right: &str) -> Self {
        if left != right {
            Self::Different
        } else if left.is_empty() {
            Self::BothEmpty
        } else {
            Self::Identical
        }
    }

    /// Returns whether documents without elements are near-duplicates: if their texts are identical; of texts of zero
    /// bytes the policy decides.
    fn are_duplicates(self, empty: EmptyPolicy) -> bool {
        match self {
            Self::Different => false,
            Self::Identical => true,
            Self::BothEmpty => empty == EmptyPolicy::Duplicate,
        }
    }

    /// The reason of near-duplicates with these texts and elements.
    pub(super) fn reason(self, elements: ElementRelation) -> Reason {
        match (self, elements) {
            (Self::Identical | Self::BothEmpty, _) => Reason::Identical,
            (Self::Different, ElementRelation::Equal) => Reason::Equal,
            (Self::Different, ElementRelation::Different) => Reason::Near,
        }
    }
}

impl Verdict {
    /// The verdict on two sets with this overlap.
    pub(super) fn of_sets(measure: Measure, overlap: Overlap, texts: TextRelation) -> Self {
        if overlap.left == 0 && overlap.right == 0 {
            return Self::without_elements(texts, measure.empty(), measure.similarity_of_equals(0));
        }
        let (elements, is_found) = if overlap.is_of_equal_sets() {
            (ElementRelation::Equal, measure.is_reached_by_equals(overlap.left))
        } else {
            (ElementRelation::Different, measure.is_reached(overlap))
        };
        let similarity = measure.similarity(Agreement::Sets(overlap));
        Self { similarity, reason: is_found.then(|| texts.reason(elements)) }
    }

    /// The verdict on two documents without elements, whose similarity is that of equal ones if they are duplicates.
    pub(super) fn without_elements(texts: TextRelation, empty: EmptyPolicy, of_equals: f64) -> Self {
        let is_found = texts.are_duplicates(empty);
        let similarity = if is_found { of_equals } else { 0.0 };
        Self { similarity, reason: is_found.then_some(Reason::Identical) }
    }

    /// The verdict on the words of two vectors of as many dimensions; `None` by a measure of other documents.
    pub fn of_vectors(measure: Measure, [left, right]: [ElementSet<'_>; 2]) -> Option<Self> {
        let kernel = Kernel::detect();
        let reason = if left == right { Reason::Identical } else { Reason::Near };
        let pair = CandidatePair { a: DocId(0), b: DocId(1) };
        let vectors = [left, right].map(|words| WeightedSet::of_ones(words.elements()));
        let is_found = PairCheck::new(measure).verify(kernel, pair, vectors).is_some();
        let similarity = measure.similarity(measure.compare(kernel, left, right));
        measure.is_of_vectors().then_some(Self { similarity, reason: is_found.then_some(reason) })
    }

    /// The verdict on two fingerprints.
    pub fn of_bits(hamming: Hamming, bits: DifferingBits) -> Self {
        let is_found = bits.differing <= hamming.distance;
        let reason = if bits.differing == 0 { Reason::Equal } else { Reason::Near };
        Self { similarity: bits.similarity(), reason: is_found.then_some(reason) }
    }
}

#[cfg(test)]
mod tests {
    use crate::comparison::{Features, Measure};
    use crate::evidence::compare;
    use crate::rule::Reason;
    use crate::sets::{CommonElements, Jaccard};
    use crate::similarity::{EmptyPolicy, Threshold};

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

//! The algebra of containment |A n B| / |A| (Broder 1997), in integers.
//!
//! With `Side::Either`, two sets of a and b elements, c of them common, are near-duplicates if c / a >= t or
//! c / b >= t. That is c >= t min(a, b): a condition on the smaller set alone, which is the contained one. So the two
//! sides of a pair have different blocking keys:
//!
//! ```text
//! contained    its prefix, the first a - ceil(t a) + 1 elements in the common order    one of them is in the container
//! container    all its elements
//! ```

use crate::keys::{Bounds, Extent};
use crate::similarity::{Algebra, EmptyPolicy, Figure, Limit, Overlap, Threshold};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Containment with its threshold, and which document of a pair must be contained in the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Containment {
    /// Minimum share (>=) of the contained document that is in the other.
    pub threshold: Threshold,
    /// Side of the document that must be contained in the other.
    #[serde(default)]
    pub contained: Side,
    /// True if documents without elements are duplicates of each other.
    pub empty: EmptyPolicy,
}

/// The document of a pair that must be contained in the other. Stored in lower case, joined by `-`.
///
/// Of a comparison with references, the probing document is the input, and the indexed one is the reference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// One of the two, whichever it is.
    #[default]
    Either,
    /// The input in the reference.
    InReference,
    /// The reference in the input.
    OfReference,
}

impl Bounds for Containment {
    /// Returns the length for a contained set: size - ceil(t size) + 1; 0 for an empty set.
    fn prefix_length(&self, size: usize) -> usize {
        if size == 0 { 0 } else { size - self.threshold.part_of(size) + 1 }
    }

    /// Returns the number of all elements: one in the prefix of the contained document is anywhere in the container.
    fn common_prefix_length(&self, size: usize) -> usize {
        size
    }

    /// The key must be in the prefix of the contained set, and enough elements must be left in both.
    ///
    /// Called for every posting, so nothing is divided: a position p is in the prefix of size - ceil(t size) + 1
    /// elements where size - p >= t size. In the contained set and in any container of its size and more, enough is
    /// left then.
    fn may_reach(&self, probing: Extent, indexed: Extent) -> bool {
        match (self.contained, probing.size.cmp(&indexed.size)) {
            (Side::Either, Ordering::Less) => self.is_in_prefix(probing),
            (Side::Either, Ordering::Greater) => self.is_in_prefix(indexed),
            (Side::Either, Ordering::Equal) => self.is_in_prefix(probing) || self.is_in_prefix(indexed),
            (Side::InReference, _) => self.may_hold(indexed, probing),
            (Side::OfReference, _) => self.may_hold(probing, indexed),
        }
    }

    fn required_overlap(&self, probing: usize, indexed: usize) -> usize {
        let contained = match self.contained {
            Side::Either => probing.min(indexed),
            Side::InReference => probing,
            Side::OfReference => indexed,
        };
        self.threshold.part_of(contained).max(1)
    }
}

impl Algebra for Containment {
    fn name(&self) -> &'static str {
        "containment"
    }

    fn figure(&self) -> Figure {
        Figure::Containment
    }

    fn limit(&self) -> Limit {
        Limit::Similarity(self.threshold)
    }

    fn empty(&self) -> EmptyPolicy {
        self.empty
    }

    /// The share of the contained document that is in the other; of the smaller one if either may be contained.
    fn similarity_of_sets(&self, overlap: Overlap) -> f64 {
        match self.contained {
            Side::Either => overlap.containment_of_left().max(overlap.containment_of_right()),
            Side::InReference => overlap.containment_of_left(),
            Side::OfReference => overlap.containment_of_right(),
        }
    }
}

impl Containment {
    /// Returns whether what is stored for this measure has the similarities of `requested`, whatever the limits.
    pub(crate) fn has_side_of(self, requested: Self) -> bool {
        [requested.contained, Side::Either].contains(&self.contained)
    }

    /// Returns whether a key is in the prefix of a contained set.
    fn is_in_prefix(self, contained: Extent) -> bool {
        let Extent { size, position } = contained;
        position < size && self.threshold.is_reached_by((size - position) as usize, size as usize)
    }

    fn may_hold(self, container: Extent, contained: Extent) -> bool {
        let is_enough_left = || self.max_rest(container) >= self.threshold.part_of(contained.size as usize);
        self.is_in_prefix(contained) && (container.size >= contained.size || is_enough_left())
    }

    /// Upper bound of the number of elements of a container from a key on. The positions of keys behind the prefix are
    /// not known, or not even that the prefix precedes them.
    fn max_rest(self, container: Extent) -> usize {
        let Extent { size, position } = container;
        match position {
            Extent::BEHIND => size as usize,
            _ => (size.saturating_sub(position) as usize).max(self.threshold.part_of(size as usize)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similarity::EmptyPolicy;

    /// The filter as its definition says it: by lengths of prefixes and numbers of elements.
    fn may_reach_by_counts(measure: Containment, probing: Extent, indexed: Extent) -> bool {
        let prefixes = [probing, indexed].map(|extent| measure.prefix_length(extent.size as usize));
        let in_prefix = |which: usize| ([probing, indexed][which].position as usize) < prefixes[which];
        let by_prefix = match (measure.contained, probing.size.cmp(&indexed.size)) {
            (Side::InReference, _) | (Side::Either, Ordering::Less) => in_prefix(0),
            (Side::OfReference, _) | (Side::Either, Ordering::Greater) => in_prefix(1),
            (Side::Either, Ordering::Equal) => in_prefix(0) || in_prefix(1),
        };
        let rest = |which: usize| match [probing, indexed][which] {
            Extent { size, position: Extent::BEHIND } => size as usize,
            Extent { size, position } => size as usize - (position as usize).min(prefixes[which].saturating_sub(1)),
        };
        by_prefix && rest(0).min(rest(1)) >= measure.required_overlap(probing.size as usize, indexed.size as usize)
    }

    #[test]
    fn the_filter_counts_without_dividing() {
        let positions = |size: u32| (0..=size).chain([Extent::BEHIND]).map(move |position| Extent { size, position });
        let extents: Vec<Extent> = (0..12).flat_map(positions).collect();
        for threshold in [0.01, 0.3, 0.5, 0.8, 0.9, 1.0] {
            for contained in [Side::Either, Side::InReference, Side::OfReference] {
                let threshold = threshold.try_into().unwrap();
                let measure = Containment { threshold, contained, empty: EmptyPolicy::Keep };
                for &probing in &extents {
                    for &indexed in &extents {
                        let expected = may_reach_by_counts(measure, probing, indexed);
                        assert_eq!(
                            measure.may_reach(probing, indexed),
                            expected,
                            "{measure:?} {probing:?} {indexed:?}"
                        );
                    }
                }
            }
        }
    }
}

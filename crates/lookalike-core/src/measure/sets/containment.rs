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

use crate::measure::{EmptyPolicy, Extent, Overlap, Threshold};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Containment with its threshold, and which document of a pair must be contained in the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Containment {
    /// Minimum share (>=) of the contained document that is in the other.
    pub threshold: Threshold,
    /// Which document must be contained in the other.
    #[serde(default)]
    pub contained: Side,
    /// Whether documents without elements are duplicates of each other.
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

impl Containment {
    /// The minimum number of common elements with which a probing set of `probing` elements and an indexed one of
    /// `indexed` elements reach the threshold.
    pub fn required_overlap(self, probing: usize, indexed: usize) -> usize {
        let contained = match self.contained {
            Side::Either => probing.min(indexed),
            Side::InReference => probing,
            Side::OfReference => indexed,
        };
        self.threshold.part_of(contained).max(1)
    }

    /// The share of the contained document that is in the other; of the smaller one if either may be contained. The
    /// first set is the probing one.
    pub fn similarity(self, overlap: Overlap) -> f64 {
        match self.contained {
            Side::Either => overlap.containment_of_left().max(overlap.containment_of_right()),
            Side::InReference => overlap.containment_of_left(),
            Side::OfReference => overlap.containment_of_right(),
        }
    }

    /// Length of the prefix of a contained set of `size` elements, of which every container has an element: size -
    /// ceil(t size) + 1; 0 for an empty set.
    pub fn contained_prefix_length(self, size: usize) -> usize {
        if size == 0 { 0 } else { size - self.threshold.part_of(size) + 1 }
    }

    /// Whether two sets that share a blocking key can reach the threshold under it: the key must be in the prefix of
    /// the contained set, and enough elements must be left in both.
    pub fn may_reach(self, probing: Extent, indexed: Extent) -> bool {
        let [(probing_size, probing_prefix), (indexed_size, indexed_prefix)] = [probing, indexed].map(|extent| {
            let size = extent.size as usize;
            (size, self.contained_prefix_length(size))
        });
        let is_probing_contained = (probing.position as usize) < probing_prefix;
        let is_indexed_contained = (indexed.position as usize) < indexed_prefix;
        let by_prefix = match (self.contained, probing_size.cmp(&indexed_size)) {
            (Side::InReference, _) | (Side::Either, Ordering::Less) => is_probing_contained,
            (Side::OfReference, _) | (Side::Either, Ordering::Greater) => is_indexed_contained,
            (Side::Either, Ordering::Equal) => is_probing_contained || is_indexed_contained,
        };
        let rest = rest(probing, probing_prefix).min(rest(indexed, indexed_prefix));
        by_prefix && rest >= self.required_overlap(probing_size, indexed_size)
    }
}

/// Upper bound of the number of elements from a key on. The positions of keys behind the prefix are not known, or not
/// even that the prefix precedes them.
fn rest(extent: Extent, prefix_length: usize) -> usize {
    if extent.position == Extent::BEHIND {
        return extent.size as usize;
    }
    extent.size as usize - (extent.position as usize).min(prefix_length.saturating_sub(1))
}

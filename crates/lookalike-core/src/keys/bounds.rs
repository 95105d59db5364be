//! Bounds of a measure for blocking keys and their index: integers, by which most candidates are refused without
//! reading their sets.

use super::{Extent, Postings};
use std::fmt;

/// The bounds of one measure for filters. A default bounds nothing: every candidate is verified. The exact check of
/// sets takes `required_overlap` as the definition of the measure, so a measure of sets gives it exactly.
pub trait Bounds: fmt::Debug + Send + Sync {
    /// Length of the prefix of a set of `size` elements, in any fixed order of the elements, of which every
    /// near-duplicate contains an element; of a containment, every container.
    fn prefix_length(&self, size: usize) -> usize {
        size
    }

    /// Length of the prefixes such that two near-duplicates have an element in common that is in the prefixes of both.
    fn common_prefix_length(&self, size: usize) -> usize {
        self.prefix_length(size)
    }

    /// Whether two documents that share a blocking key can be near-duplicates, by size and position; never false for
    /// near-duplicates under the first key that they share. Of a comparison with references, the first is the input.
    fn may_reach(&self, _probing: Extent, _indexed: Extent) -> bool {
        true
    }

    /// Appends the ranks of the postings that [`Bounds::may_reach`] lets pass, and returns how many were looked at.
    /// Each measure has a loop of its own: a choice of the measure would run for every posting.
    fn append_passing(&self, probing: Extent, postings: Postings<'_>, found: &mut Vec<u32>) -> usize {
        postings.append(|indexed| self.may_reach(probing, indexed), found)
    }

    /// Minimum number of common elements of two near-duplicates, given the sizes of their sets. Of a comparison with
    /// references, the first is the input.
    fn required_overlap(&self, _left: usize, _right: usize) -> usize {
        0
    }

    /// Maximum number of elements that are in one of the sets of two near-duplicates and not in the other, given their
    /// sizes; `None` if documents of these sizes are never near-duplicates.
    fn max_difference(&self, left: usize, right: usize) -> Option<usize> {
        (left + right).checked_sub(2 * self.required_overlap(left, right))
    }

    /// Whether near-duplicates have a minimum number of common elements, which sketches of sets rely on.
    fn bounds_overlap(&self) -> bool {
        self.required_overlap(1, 1) > 0
    }
}

//! Bounds of a measure for blocking keys and their index: integers, by which most candidates are refused without
//! reading their sets.

use bytemuck::Zeroable;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

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

    /// Returns whether two documents that share a blocking key can be near-duplicates, by size and position; never
    /// false for near-duplicates under the first key that they share. Of a comparison with references, the first is the
    /// input.
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

    /// Returns whether near-duplicates have a minimum number of common elements, which sketches of sets rely on.
    fn bounds_overlap(&self) -> bool {
        self.required_overlap(1, 1) > 0
    }
}

/// Size of a document and position of one of its blocking keys, by which most candidates are refused without reading
/// their sets ([`Bounds::may_reach`]).
///
/// The position filter is that of PPJoin (Xiao et al. 2008).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Number of elements of the document.
    pub size: u32,
    /// Number of elements of the document that precede the blocking key in the common order of elements; 0 for a band
    /// key. Of containment, [`Extent::BEHIND`] for a key that is not in the prefix, however many elements precede it.
    pub position: u32,
}

impl Extent {
    /// The position of a key behind the prefix that is not known.
    pub const BEHIND: u32 = u32::MAX;

    /// Maximum number of elements that two documents have in common from a blocking key on, which is their first common
    /// element.
    #[inline]
    pub fn max_common(self, other: Self) -> u32 {
        (self.size - self.position).min(other.size - other.position)
    }
}

/// An inserted document under one blocking key. Atomic, because readers run beside the writer.
#[derive(Debug, Default, Zeroable)]
pub(super) struct Posting {
    pub(super) rank: AtomicU32,
    pub(super) size: AtomicU32,
    pub(super) position: AtomicU32,
}

impl Posting {
    pub(super) fn rank(&self) -> u32 {
        self.rank.load(Ordering::Relaxed)
    }

    pub(super) fn extent(&self) -> Extent {
        Extent { size: self.size.load(Ordering::Relaxed), position: self.position.load(Ordering::Relaxed) }
    }
}

/// The postings of one blocking key, as far as their ranks are below an end.
#[derive(Debug, Clone, Copy)]
pub struct Postings<'i> {
    pub(super) postings: &'i [Posting],
    pub(super) end: u32,
}

impl Postings<'_> {
    /// Appends the ranks of those that pass a filter; returns how many were looked at.
    #[inline]
    pub fn append(self, filter: impl Fn(Extent) -> bool, found: &mut Vec<u32>) -> usize {
        let below = self.postings.iter().take_while(|posting| posting.rank() < self.end);
        below
            .inspect(|posting| {
                if filter(posting.extent()) {
                    found.push(posting.rank());
                }
            })
            .count()
    }
}

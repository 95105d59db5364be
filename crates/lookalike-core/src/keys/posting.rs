//! Documents under a blocking key, as an index holds them beside the numbers of the documents.

use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU32, Ordering};

/// Size of a document and position of one of its blocking keys, by which most candidates are refused without reading
/// their sets ([`super::Bounds::may_reach`]).
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

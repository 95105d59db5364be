//! The data of a document in an inverted index, beside its number: the input of the size and position filters.

/// Size of a document and position of one of its blocking keys, by which most candidates are refused without reading
/// their sets ([`crate::comparison::Measure::may_reach`]).
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

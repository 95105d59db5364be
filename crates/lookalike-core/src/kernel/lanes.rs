//! Numbers of many documents side by side, for one that is compared with all of them.
//!
//! ```text
//! row 0    number 0 to 3 of document 0, of document 1, ... of document 63
//! row 1    number 4 to 7 of document 0, ...
//! ```
//!
//! A lane of a register belongs to one document, so that sums of products need no sum over lanes. Turned down: the
//! numbers of each document behind each other, where that sum costs more than the products of 64 numbers.

/// Documents side by side.
pub(crate) const LANES: usize = 64;

/// Four consecutive numbers of each of [`LANES`] documents, of which none is negative.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct LaneRow(pub(crate) [[i8; 4]; LANES]);

impl LaneRow {
    /// Zeros.
    pub(crate) const ZERO: Self = Self([[0; 4]; LANES]);
}

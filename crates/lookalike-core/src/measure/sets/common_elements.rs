//! The algebra of the number of common elements |A n B|, for those who count.

use crate::ground::{Error, Result};
use crate::measure::{EmptyPolicy, Extent};
use serde::{Deserialize, Serialize};

/// The number of common elements with its minimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommonElements {
    /// Minimum number (>=) of common elements of near-duplicates, at least 1.
    pub min_common: usize,
    /// Whether documents without elements are duplicates of each other.
    pub empty: EmptyPolicy,
}

impl CommonElements {
    /// Checks the minimum.
    ///
    /// # Errors
    /// [`Error::NoCommonElements`] for a minimum of 0, which all documents would reach.
    pub fn check(self) -> Result<()> {
        if self.min_common == 0 { Err(Error::NoCommonElements) } else { Ok(()) }
    }

    /// Length of the prefix of a set of `size` elements, of which every partner contains an element; 0 for a set that
    /// has too few.
    pub fn prefix_length(self, size: usize) -> usize {
        (size + 1).saturating_sub(self.min_common)
    }

    /// Whether two sets that share a blocking key can have enough common elements.
    pub fn may_reach(self, left: Extent, right: Extent) -> bool {
        left.max_common(right) as usize >= self.min_common
    }
}

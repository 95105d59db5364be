//! The algebra of the number of common elements |A n B|, for those who count.

use crate::base::{Error, Result};
use crate::keys::{Bounds, Extent};
use crate::similarity::{Algebra, EmptyPolicy, Figure, Limit, Overlap};
use serde::{Deserialize, Serialize};

/// The number of common elements with its minimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommonElements {
    /// Minimum number (>=) of common elements of near-duplicates, at least 1.
    pub min_common: usize,
    /// True if documents without elements are duplicates of each other.
    pub empty: EmptyPolicy,
}

impl Bounds for CommonElements {
    /// 0 for a set that has too few elements.
    fn prefix_length(&self, size: usize) -> usize {
        (size + 1).saturating_sub(self.min_common)
    }

    fn may_reach(&self, probing: Extent, indexed: Extent) -> bool {
        probing.max_common(indexed) as usize >= self.min_common
    }

    fn required_overlap(&self, _left: usize, _right: usize) -> usize {
        self.min_common
    }
}

impl Algebra for CommonElements {
    fn name(&self) -> &'static str {
        "overlap"
    }

    fn figure(&self) -> Figure {
        Figure::Common
    }

    fn limit(&self) -> Limit {
        Limit::Common(self.min_common)
    }

    fn lowest_limit(&self) -> Limit {
        Limit::Common(1)
    }

    fn raised_limit(&self, similarity: f64) -> Limit {
        Limit::Common(self.min_common.max(similarity as usize))
    }

    fn is_reached_by(&self, similarity: f64) -> bool {
        similarity >= self.min_common as f64
    }

    fn empty(&self) -> EmptyPolicy {
        self.empty
    }

    fn check(&self) -> Result<()> {
        // All documents would reach 0.
        if self.min_common == 0 { Err(Error::NoCommonElements) } else { Ok(()) }
    }

    fn is_reached_by_equals(&self, size: usize) -> bool {
        size >= self.min_common
    }

    fn similarity_of_equals(&self, size: usize) -> f64 {
        size as f64
    }

    fn similarity_of_sets(&self, overlap: Overlap) -> f64 {
        overlap.common as f64
    }
}

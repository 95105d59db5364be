//! Decision when sketches are worth being made: when the exact checks that have refused their pairs have read as many
//! elements as there are in all. Most corpora have few such checks and never get there.

use crate::documents::ElementSets;
use std::sync::atomic::{AtomicU64, Ordering};

/// Memory for sketches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SketchMemory {
    /// Enough for sketches of all sets.
    Available,
    /// Too little: sketches are never made.
    Missing,
}

/// Costs of refused pairs so far; shared by all threads.
#[derive(Debug)]
pub(crate) struct SketchWorth {
    /// Refused elements from which on sketches pay; `u64::MAX` for never.
    min_refused_elements: u64,
    /// Sizes of the sets of all pairs that exact checks have refused.
    refused_elements: AtomicU64,
}

impl SketchWorth {
    /// Makes the worth of sketches of all `sets`; it is never reached without memory for them.
    pub(crate) fn new(sets: &ElementSets, memory: SketchMemory) -> Self {
        let min_refused_elements = match memory {
            SketchMemory::Available => sets.total_elements() as u64,
            SketchMemory::Missing => u64::MAX,
        };
        Self { min_refused_elements, refused_elements: AtomicU64::new(0) }
    }

    /// Returns the worth of sketches that take `times` as long to make and to ask.
    pub(crate) fn times(self, times: u64) -> Self {
        Self { min_refused_elements: self.min_refused_elements.saturating_mul(times), ..self }
    }

    /// Returns whether enough elements were read in vain.
    #[inline]
    pub(crate) fn is_reached(&self) -> bool {
        self.refused_elements.load(Ordering::Relaxed) >= self.min_refused_elements
    }

    /// Counts an exact check that has refused a pair; its sets have `elements` together.
    pub(crate) fn note_refusal(&self, elements: usize) {
        if self.is_ever_reached() {
            self.refused_elements.fetch_add(elements as u64, Ordering::Relaxed);
        }
    }

    /// Returns whether sketches can be worth anything.
    pub(crate) fn is_ever_reached(&self) -> bool {
        self.min_refused_elements < u64::MAX
    }
}

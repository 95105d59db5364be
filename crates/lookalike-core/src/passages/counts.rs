//! In how many sources each window stands: what everybody has is nobody's source.

use std::sync::atomic::{AtomicU32, Ordering};

/// In how many sources each window of an index stands; any number of threads may count.
#[derive(Debug)]
pub struct WindowCounts {
    /// By place of the index: the number of sources with its window, at the first place of each window.
    counts: Vec<AtomicU32>,
    max: u32,
}

impl WindowCounts {
    /// No source is counted yet.
    pub(super) fn new(places: usize, max: u32) -> Self {
        Self { counts: (0..places).map(|_| AtomicU32::new(0)).collect(), max }
    }

    /// Counts a source with these windows, each of which is named once.
    pub(super) fn count(&self, windows: &[u32]) {
        windows.iter().for_each(|&window| {
            let count = &self.counts[window as usize];
            // Far from the largest number, so that no count begins anew.
            if count.load(Ordering::Relaxed) <= u32::MAX / 2 {
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
    }

    /// Makes windows common, in whatever number of sources they stand.
    pub(super) fn ignore(&self, windows: &[u32]) {
        windows.iter().for_each(|&window| self.counts[window as usize].store(u32::MAX, Ordering::Relaxed));
    }

    /// In how many sources a window stands that is common, once all are counted; `None` for others, and for those that
    /// are ignored.
    pub(super) fn sources_of_common(&self, window: u32) -> Option<u32> {
        let count = self.counts[window as usize].load(Ordering::Relaxed);
        (count > self.max && count < u32::MAX).then_some(count)
    }

    /// Whether a window stands in more sources than asked for; until all are counted, it may become so.
    #[inline]
    pub(super) fn is_common(&self, window: u32) -> bool {
        self.counts[window as usize].load(Ordering::Relaxed) > self.max
    }
}

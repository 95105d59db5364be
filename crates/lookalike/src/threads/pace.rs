//! Number of threads of a stage, and how far they may run ahead of the one that consumes the results.

/// Number of threads, and how far they may run ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pace {
    pub(crate) threads: usize,
    /// Items under way, those whose results wait included.
    pub(super) max_items: usize,
}

impl Pace {
    /// Minimum number of items under way for each thread.
    pub(crate) const MIN_ITEMS: usize = 3;
    /// Maximum number of items under way for each thread: while one takes long, the other threads run ahead so far.
    pub(super) const MAX_ITEMS: usize = 16;
    /// Minimum number of items that fit in memory for each item under way, if threads are to run ahead.
    const PLENTY: usize = 8;

    /// Pace of `threads` threads, with few items under way.
    pub(crate) fn for_threads(threads: usize) -> Self {
        Self { threads, max_items: threads * Self::MIN_ITEMS }
    }

    /// Pace of at most `max_threads` threads, fewer if their items do not fit in memory, which has `available` items
    /// of the usual size. Threads run ahead of one that is held up only if there is plenty of memory, because such
    /// items are larger.
    pub(crate) fn within(available: usize, max_threads: usize) -> Self {
        let threads = (available / Self::MIN_ITEMS).clamp(1, max_threads);
        let max_items = (available / Self::PLENTY).clamp(threads * Self::MIN_ITEMS, threads * Self::MAX_ITEMS);
        Self { threads, max_items }
    }

    /// The pace with at most `max_threads` threads.
    pub(crate) fn with_threads(self, max_threads: usize) -> Self {
        let threads = self.threads.min(max_threads);
        Self { threads, max_items: self.max_items.min(threads.saturating_mul(Self::MAX_ITEMS)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_items_wait_where_there_is_room_and_fewer_threads_work_where_there_is_not() {
        assert_eq!(Pace::within(1000, 2), Pace { threads: 2, max_items: 2 * Pace::MAX_ITEMS });
        assert_eq!(Pace::within(80, 2), Pace { threads: 2, max_items: 10 });
        assert_eq!(Pace::within(7, 8), Pace::for_threads(2));
        assert_eq!(Pace::within(0, 8), Pace::for_threads(1));
        assert_eq!(Pace::within(1000, 8).with_threads(1), Pace { threads: 1, max_items: Pace::MAX_ITEMS });
    }
}

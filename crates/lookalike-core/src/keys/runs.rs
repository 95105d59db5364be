//! Runs of consecutive items that need no look each, because their documents are connected with each other.
//!
//! ```text
//! items   A1 A2 A3 A4 B1 A5 A6      A1, A2, ... are connected
//! end      4  .  .  .  .  7  .      of the first of each run; the others stand for themselves
//! ```
//!
//! Runs only grow, so any number of threads may extend them: a thread that sees a shorter one takes more steps.

use std::sync::atomic::{AtomicU32, Ordering};

/// The runs of a list, or of several that stand one behind the other.
#[derive(Debug)]
pub struct Runs {
    /// One entry for each item: where the run ends that begins there, as far as known; 0 for one of a single item.
    ends: Vec<AtomicU32>,
}

impl Runs {
    /// Runs of one item each.
    pub fn new(items: usize) -> Self {
        // Zeroed by the system: no page is touched before it is used.
        Self { ends: bytemuck::zeroed_vec(items) }
    }

    /// Memory in bytes for `items` items.
    pub fn bytes_for(items: usize) -> usize {
        items * size_of::<AtomicU32>()
    }

    /// The end of the run that begins at this item: at least the next one.
    #[inline]
    pub fn end(&self, item: usize) -> usize {
        (self.ends[item].load(Ordering::Relaxed) as usize).max(item + 1)
    }

    /// Extends the run that begins at `item` by the runs behind it whose first items are connected with it, up to
    /// `limit`, and returns its end, which lies behind `limit` if it was longer before.
    pub fn extend(&self, item: usize, limit: usize, mut is_connected: impl FnMut(usize) -> bool) -> usize {
        let known = self.end(item);
        let mut end = known;
        while end < limit && is_connected(end) {
            end = self.end(end);
        }
        // Runs that begin between them end there, too: a search may begin at any of them.
        let mut head = item;
        while end > known && head < end {
            let next = self.end(head);
            self.ends[head].fetch_max(end as u32, Ordering::Relaxed);
            head = next;
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_connected_items_are_stepped_over() {
        let runs = Runs::new(8);
        let families = b"AAAABAAC";
        let steps_from = |item: usize| {
            let steps = std::cell::Cell::new(0);
            let end = runs.extend(item, families.len(), |next| {
                steps.set(steps.get() + 1);
                families[next] == families[item]
            });
            (end, steps.get())
        };
        assert_eq!(steps_from(2), (4, 2));
        assert_eq!(steps_from(0), (4, 3));
        assert_eq!(steps_from(0), (4, 1));
        assert_eq!(steps_from(1), (4, 1));
        assert_eq!(steps_from(5), (7, 2));
        assert_eq!((runs.end(0), runs.end(1), runs.end(4)), (4, 4, 5));
        // A run may be known to be longer than the part of the query.
        assert_eq!(runs.extend(0, 2, |_| false), 4);
    }
}

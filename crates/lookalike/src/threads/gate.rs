//! A limit on the size of all items in flight, for items that may be far larger than usual.
//!
//! [`super::Pace`] counts items of the usual size. A document of a hundred megabytes is one item, too: while it is in
//! flight, no more are taken. So one item above the limit is in flight at a time, and its size is known as soon as it
//! was taken.

use super::lock::lock;
use std::sync::{Condvar, Mutex, PoisonError};

/// The sum of the sizes of the items in flight, with a limit.
#[derive(Debug)]
pub(crate) struct Gate {
    limit_bytes: u64,
    in_flight_bytes: Mutex<u64>,
    less: Condvar,
}

/// An item in flight until `pass` is dropped.
#[derive(Debug)]
pub(crate) struct Passed<'g, I> {
    pub(crate) item: I,
    pub(crate) pass: Pass<'g>,
}

/// The size of an item in flight.
#[derive(Debug)]
pub(crate) struct Pass<'g> {
    gate: &'g Gate,
    bytes: u64,
}

impl Gate {
    pub(crate) fn new(limit_bytes: u64) -> Self {
        Self { limit_bytes, in_flight_bytes: Mutex::new(0), less: Condvar::new() }
    }

    /// The items; the next one is not taken before those in flight are below the limit. Their work must not wait for
    /// this iterator.
    pub(crate) fn items<'g, I>(
        &'g self,
        mut items: impl Iterator<Item = I> + Send + 'g,
        bytes_of: impl Fn(&I) -> u64 + Send + 'g,
    ) -> impl Iterator<Item = Passed<'g, I>> + Send + 'g {
        std::iter::from_fn(move || {
            let is_full = |in_flight: &mut u64| *in_flight >= self.limit_bytes.max(1);
            drop(self.less.wait_while(lock(&self.in_flight_bytes), is_full).unwrap_or_else(PoisonError::into_inner));
            let item = items.next()?;
            let bytes = bytes_of(&item);
            *lock(&self.in_flight_bytes) += bytes;
            Some(Passed { item, pass: Pass { gate: self, bytes } })
        })
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        let mut in_flight = lock(&self.gate.in_flight_bytes);
        let was_full = *in_flight >= self.gate.limit_bytes.max(1);
        *in_flight -= self.bytes;
        if was_full {
            self.gate.less.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pace, ordered_map};
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn large_items_are_in_flight_one_at_a_time_and_small_ones_together() {
        for (size, max_together) in [(100, 1), (40, 3), (1, 4)] {
            let gate = Gate::new(100);
            let now = AtomicU64::new(0);
            let most = AtomicU64::new(0);
            let work = |(): &mut (), Passed { item, pass: _pass }: Passed<'_, u64>| {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(std::time::Duration::from_micros(200));
                now.fetch_sub(1, Ordering::SeqCst);
                item
            };
            let mut sum = 0;
            let add = |item| {
                sum += item;
                Ok::<(), ()>(())
            };
            assert_eq!(ordered_map(gate.items(0..100, |_| size), Pace::for_threads(4), || (), work, add), Ok(()));
            assert_eq!(sum, 4950);
            assert!(most.into_inner() <= max_together, "items of {size}");
        }
    }

    #[test]
    fn an_error_leaves_no_thread_waiting() {
        let gate = Gate::new(1);
        let work = |(): &mut (), passed: Passed<'_, u64>| passed.item;
        let stop = |item| if item < 20 { Ok(()) } else { Err(item) };
        assert_eq!(ordered_map(gate.items(0.., |_| 5), Pace::for_threads(4), || (), work, stop), Err(20));
    }
}

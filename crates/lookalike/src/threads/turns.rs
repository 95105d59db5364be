//! Work in an order that is decided while it is done: each result is consumed by the thread that made it, when its turn
//! has come.
//!
//! ```text
//! thread 1   work 1, consume 1, work 3 ..., consume 3
//! thread 2   work 2 ......, consume 2, work 4, consume 4
//! ```
//!
//! That suits items that take about as long, and where consuming a result touches what making it has brought into the
//! cache. For others, [`super::ordered`] lets no thread wait.

use super::lock::{lock, on_threads, spin_until};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Calls `consume` with the result of `work` on each item, in the order of the items, until it returns an error.
///
/// Every thread has a state of its own, made by `init`.
pub(crate) fn in_turns<I, S, R, E: Send>(
    items: impl Iterator<Item = I> + Send,
    threads: usize,
    init: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I) -> R + Sync,
    consume: impl FnMut(&mut S, R) -> Result<(), E> + Send,
) -> Result<(), E> {
    let items = Mutex::new(items.enumerate());
    let turn = Turn {
        next: AtomicUsize::new(0),
        consumer: Mutex::new(Consumer { consume, consumed: Ok(()), sleeping: 0 }),
        moved: Condvar::new(),
    };
    on_threads(threads, || {
        // If the work panics, its turn never comes: the waiting threads are woken.
        let close = CloseOnDrop(&turn);
        let mut state = init();
        let take = || lock(&items).next();
        while let Some((number, item)) = take() {
            let result = work(&mut state, item);
            if !turn.consume(number, &mut state, result) {
                return;
            }
        }
        std::mem::forget(close);
    });
    turn.consumer.into_inner().unwrap_or_else(PoisonError::into_inner).consumed
}

/// Whose turn it is.
struct Turn<C, E> {
    /// Number of the result; [`CLOSED`] if none is consumed any more.
    next: AtomicUsize,
    consumer: Mutex<Consumer<C, E>>,
    moved: Condvar,
}

struct Consumer<C, E> {
    consume: C,
    consumed: Result<(), E>,
    /// Threads that wait for their turn and cannot look for themselves.
    sleeping: usize,
}

const CLOSED: usize = usize::MAX;

impl<C, E> Turn<C, E> {
    /// Consumes a result when its turn has come; false if nothing is consumed any more.
    fn consume<S, R>(&self, number: usize, state: &mut S, result: R) -> bool
    where
        C: FnMut(&mut S, R) -> Result<(), E>,
    {
        let is_waiting = || ![number, CLOSED].contains(&self.next.load(Ordering::Acquire));
        spin_until(|| !is_waiting());
        let mut consumer = lock(&self.consumer);
        consumer.sleeping += 1;
        consumer = self.moved.wait_while(consumer, |_| is_waiting()).unwrap_or_else(PoisonError::into_inner);
        consumer.sleeping -= 1;
        if self.next.load(Ordering::Acquire) == CLOSED {
            return false;
        }
        consumer.consumed = (consumer.consume)(state, result);
        let is_open = consumer.consumed.is_ok();
        self.next.store(if is_open { number + 1 } else { CLOSED }, Ordering::Release);
        // Waking is a call to the system even if no thread sleeps.
        if consumer.sleeping > 0 {
            self.moved.notify_all();
        }
        is_open
    }
}

struct CloseOnDrop<'a, C, E>(&'a Turn<C, E>);

impl<C, E> Drop for CloseOnDrop<'_, C, E> {
    fn drop(&mut self) {
        // Under the lock, so that no thread goes to sleep in between; a panic of `consume` has given it back by now.
        let consumer = lock(&self.0.consumer);
        self.0.next.store(CLOSED, Ordering::Release);
        drop(consumer);
        self.0.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_consumed_in_order_by_those_who_made_them() {
        for threads in [0, 1, 2, 7] {
            let mut seen = Vec::new();
            let work = |last: &mut u64, item: u64| {
                *last = item;
                item * item
            };
            let done: Result<(), ()> = in_turns(
                0..500u64,
                threads,
                || 0,
                work,
                |last, square| {
                    assert_eq!(*last * *last, square);
                    seen.push(square);
                    Ok(())
                },
            );
            assert_eq!(done, Ok(()));
            assert!(seen.into_iter().eq((0..500).map(|item| item * item)));
        }
    }

    #[test]
    fn a_panic_ends_the_work_and_is_passed_on() {
        for where_it_happens in ["work", "consume"] {
            let panic_at_seven = |place: &str, item: u64| assert!(item != 7 || place != where_it_happens, "seven");
            let work = |(): &mut (), item: u64| {
                panic_at_seven("work", item);
                item
            };
            let consume = |(): &mut (), item| {
                panic_at_seven("consume", item);
                Ok::<(), ()>(())
            };
            let whole = std::panic::AssertUnwindSafe(|| in_turns(0..1_000_000, 3, || (), work, consume));
            assert!(std::panic::catch_unwind(whole).is_err());
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let consume = |(): &mut (), item: u64| if item < 40 { Ok(()) } else { Err(item) };
        assert_eq!(in_turns(0.., 3, || (), |(): &mut (), item| item, consume), Err(40));
    }
}

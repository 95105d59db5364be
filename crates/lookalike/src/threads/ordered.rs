//! A parallel map that gives its results in order, while input is still being read.
//!
//! ```text
//! items --one at a time--> work, by all threads --one at a time, in order--> consume
//! ```
//!
//! There are no threads but those that work. Each takes the next item under a lock, works on it and puts the result
//! where it waits for its turn. The thread that adds the next result in order consumes it and all that follow, unless
//! another thread is consuming: so the result is usually still in its cache. So reading, work and writing overlap. No
//! item is taken before all but a few of the earlier ones were consumed: one that takes long must not let the results
//! of the others pile up.

use super::lock::{lock, on_threads, spin_until};
use super::pace::Pace;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};

/// Calls `consume` with the result of `work` on each item, in the order of the items, until it returns an error.
///
/// Every thread has a state of its own, made by `init`: buffers, for example.
pub(crate) fn ordered_map<I, S, R: Send, E: Send>(
    mut items: impl Iterator<Item = I> + Send,
    pace: Pace,
    init: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I) -> R + Sync,
    mut consume: impl FnMut(R) -> Result<(), E> + Send,
) -> Result<(), E> {
    if pace.threads <= 1 {
        let mut state = init();
        return items.try_for_each(|item| consume(work(&mut state, item)));
    }
    let items = Mutex::new(items.enumerate());
    let ahead = Ahead { window: Mutex::default(), moved: Condvar::new(), max_items: pace.max_items };
    let waiting = Mutex::new(Waiting { early: VecDeque::new(), next: 0, is_being_consumed: false });
    let results = Results { waiting, consumer: Mutex::new((consume, Ok(()))) };
    // Waits until the consumer is near enough.
    let next = || ahead.take_place().and_then(|()| lock(&items).next());
    on_threads(pace.threads, &|| {
        // If the work panics, its result never comes: the waiting threads are woken.
        let close = CloseOnDrop(&ahead);
        let mut state = init();
        while let Some((number, item)) = next() {
            results.add(number, work(&mut state, item), &ahead);
        }
        // At the end of the items the others still have some under way.
        std::mem::forget(close);
    });
    results.consumer.into_inner().unwrap_or_else(PoisonError::into_inner).1
}

/// Works on all items, several at a time and in any order, until there is an error.
pub(crate) fn try_each<I: Send, E: Send>(
    items: impl Iterator<Item = I> + Send,
    threads: usize,
    work: impl Fn(I) -> Result<(), E> + Sync,
) -> Result<(), E> {
    ordered_map(items, Pace::for_threads(threads), || (), |(), item| work(item), |done| done)
}

/// Results, and who may consume them.
struct Results<R, C, E> {
    waiting: Mutex<Waiting<R>>,
    consumer: Mutex<(C, Result<(), E>)>,
}

struct Waiting<R> {
    /// Results that are not consumed yet, from the next in order on.
    early: VecDeque<Option<R>>,
    /// Number of the result whose turn it is.
    next: usize,
    is_being_consumed: bool,
}

impl<R> Waiting<R> {
    fn insert(&mut self, number: usize, result: R) {
        let place = number - self.next;
        if place >= self.early.len() {
            self.early.resize_with(place + 1, || None);
        }
        self.early[place] = Some(result);
    }

    /// The result whose turn it is, if it has come.
    fn pop(&mut self) -> Option<R> {
        let result = self.early.front_mut().and_then(Option::take);
        if result.is_some() {
            self.early.pop_front();
            self.next += 1;
        }
        self.is_being_consumed = result.is_some();
        result
    }
}

impl<R, C: FnMut(R) -> Result<(), E>, E> Results<R, C, E> {
    /// Adds a result, and consumes all that have their turn unless another thread is at it: that one will find them.
    fn add(&self, number: usize, result: R, ahead: &Ahead) {
        let mut waiting = lock(&self.waiting);
        waiting.insert(number, result);
        if waiting.is_being_consumed {
            return;
        }
        let Some(mut result) = waiting.pop() else { return };
        let mut consumed = waiting.next;
        drop(waiting);
        let mut consumer = lock(&self.consumer);
        loop {
            if let Err(error) = (consumer.0)(result) {
                consumer.1 = Err(error);
                // From now on no thread consumes.
                return ahead.close();
            }
            ahead.note_consumed(consumed);
            let mut waiting = lock(&self.waiting);
            let Some(next) = waiting.pop() else { return };
            (result, consumed) = (next, waiting.next);
        }
    }
}

/// Limit on items that are taken ahead of the consumer.
struct Ahead {
    window: Mutex<Window>,
    moved: Condvar,
    max_items: usize,
}

#[derive(Default)]
struct Window {
    taken: usize,
    consumed: usize,
    /// Threads that wait for it to move.
    waiting: usize,
    is_closed: bool,
}

impl Ahead {
    /// Waits until one more item may be taken. `None` when nothing is consumed any more.
    fn take_place(&self) -> Option<()> {
        let is_far = |window: &mut Window| !window.is_closed && window.taken - window.consumed >= self.max_items;
        spin_until(|| self.window.try_lock().is_ok_and(|mut window| !is_far(&mut window)));
        let mut window = lock(&self.window);
        window.waiting += 1;
        window = self.moved.wait_while(window, is_far).unwrap_or_else(PoisonError::into_inner);
        window.waiting -= 1;
        if window.is_closed {
            return None;
        }
        window.taken += 1;
        Some(())
    }

    fn note_consumed(&self, consumed: usize) {
        let mut window = lock(&self.window);
        window.consumed = consumed;
        // Waking is a call to the system even if no thread sleeps.
        if window.waiting > 0 {
            self.moved.notify_one();
        }
    }

    fn close(&self) {
        lock(&self.window).is_closed = true;
        self.moved.notify_all();
    }
}

struct CloseOnDrop<'a>(&'a Ahead);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn all_items_are_worked_on_or_none_after_an_error() {
        let sum = std::sync::atomic::AtomicU64::new(0);
        let add = |item: u64| {
            sum.fetch_add(item, std::sync::atomic::Ordering::Relaxed);
            Ok::<(), ()>(())
        };
        assert_eq!(try_each(1..=1000, 3, add), Ok(()));
        assert_eq!(sum.into_inner(), 500_500);
        assert_eq!(try_each(0.., 3, |item: u64| if item < 40 { Ok(()) } else { Err("forty") }), Err("forty"));
    }

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        for threads in [0, 1, 2, 7] {
            let mut seen = Vec::new();
            let done: Result<(), ()> = ordered_map(
                0..500u64,
                Pace::for_threads(threads),
                || (),
                |(), item| item * item,
                |square| {
                    seen.push(square);
                    Ok(())
                },
            );
            assert_eq!(done, Ok(()));
            assert!(seen.into_iter().eq((0..500).map(|item| item * item)));
        }
    }

    #[test]
    fn results_do_not_pile_up_behind_a_slow_one() {
        let begun = AtomicUsize::new(0);
        let threads = 3;
        let slow = |(): &mut (), item: usize| {
            begun.fetch_add(1, Ordering::SeqCst);
            if item == 0 {
                // Until the others have taken all items that they may take, and a little longer.
                while begun.load(Ordering::SeqCst) < threads * Pace::MIN_ITEMS {
                    std::thread::yield_now();
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            begun.load(Ordering::SeqCst)
        };
        let mut first = None;
        let consume = |begun| {
            first.get_or_insert(begun);
            Ok(())
        };
        let done: Result<(), ()> = ordered_map(0..200, Pace::for_threads(threads), || (), slow, consume);
        assert_eq!((done, first), (Ok(()), Some(threads * Pace::MIN_ITEMS)));
    }

    #[test]
    fn a_panic_ends_the_work_and_is_passed_on() {
        let work = |(): &mut (), item: u64| {
            assert!(item != 7, "seven");
            item
        };
        let whole = std::panic::catch_unwind(|| {
            ordered_map(0..1_000_000, Pace::for_threads(3), || (), work, |_| Ok::<(), ()>(()))
        });
        assert!(whole.is_err());
    }

    #[test]
    fn an_error_ends_the_work() {
        let stopped = ordered_map(
            0..,
            Pace::for_threads(3),
            || (),
            |(), item: u64| item,
            |item| if item < 40 { Ok(()) } else { Err(item) },
        );
        assert_eq!(stopped, Err(40));
    }
}

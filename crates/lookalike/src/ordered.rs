//! A parallel map that gives its results in order, while input is still being read.
//!
//! Each thread takes the next item under a lock, works on it and sends the result with its number; the caller receives
//! them, and one that comes too early waits. No item is taken before all but a few of the earlier ones were received: one that
//! takes long must not let the results of the others pile up. With one thread there is nobody to wait for, and the caller does
//! the work itself.

use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Items under way for each thread, those whose results wait included.
pub(crate) const ITEMS_PER_THREAD: usize = 3;

/// Calls `consume` with the result of `work` on each item, in the order of the items, until it returns an error.
///
/// Every thread has a state of its own, made by `init`: buffers, for example.
pub(crate) fn ordered_map<I, S, R, E>(
    mut items: impl Iterator<Item = I> + Send,
    threads: usize,
    init: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I) -> R + Sync,
    mut consume: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    R: Send,
{
    if threads <= 1 {
        let mut state = init();
        return items.try_for_each(|item| consume(work(&mut state, item)));
    }
    let queue = Queue::new(items.enumerate(), threads * ITEMS_PER_THREAD);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        // However this ends, nobody shall wait for more to be received.
        let _close = CloseOnDrop(&queue);
        for _ in 0..threads {
            let (sender, queue, init, work) = (sender.clone(), &queue, &init, &work);
            scope.spawn(move || work_off(queue, &mut init(), work, &sender));
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (number, result) in receiver {
            early.insert(number, result);
            while let Some(result) = early.remove(&next) {
                consume(result)?;
                next += 1;
                queue.note_received(next);
            }
        }
        Ok(())
    })
}

fn work_off<I, S, R>(
    queue: &Queue<impl Iterator<Item = (usize, I)>>,
    state: &mut S,
    work: &impl Fn(&mut S, I) -> R,
    sender: &Sender<(usize, R)>,
) {
    // If the work panics, its result never comes: nobody shall wait for it.
    let close = CloseOnDrop(queue);
    while let Some((number, item)) = queue.take() {
        if sender.send((number, work(state, item))).is_err() {
            return;
        }
    }
    // At the end of the items the others still have some under way.
    std::mem::forget(close);
}

/// Items that were not taken yet, and how far ahead of the caller they may be.
struct Queue<T> {
    items: Mutex<T>,
    window: Mutex<Window>,
    moved: Condvar,
    most_ahead: usize,
}

#[derive(Default)]
struct Window {
    taken: usize,
    received: usize,
    is_closed: bool,
}

impl<I, T: Iterator<Item = I>> Queue<T> {
    fn new(items: T, most_ahead: usize) -> Self {
        Self { items: Mutex::new(items), window: Mutex::default(), moved: Condvar::new(), most_ahead }
    }

    /// The next item; waits until the caller is near enough. `None` at the end, or when the caller has gone.
    fn take(&self) -> Option<I> {
        let is_far = |window: &mut Window| !window.is_closed && window.taken - window.received >= self.most_ahead;
        let mut window = self.moved.wait_while(self.window(), is_far).unwrap_or_else(PoisonError::into_inner);
        if window.is_closed {
            return None;
        }
        window.taken += 1;
        drop(window);
        self.items.lock().unwrap_or_else(PoisonError::into_inner).next()
    }
}

impl<T> Queue<T> {
    fn window(&self) -> MutexGuard<'_, Window> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note_received(&self, received: usize) {
        self.window().received = received;
        self.moved.notify_one();
    }
}

struct CloseOnDrop<'a, T>(&'a Queue<T>);

impl<T> Drop for CloseOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.window().is_closed = true;
        self.0.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        for threads in [0, 1, 2, 7] {
            let mut seen = Vec::new();
            let done: Result<(), ()> = ordered_map(
                0..500u64,
                threads,
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
        use std::sync::atomic::{AtomicUsize, Ordering};
        let (begun, threads) = (AtomicUsize::new(0), 3);
        let slow = |(): &mut (), item: usize| {
            begun.fetch_add(1, Ordering::SeqCst);
            if item == 0 {
                // Until the others have gone as far as they may, and a little longer.
                while begun.load(Ordering::SeqCst) < threads * ITEMS_PER_THREAD {
                    std::thread::yield_now();
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            begun.load(Ordering::SeqCst)
        };
        let mut first = None;
        let done: Result<(), ()> = ordered_map(
            0..200,
            threads,
            || (),
            slow,
            |begun| {
                first.get_or_insert(begun);
                Ok(())
            },
        );
        assert_eq!((done, first), (Ok(()), Some(threads * ITEMS_PER_THREAD)));
    }

    #[test]
    fn a_panic_ends_the_work_and_is_passed_on() {
        let work = |(): &mut (), item: u64| {
            assert!(item != 7, "seven");
            item
        };
        let whole = std::panic::catch_unwind(|| ordered_map(0..1_000_000, 3, || (), work, |_| Ok::<(), ()>(())));
        assert!(whole.is_err());
    }

    #[test]
    fn an_error_ends_the_work() {
        let stopped =
            ordered_map(0.., 3, || (), |(), item: u64| item, |item| if item < 40 { Ok(()) } else { Err(item) });
        assert_eq!(stopped, Err(40));
    }
}

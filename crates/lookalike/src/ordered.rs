//! A parallel map that gives its results in order, while input is still being read.
//!
//! Each thread takes the next item under a lock, works on it and sends the result with its number; the caller receives
//! them, and one that comes too early waits. At most a few results a thread are under way at a time. With one thread there is
//! nobody to wait for, and the caller does the work itself.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

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
    let items = Mutex::new(items.enumerate());
    let (sender, receiver) = sync_channel(2 * threads);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, items, init, work) = (sender.clone(), &items, &init, &work);
            scope.spawn(move || work_off(items, &mut init(), work, &sender));
        }
        drop(sender);
        // Dropped on return, which ends the threads: nobody takes their results any more.
        let receiver: Receiver<(usize, R)> = receiver;
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (number, result) in &receiver {
            early.insert(number, result);
            while let Some(result) = early.remove(&next) {
                consume(result)?;
                next += 1;
            }
        }
        Ok(())
    })
}

fn work_off<I, S, R>(
    items: &Mutex<impl Iterator<Item = (usize, I)>>,
    state: &mut S,
    work: &impl Fn(&mut S, I) -> R,
    sender: &SyncSender<(usize, R)>,
) {
    loop {
        let item = items.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((number, item)) = item else { return };
        if sender.send((number, work(state, item))).is_err() {
            return;
        }
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
    fn an_error_ends_the_work() {
        let stopped =
            ordered_map(0.., 3, || (), |(), item: u64| item, |item| if item < 40 { Ok(()) } else { Err(item) });
        assert_eq!(stopped, Err(40));
    }
}

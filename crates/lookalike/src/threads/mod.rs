//! The threads of a job: as many as are wanted work off the items of a stage together.
//!
//! Threads are started by the stage that needs them, and the caller is one of them: it goes on on its core, and the system looks for
//! idle cores for the new ones. A pool that sleeps between stages would save some microseconds and lose milliseconds, wherever the
//! system wakes two sleepers on one core.

mod ordered;
mod spares;
mod turns;

pub(crate) use ordered::ordered_map;
pub(crate) use spares::Spares;
pub(crate) use turns::in_turns;

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// How many threads work, and how far they may run ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pace {
    pub(crate) threads: usize,
    /// Items under way, those whose results wait included.
    most_items: usize,
}

impl Pace {
    /// Items under way for each thread, at least.
    const LEAST_ITEMS: usize = 3;
    /// One item may take as long as so many others.
    const MOST_ITEMS: usize = 16;
    /// So many times the room of an item is plenty.
    const PLENTY: usize = 8;

    /// So many threads, with few items under way.
    pub(crate) fn of(threads: usize) -> Self {
        Self { threads, most_items: threads * Self::LEAST_ITEMS }
    }

    /// So many threads at most, as few as there is room for items of the usual size. Only if there is plenty of room, threads run
    /// ahead while one is held up: those items are larger than usual.
    pub(crate) fn within(room: usize, most_threads: usize) -> Self {
        let threads = (room / Self::LEAST_ITEMS).clamp(1, most_threads);
        let most_items = (room / Self::PLENTY).clamp(threads * Self::LEAST_ITEMS, threads * Self::MOST_ITEMS);
        Self { threads, most_items }
    }

    /// With so many threads at most.
    pub(crate) fn with_threads(self, most_threads: usize) -> Self {
        let threads = self.threads.min(most_threads);
        Self { threads, most_items: self.most_items.min(threads * Self::MOST_ITEMS) }
    }
}

/// Works on all items, several at a time and in any order, until there is an error.
pub(crate) fn try_each<I: Send, E: Send>(
    items: impl Iterator<Item = I> + Send,
    threads: usize,
    work: impl Fn(I) -> Result<(), E> + Sync,
) -> Result<(), E> {
    ordered_map(items, Pace::of(threads), || (), |(), item| work(item), |done| done)
}

/// Runs `work_off` on so many threads, the caller's among them, or on fewer if the system gives no more. A panic of one of them
/// is passed on when all have ended.
fn on_threads(threads: usize, work_off: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            if std::thread::Builder::new().spawn_scoped(scope, &work_off).is_err() {
                break;
            }
        }
        work_off();
    });
}

/// Looks again before a thread goes to sleep: some ten microseconds, as long as going to sleep and waking up takes.
const LOOKS: usize = 1 << 10;

/// Waits for a moment until something is so; perhaps it is not so even then.
fn look_for(is_so: impl Fn() -> bool) {
    for _ in 0..LOOKS {
        if is_so() {
            return;
        }
        std::hint::spin_loop();
    }
}

/// Locks a mutex that is most often free soon. If a thread has panicked with it, the whole work ends with that panic, and what others
/// make of the rest does not matter.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    for _ in 0..LOOKS {
        match mutex.try_lock() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(error)) => return error.into_inner(),
            Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
        }
    }
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_items_wait_where_there_is_room_and_fewer_threads_work_where_there_is_not() {
        assert_eq!(Pace::within(1000, 2), Pace { threads: 2, most_items: 2 * Pace::MOST_ITEMS });
        assert_eq!(Pace::within(80, 2), Pace { threads: 2, most_items: 10 });
        assert_eq!(Pace::within(7, 8), Pace::of(2));
        assert_eq!(Pace::within(0, 8), Pace::of(1));
        assert_eq!(Pace::within(1000, 8).with_threads(1), Pace { threads: 1, most_items: Pace::MOST_ITEMS });
    }

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
}

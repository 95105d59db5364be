//! Starts threads; locks that spin before they block.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// Runs `work_off` on `threads` threads, the caller's among them, or on fewer if the system gives no more. A panic of
/// one of them is passed on when all have ended.
///
/// `work_off` is no type parameter: what starts threads is compiled once, and not for each of eighty callers.
pub(super) fn on_threads(threads: usize, work_off: &(dyn Fn() + Sync)) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            if std::thread::Builder::new().spawn_scoped(scope, work_off).is_err() {
                break;
            }
        }
        work_off();
    });
}

/// Rounds of spinning before a thread goes to sleep: about 10 us, as long as going to sleep and waking up takes.
const SPINS: usize = 1 << 10;

/// Spins for about 10 us on `condition`; may return while it is still false.
pub(super) fn spin_until(condition: impl Fn() -> bool) {
    for _ in 0..SPINS {
        if condition() {
            return;
        }
        std::hint::spin_loop();
    }
}

/// Locks a mutex that is usually free within microseconds. Ignores poisoning: [`on_threads`] passes the panic on.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    for _ in 0..SPINS {
        match mutex.try_lock() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(error)) => return error.into_inner(),
            Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
        }
    }
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! A pool of buffers that circulate between threads: one fills a buffer, another empties it and returns it.
//!
//! Reuse avoids a lock: allocators take one to free memory that another thread has allocated, and threads that pass
//! some thousand buffers per second would contend for it.

use std::sync::{Mutex, PoisonError};

/// A thread-safe stack of unused buffers, without a limit on their number.
#[derive(Debug)]
pub struct Pool<T> {
    free: Mutex<Vec<T>>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { free: Mutex::new(Vec::new()) }
    }
}

impl<T> Pool<T> {
    /// Removes and returns an unused buffer; `None` if the pool is empty.
    pub fn take(&self) -> Option<T> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Returns a buffer to the pool, with its content and capacity.
    pub fn put(&self, buffer: T) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_come_back_as_they_were_left() {
        let pool = Pool::default();
        assert_eq!(pool.take(), None);
        pool.put(vec![1, 2]);
        assert_eq!((pool.take(), pool.take()), (Some(vec![1, 2]), None));
    }

    #[test]
    fn each_buffer_goes_to_one_thread() {
        let pool = Pool::default();
        (0..1000).for_each(|number| pool.put(number));
        let take_all = || std::iter::from_fn(|| pool.take()).collect::<Vec<_>>();
        let mut taken = std::thread::scope(|scope| {
            let threads = [(); 4].map(|()| scope.spawn(take_all));
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        taken.sort_unstable();
        assert!(taken.into_iter().eq(0..1000));
        assert_eq!(pool.take(), None);
    }
}

//! Things with buffers that one thread fills and another empties: used again, so that neither has to free what the other has
//! allocated. Allocators have a lock for that, and threads would wait at it.

use super::lock;
use std::sync::Mutex;

/// Those that nobody uses for now.
#[derive(Debug)]
pub(crate) struct Spares<T> {
    waiting: Mutex<Vec<T>>,
}

impl<T: Default> Spares<T> {
    pub(crate) fn new() -> Self {
        Self { waiting: Mutex::new(Vec::new()) }
    }

    /// One that was used, or a new one.
    pub(crate) fn take(&self) -> T {
        let used = lock(&self.waiting).pop();
        used.unwrap_or_default()
    }

    /// Leaves one for others.
    pub(crate) fn put(&self, used: T) {
        lock(&self.waiting).push(used);
    }
}

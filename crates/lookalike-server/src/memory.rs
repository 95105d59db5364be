//! The memory for bodies of requests, shared out before they are read.

use crate::config::Limits;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes that are shared out at a time.
const UNIT: usize = 1 << 10;

/// The memory that is left.
#[derive(Debug)]
pub(crate) struct BodyMemory(Arc<Semaphore>);

/// A share of it, which is given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Share(#[expect(dead_code, reason = "held for as long as the body is there")] OwnedSemaphorePermit);

impl BodyMemory {
    /// As much as the limits say, and enough for the largest body.
    pub(crate) fn new(limits: &Limits) -> Self {
        let bytes = limits.bodies_bytes.max(limits.body_bytes);
        Self(Arc::new(Semaphore::new(bytes.div_ceil(UNIT).min(Semaphore::MAX_PERMITS))))
    }

    /// A share of so many bytes; `None` if no more are left.
    pub(crate) fn share(&self, bytes: usize) -> Option<Share> {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        Arc::clone(&self.0).try_acquire_many_owned(units).ok().map(Share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_come_back() {
        let memory = BodyMemory::new(&Limits { body_bytes: 1 << 20, bodies_bytes: 2 << 20, ..Limits::default() });
        let both = [memory.share(1 << 20), memory.share(1 << 20)];
        assert!(both.iter().all(Option::is_some) && memory.share(1).is_none());
        drop(both);
        assert!(memory.share(2 << 20).is_some());
    }
}

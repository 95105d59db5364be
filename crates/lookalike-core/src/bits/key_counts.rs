//! Counts of blocking keys, as upper bounds: which keys so many documents have that finer ones pay.
//!
//! Keys are hashed to counters. Those that share a counter appear more frequent than they are, never less, and a finer
//! key than needed changes no answer. Counters are atomic, so that all threads fill one table; a sum does not depend on
//! their order.

use std::sync::atomic::{AtomicU32, Ordering};

/// Keys per counter: some dozens on a counter are far from many.
const KEYS_PER_COUNTER: usize = 8;
const MIN_COUNTERS: usize = 1 << 12;
/// 256 MiB.
const MAX_COUNTERS: usize = 1 << 26;

/// Counts of blocking keys.
#[derive(Debug)]
pub struct KeyCounts {
    counters: Vec<AtomicU32>,
    shift: u32,
}

impl KeyCounts {
    /// Makes empty counts for about `keys` keys.
    pub fn sized_for(keys: usize) -> Self {
        let counters = (keys / KEYS_PER_COUNTER).clamp(MIN_COUNTERS, MAX_COUNTERS).next_power_of_two();
        let shift = u64::BITS - counters.trailing_zeros();
        Self { counters: (0..counters).map(|_| AtomicU32::new(0)).collect(), shift }
    }

    /// Counts a document under a key.
    pub fn count(&self, key: u64) {
        // Fewer than 2^32 documents have a key; more than that many keys wrap around to a finer or coarser table,
        // which changes no answer.
        self.counters[(key >> self.shift) as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Upper bound of the number of documents that have a key.
    #[inline]
    pub fn get(&self, key: u64) -> u32 {
        self.counters[(key >> self.shift) as usize].load(Ordering::Relaxed)
    }

    /// The largest count.
    pub fn max(&self) -> u32 {
        self.counters.iter().map(|counter| counter.load(Ordering::Relaxed)).max().unwrap_or(0)
    }
}

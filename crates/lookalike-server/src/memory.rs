//! The memory for what is in flight: bodies while they come, and answers until they are taken. It is counted as it
//! grows, and what finds none left is refused.
//!
//! Nobody has all of it: a client has half of it at most, and clients without a token have three quarters together.
//! What is small is not counted: it is bounded by the number of connections.

mod workspace;

pub(crate) use workspace::{EXPANSION, Permit, Workspace};

use crate::access::Client;
use crate::config::ServerLimits;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of a body or an answer that is not counted.
pub(crate) const SMALL: usize = 64 << 10;

/// The memory for what is in flight.
#[derive(Debug)]
pub(crate) struct Memory {
    max_bytes: usize,
    used: Mutex<Used>,
}

/// Bytes that are used.
#[derive(Debug, Default)]
struct Used {
    all: usize,
    /// Bytes of clients without a token.
    unknown: usize,
    by_client: HashMap<Client, usize>,
}

/// A part of the memory, which comes back when it is dropped.
#[derive(Debug)]
pub(crate) struct MemoryShare {
    memory: Arc<Memory>,
    client: Client,
    bytes: usize,
}

impl Memory {
    /// Memory of the size in the limits, and enough for the largest body of a client.
    pub(crate) fn new(limits: &ServerLimits) -> Arc<Self> {
        let max_bytes = limits.memory_bytes.max(limits.body_bytes.saturating_mul(4));
        Arc::new(Self { max_bytes, used: Mutex::default() })
    }

    /// A share of nothing yet.
    pub(crate) fn share(self: &Arc<Self>, client: Client) -> MemoryShare {
        MemoryShare { memory: Arc::clone(self), client, bytes: 0 }
    }

    fn lock(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes that are in use.
    pub(crate) fn used_bytes(&self) -> usize {
        self.lock().all
    }
}

impl MemoryShare {
    /// Lets the share grow to so many bytes; false if no more are left for this client.
    pub(crate) fn grow_to(&mut self, bytes: usize) -> bool {
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return true;
        }
        let max = self.memory.max_bytes;
        let mut used = self.memory.lock();
        let of_client = used.by_client.get(&self.client).copied().unwrap_or(0);
        let fits = |used: usize, limit: usize| used.saturating_add(more) <= limit;
        let is_unknown = !self.client.is_known();
        let is_left =
            fits(used.all, max) && fits(of_client, max / 2) && (!is_unknown || fits(used.unknown, max / 4 * 3));
        if is_left {
            used.all += more;
            used.unknown += if is_unknown { more } else { 0 };
            used.by_client.insert(self.client, of_client + more);
            drop(used);
            self.bytes = bytes;
        }
        is_left
    }

    /// Bytes of it.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Gives back all but so many bytes.
    pub(crate) fn shrink_to(&mut self, bytes: usize) {
        let less = self.bytes.saturating_sub(bytes);
        if less == 0 {
            return;
        }
        let mut used = self.memory.lock();
        used.all -= less;
        if !self.client.is_known() {
            used.unknown -= less;
        }
        if let Some(of_client) = used.by_client.get_mut(&self.client) {
            *of_client -= less;
            if *of_client == 0 {
                used.by_client.remove(&self.client);
            }
        }
        drop(used);
        self.bytes -= less;
    }
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Arc<Memory> {
        Memory::new(&ServerLimits { body_bytes: 1, memory_bytes: 1000, ..ServerLimits::default() })
    }

    fn client(number: u8) -> Client {
        Client::Unknown(Some([127, 0, 0, number].into()))
    }

    #[test]
    fn what_is_dropped_comes_back() {
        let memory = memory();
        let mut share = memory.share(client(1));
        assert!(share.grow_to(300) && share.grow_to(500) && !share.grow_to(501));
        share.shrink_to(100);
        assert_eq!(memory.used_bytes(), 100);
        drop(share);
        assert_eq!(memory.used_bytes(), 0);
        assert!(memory.share(client(1)).grow_to(500));
    }

    #[test]
    fn nobody_has_all_of_it() {
        let memory = memory();
        let mut shares: Vec<MemoryShare> = (1..=3).map(|number| memory.share(client(number))).collect();
        assert!(shares[0].grow_to(500), "half of it for one");
        assert!(shares[1].grow_to(250) && !shares[2].grow_to(1), "three quarters for those without a token");
        let mut known = memory.share(Client::Known(0));
        assert!(known.grow_to(250) && !known.grow_to(251));
    }
}

//! The open connections. If there are as many as may be, the one goes that has been idle for longest: so idle ones,
//! however many, keep nobody out. An address has three quarters of them at most.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The open connections.
#[derive(Debug)]
pub(super) struct Connections {
    max: usize,
    state: Mutex<ConnectionsState>,
}

#[derive(Debug, Default)]
struct ConnectionsState {
    open: usize,
    by_address: HashMap<IpAddr, usize>,
    /// The number of the next one that becomes idle.
    next: u64,
    /// Idle ones, those first that have been so for longest.
    idle: BTreeMap<u64, (IpAddr, Arc<Notify>)>,
}

impl ConnectionsState {
    /// Tells an idle connection to go.
    fn end(&mut self, number: u64) {
        if let Some((_, evicted)) = self.idle.remove(&number) {
            evicted.notify_one();
        }
    }
}

/// A connection. Dropped, it is closed.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    all: Arc<Connections>,
    address: IpAddr,
    /// Told when it has to go.
    evicted: Arc<Notify>,
    /// Its number while it is idle.
    idle: Mutex<Option<u64>>,
}

impl Connections {
    pub(super) fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { max, state: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A slot for a new connection; `None` if there are too many, of all or of its address, and all have a request.
    pub(super) fn open(self: &Arc<Self>, address: IpAddr) -> Option<ConnectionSlot> {
        let mut state = self.lock();
        let of_address = state.by_address.get(&address).copied().unwrap_or(0);
        if of_address >= self.max.div_ceil(4) * 3 {
            let longest = state.idle.iter().find(|(_, (of, _))| *of == address).map(|(&number, _)| number)?;
            state.end(longest);
        } else if state.open >= self.max {
            let longest = state.idle.keys().next().copied()?;
            state.end(longest);
        }
        state.open += 1;
        state.by_address.insert(address, of_address + 1);
        drop(state);
        let slot =
            ConnectionSlot { all: Arc::clone(self), address, evicted: Arc::new(Notify::new()), idle: Mutex::new(None) };
        slot.becomes_idle();
        Some(slot)
    }

    /// Number of open connections, those included that are about to go.
    pub(super) fn count(&self) -> usize {
        self.lock().open
    }
}

impl ConnectionSlot {
    /// True if the connection waits for a request.
    pub(super) fn is_idle(&self) -> bool {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Marks the connection as idle: it waits for a request.
    pub(super) fn becomes_idle(&self) {
        let mut state = self.all.lock();
        let number = state.next;
        state.next += 1;
        state.idle.insert(number, (self.address, Arc::clone(&self.evicted)));
        drop(state);
        *self.idle.lock().unwrap_or_else(PoisonError::into_inner) = Some(number);
    }

    /// Marks the connection as busy: it has a request.
    pub(super) fn becomes_busy(&self) {
        if let Some(number) = self.idle.lock().unwrap_or_else(PoisonError::into_inner).take() {
            self.all.lock().idle.remove(&number);
        }
    }

    /// Waits until it has to go.
    pub(super) async fn evicted(&self) {
        self.evicted.notified().await;
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.becomes_busy();
        let mut state = self.all.lock();
        state.open -= 1;
        if let Some(of_address) = state.by_address.get_mut(&self.address) {
            *of_address -= 1;
            if *of_address == 0 {
                state.by_address.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    async fn has_to_go(slot: &ConnectionSlot) -> bool {
        tokio::time::timeout(Duration::from_millis(20), slot.evicted()).await.is_ok()
    }

    #[tokio::test]
    async fn the_longest_idle_connection_goes() {
        let all = Connections::new(3);
        let address = |number: u8| IpAddr::from([127, 0, 0, number]);
        let slots: Vec<ConnectionSlot> = (0..3).filter_map(|_| all.open(address(1))).collect();
        slots[0].becomes_busy();
        slots[1].becomes_busy();
        slots[1].becomes_idle();
        let fourth = all.open(address(2)).unwrap();
        assert!(has_to_go(&slots[2]).await);
        assert!(!has_to_go(&slots[0]).await && !has_to_go(&slots[1]).await);
        let mut slots = slots;
        slots.truncate(2);
        slots[1].becomes_busy();
        fourth.becomes_busy();
        assert!(all.open(address(2)).is_none(), "all have a request");
        drop(fourth);
        assert!(all.open(address(2)).is_some());
        drop(slots);
        assert_eq!(all.count(), 0);
    }

    #[tokio::test]
    async fn an_address_leaves_a_quarter_to_others() {
        let all = Connections::new(8);
        let slots = (0..8).filter_map(|_| all.open([127, 0, 0, 1].into()).inspect(ConnectionSlot::becomes_busy));
        let slots: Vec<ConnectionSlot> = slots.collect();
        assert_eq!(slots.len(), 6);
        let other = all.open([127, 0, 0, 2].into());
        assert!(other.is_some());
        drop(slots);
        assert!(all.open([127, 0, 0, 1].into()).is_some());
    }
}

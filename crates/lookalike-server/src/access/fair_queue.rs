//! Requests in line, of which each client has its turn.

use super::Client;
use std::collections::{HashMap, VecDeque};

/// A queue of requests of many clients: one of each in turn, in the order in which they came.
#[derive(Debug)]
pub(crate) struct FairQueue<T> {
    len: usize,
    /// The clients that have requests, in the order of their turns.
    order: VecDeque<Client>,
    by_client: HashMap<Client, VecDeque<T>>,
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        Self { len: 0, order: VecDeque::new(), by_client: HashMap::new() }
    }
}

impl<T> FairQueue<T> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Number of requests of one client.
    pub(crate) fn len_of(&self, client: Client) -> usize {
        self.by_client.get(&client).map_or(0, VecDeque::len)
    }

    pub(crate) fn push(&mut self, client: Client, request: T) {
        let line = self.by_client.entry(client).or_default();
        if line.is_empty() {
            self.order.push_back(client);
        }
        line.push_back(request);
        self.len += 1;
    }

    /// The next request.
    pub(crate) fn front(&self) -> Option<&T> {
        self.by_client.get(self.order.front()?)?.front()
    }

    /// Removes the next request, whose client keeps its turn.
    pub(crate) fn discard_front(&mut self) {
        let Some(client) = self.order.front().copied() else { return };
        let Some(line) = self.by_client.get_mut(&client) else { return };
        line.pop_front();
        self.len -= 1;
        if line.is_empty() {
            self.by_client.remove(&client);
            self.order.pop_front();
        }
    }

    /// Takes the next request.
    pub(crate) fn pop(&mut self) -> Option<T> {
        let client = self.order.pop_front()?;
        let line = self.by_client.get_mut(&client)?;
        let request = line.pop_front();
        if line.is_empty() {
            self.by_client.remove(&client);
        } else {
            self.order.push_back(client);
        }
        self.len -= 1;
        request
    }
}

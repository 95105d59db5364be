//! The queue of questions, from which each client has its turn.
//!
//! ```text
//! quick    a: 1 2 3   b: 1     c: 1        taken a1 b1 c1 a2 a3
//! costly   a: 1       b: 1 2               taken a1 b1 b2
//! ```
//!
//! There are two queues, so that a question by id waits for no comparison of long texts. A client has half of the
//! places of a queue at most.

use crate::access::Client;
use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// About how long a question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Milliseconds: by id, or of a short text.
    Quick,
    /// Perhaps seconds.
    Costly,
}

/// Why a question has no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoPlace {
    /// As many wait as may, of all or of this client.
    Full,
    /// No more are taken.
    Closed,
}

/// Questions that wait.
#[derive(Debug)]
pub(crate) struct Turns<T> {
    state: Mutex<State<T>>,
    /// Told when there is a question, or when no more come.
    changed: Condvar,
    places: usize,
}

#[derive(Debug)]
struct State<T> {
    quick: Waiting<T>,
    costly: Waiting<T>,
    is_closed: bool,
    /// Whether the last one that was taken from both was a quick one.
    was_quick: bool,
}

/// Questions of one queue, by client.
#[derive(Debug)]
struct Waiting<T> {
    count: usize,
    /// The clients that have questions, in the order of their turns.
    order: VecDeque<Client>,
    by_client: HashMap<Client, VecDeque<T>>,
}

impl<T> Waiting<T> {
    fn new() -> Self {
        Self { count: 0, order: VecDeque::new(), by_client: HashMap::new() }
    }

    fn of_client(&self, client: Client) -> usize {
        self.by_client.get(&client).map_or(0, VecDeque::len)
    }

    fn push(&mut self, client: Client, question: T) {
        let queue = self.by_client.entry(client).or_default();
        if queue.is_empty() {
            self.order.push_back(client);
        }
        queue.push_back(question);
        self.count += 1;
    }

    fn pop(&mut self) -> Option<T> {
        let client = self.order.pop_front()?;
        let queue = self.by_client.get_mut(&client)?;
        let question = queue.pop_front();
        if queue.is_empty() {
            self.by_client.remove(&client);
        } else {
            self.order.push_back(client);
        }
        self.count -= 1;
        question
    }
}

impl<T> State<T> {
    /// The queue for questions of a cost, as long as some are taken.
    fn open_queue(&mut self, cost: Cost) -> Result<&mut Waiting<T>, NoPlace> {
        match cost {
            _ if self.is_closed => Err(NoPlace::Closed),
            Cost::Quick => Ok(&mut self.quick),
            Cost::Costly => Ok(&mut self.costly),
        }
    }
}

impl<T> Turns<T> {
    /// A queue for so many questions of each cost.
    pub(crate) fn new(places: usize) -> Self {
        let state = State { quick: Waiting::new(), costly: Waiting::new(), is_closed: false, was_quick: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), places }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a question wait, if there is a place for it.
    pub(crate) fn push(&self, client: Client, cost: Cost, question: T) -> Result<(), NoPlace> {
        let mut state = self.lock();
        let waiting = state.open_queue(cost)?;
        if waiting.count >= self.places || waiting.of_client(client) >= self.places.div_ceil(2) {
            return Err(NoPlace::Full);
        }
        waiting.push(client, question);
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// Lets a question wait that belongs to a request of which a part was answered: it has a place in any case.
    pub(crate) fn push_next_part(&self, client: Client, question: T) -> Result<(), NoPlace> {
        self.lock().open_queue(Cost::Costly)?.push(client, question);
        self.changed.notify_all();
        Ok(())
    }

    /// Waits for a quick question; `None` when no more come.
    pub(crate) fn next_quick(&self) -> Option<T> {
        self.next(|state| state.quick.pop())
    }

    /// Waits for a question, from one queue and the other in turn; `None` when no more come.
    pub(crate) fn next_of_any(&self) -> Option<T> {
        self.next(|state| {
            let next = match state.was_quick {
                true => state.costly.pop().or_else(|| state.quick.pop()),
                false => state.quick.pop().or_else(|| state.costly.pop()),
            };
            state.was_quick = !state.was_quick;
            next
        })
    }

    fn next(&self, take: impl Fn(&mut State<T>) -> Option<T>) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(question) = take(&mut state) {
                return Some(question);
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Number of questions that wait.
    pub(crate) fn len(&self) -> usize {
        let state = self.lock();
        state.quick.count + state.costly.count
    }

    /// Takes no more; those that wait are still given out.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> Client {
        Client::Unknown(Some([127, 0, 0, number].into()))
    }

    #[test]
    fn clients_have_turns() {
        let turns = Turns::new(100);
        for (number, question) in [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (3, "c1")] {
            turns.push(client(number), Cost::Quick, question).unwrap();
        }
        let taken: Vec<&str> = (0..5).filter_map(|_| turns.next_quick()).collect();
        assert_eq!(taken, ["a1", "b1", "c1", "a2", "a3"]);
        turns.close();
        assert_eq!(turns.next_of_any(), None);
        assert_eq!(turns.push(client(1), Cost::Quick, "late"), Err(NoPlace::Closed));
    }

    #[test]
    fn a_client_has_half_of_the_places() {
        let turns = Turns::new(4);
        assert_eq!(
            [1, 1, 1, 2, 3, 4].map(|one| turns.push(client(one), Cost::Costly, one).is_ok()),
            [true, true, false, true, true, false]
        );
        assert!(turns.push(client(1), Cost::Quick, 1).is_ok(), "the other queue has places of its own");
        assert!(turns.push_next_part(client(1), 1).is_ok());
        assert_eq!(turns.len(), 6);
    }

    #[test]
    fn costly_and_quick_questions_are_taken_in_turn() {
        let turns = Turns::new(100);
        for question in 0..3 {
            turns.push(client(1), Cost::Costly, question).unwrap();
            turns.push(client(1), Cost::Quick, 10 + question).unwrap();
        }
        assert_eq!((0..4).filter_map(|_| turns.next_of_any()).collect::<Vec<_>>(), [10, 0, 11, 1]);
        assert_eq!(turns.next_quick(), Some(12));
    }
}

//! The queue of questions, from which each client has its turn.
//!
//! ```text
//! quick    a: 1 2 3   b: 1     c: 1        taken a1 b1 c1 a2 a3
//! costly   a: 1       b: 1 2               taken a1 b1 b2
//! ```
//!
//! There are two queues, so that a question by id waits for no comparison of long texts. A client has half of the
//! places of a queue at most.

use crate::access::{Client, FairQueue};
use crate::problem::{HttpProblem, Result};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// About how long a question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Milliseconds: by id, or of a short text.
    Quick,
    /// Perhaps seconds.
    Costly,
}

/// Questions that wait.
#[derive(Debug)]
pub(crate) struct Turns<T> {
    state: Mutex<TurnsState<T>>,
    /// Told when there is a question, or when no more come.
    changed: Condvar,
    places: usize,
}

#[derive(Debug)]
struct TurnsState<T> {
    quick: FairQueue<T>,
    costly: FairQueue<T>,
    is_closed: bool,
    /// True if the last one that was taken from both was a quick one.
    was_quick: bool,
}

impl<T> TurnsState<T> {
    /// The queue for questions of a cost, as long as some are taken.
    fn open_queue(&mut self, cost: Cost) -> Result<&mut FairQueue<T>> {
        match cost {
            _ if self.is_closed => Err(HttpProblem::stopping()),
            Cost::Quick => Ok(&mut self.quick),
            Cost::Costly => Ok(&mut self.costly),
        }
    }
}

impl<T> Turns<T> {
    /// A queue for so many questions of each cost.
    pub(crate) fn new(places: usize) -> Self {
        let state = TurnsState {
            quick: FairQueue::default(),
            costly: FairQueue::default(),
            is_closed: false,
            was_quick: false,
        };
        Self { state: Mutex::new(state), changed: Condvar::new(), places }
    }

    fn lock(&self) -> MutexGuard<'_, TurnsState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a question wait, if there is a place for it.
    pub(crate) fn push(&self, client: Client, cost: Cost, question: T) -> Result<()> {
        let mut state = self.lock();
        let waiting = state.open_queue(cost)?;
        if waiting.len() >= self.places || waiting.len_of(client) >= self.places.div_ceil(2) {
            return Err(HttpProblem::full());
        }
        waiting.push(client, question);
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// Lets a question wait that belongs to a request of which a part was answered: it has a place in any case.
    pub(crate) fn push_next_part(&self, client: Client, question: T) -> Result<()> {
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
            let next = if state.was_quick {
                state.costly.pop().or_else(|| state.quick.pop())
            } else {
                state.quick.pop().or_else(|| state.costly.pop())
            };
            state.was_quick = !state.was_quick;
            next
        })
    }

    fn next(&self, take: impl Fn(&mut TurnsState<T>) -> Option<T>) -> Option<T> {
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
        state.quick.len() + state.costly.len()
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
        assert_eq!(turns.push(client(1), Cost::Quick, "late"), Err(HttpProblem::stopping()));
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

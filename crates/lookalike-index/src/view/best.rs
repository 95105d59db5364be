//! The best answers so far.

use super::view::{Answer, Place};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::num::NonZeroUsize;

/// An answer, of which the worst is the greatest: the least similar, and of equals the last.
#[derive(Debug, Clone, Copy)]
struct Ranked(Answer);

impl Ranked {
    fn key(&self) -> (f64, Place) {
        (self.0.similarity, self.0.place)
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        let ((mine, place), (theirs, other)) = (self.key(), other.key());
        theirs.total_cmp(&mine).then(place.cmp(&other))
    }
}

/// The best `limit` answers; all without a limit.
#[derive(Debug, Default)]
pub(super) struct Best {
    limit: Option<NonZeroUsize>,
    heap: BinaryHeap<Ranked>,
}

impl Best {
    pub(super) fn new(limit: Option<NonZeroUsize>) -> Self {
        Self { limit, heap: BinaryHeap::new() }
    }

    /// Adds an answer; returns the similarity of the worst, once there are enough.
    pub(super) fn push(&mut self, answer: Answer) -> Option<f64> {
        self.heap.push(Ranked(answer));
        let limit = self.limit?.get();
        if self.heap.len() > limit {
            self.heap.pop();
        }
        (self.heap.len() == limit).then(|| self.heap.peek().map_or(0.0, |worst| worst.0.similarity))
    }

    /// The answers, the best first.
    pub(super) fn into_sorted(self) -> Vec<Answer> {
        self.heap.into_sorted_vec().into_iter().map(|ranked| ranked.0).collect()
    }
}

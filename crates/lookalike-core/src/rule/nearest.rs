//! The most similar documents of a search, as they are found.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::num::NonZeroUsize;

/// A document that is near to another.
pub trait Near {
    /// Order of equally similar documents: the first comes first.
    type Place: Ord;

    /// The exact similarity.
    fn similarity(&self) -> f64;

    /// Place of the document.
    fn place(&self) -> Self::Place;
}

/// The most similar documents so far, up to a limit, if there is one.
///
/// ```
/// # use lookalike_core::rule::{Near, Nearest};
/// # use std::num::NonZeroUsize;
/// struct Found(f64, u32);
/// impl Near for Found {
///     type Place = u32;
///     fn similarity(&self) -> f64 { self.0 }
///     fn place(&self) -> u32 { self.1 }
/// }
/// let mut nearest = Nearest::new(NonZeroUsize::new(2));
/// assert_eq!(nearest.push(Found(0.5, 3)), None);
/// assert_eq!(nearest.push(Found(0.9, 7)), Some(0.5));
/// assert_eq!(nearest.push(Found(0.5, 1)), Some(0.5));
/// let places: Vec<u32> = nearest.into_sorted().iter().map(|found| found.1).collect();
/// assert_eq!(places, [7, 1]);
/// ```
#[derive(Debug)]
pub struct Nearest<T: Near> {
    limit: Option<NonZeroUsize>,
    heap: BinaryHeap<Ranked<T>>,
}

/// A document, of which the worst is the greatest: the least similar, and of equals the last.
#[derive(Debug)]
struct Ranked<T>(T);

impl<T: Near> PartialEq for Ranked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T: Near> Eq for Ranked<T> {}

impl<T: Near> PartialOrd for Ranked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Near> Ord for Ranked<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_similarity = other.0.similarity().total_cmp(&self.0.similarity());
        by_similarity.then_with(|| self.0.place().cmp(&other.0.place()))
    }
}

impl<T: Near> Nearest<T> {
    /// No documents yet, and at most `limit` at the end; all without a limit.
    pub fn new(limit: Option<NonZeroUsize>) -> Self {
        Self { limit, heap: BinaryHeap::new() }
    }

    /// Adds a document. Once there are enough, returns the similarity that another one must have at least to be among
    /// them.
    pub fn push(&mut self, found: T) -> Option<f64> {
        self.heap.push(Ranked(found));
        let limit = self.limit?.get();
        if self.heap.len() > limit {
            self.heap.pop();
        }
        (self.heap.len() == limit).then(|| self.heap.peek().map_or(0.0, |worst| worst.0.similarity()))
    }

    /// The documents, the most similar first; of equally similar ones, the first.
    pub fn into_sorted(self) -> Vec<T> {
        self.heap.into_sorted_vec().into_iter().map(|ranked| ranked.0).collect()
    }
}

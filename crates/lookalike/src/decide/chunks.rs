//! Chunks of documents that are compared at a time, such that their pairs fit into memory.

use crate::run::Session;
use crate::spill::Share;
use crate::threads::Pace;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of pairs, of `pair_bytes` each, that a chunk may have: all chunks in flight share the memory.
pub(super) fn max_chunk_pairs(pair_bytes: usize, session: &Session<'_>) -> usize {
    session.spill.budget().share(Share::PairChunks) / pair_bytes / (Pace::MIN_ITEMS * session.threads())
}

/// Pairs that a document of the last chunk had.
#[derive(Debug)]
pub(super) struct Density(AtomicUsize);

impl Density {
    /// Unknown density: the first chunk has one document.
    pub(super) fn unknown() -> Self {
        Self(AtomicUsize::new(usize::MAX - 1))
    }

    /// Notes the number of pairs of a chunk.
    pub(super) fn note(&self, pairs: usize, chunk: &Range<u32>) {
        self.0.store(pairs / chunk.len(), Ordering::Relaxed);
    }
}

/// Cuts the documents into chunks by the number of pairs that a document of the last chunk had. The chunks change no
/// answer.
pub(super) struct Chunks<'a> {
    /// Ranks of the documents that are not yet in a chunk.
    pub(super) left: Range<u32>,
    pub(super) max_documents: usize,
    pub(super) max_pairs: usize,
    pub(super) density: &'a Density,
}

impl Iterator for Chunks<'_> {
    type Item = Range<u32>;

    fn next(&mut self) -> Option<Range<u32>> {
        let documents = self.max_pairs / (self.density.0.load(Ordering::Relaxed) + 1);
        let start = self.left.start;
        let end = self.left.end.min(start.saturating_add(documents.clamp(1, self.max_documents) as u32));
        self.left.start = end;
        (start < end).then_some(start..end)
    }
}

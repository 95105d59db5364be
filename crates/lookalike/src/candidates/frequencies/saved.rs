//! The first counters of all elements in files, from where they are read in the order of the documents.
//!
//! A chunk of documents has a range of each stream, and a set, being sorted, takes from one stream after the other:
//!
//! ```text
//! counts of stream 0   ... | 1 3 | 1 1 2 |      sets of chunk 7:  A = { 0.. 0.. 2.. }, B = { 1.. 2.. }
//! counts of stream 1   ... | 2 | ...
//! counts of stream 2   ... | 1 1 | ...          counts of A:  1 3 1      of B:  2 1
//!                            chunk 7
//! ```

use crate::ground::Result;
use crate::spill::{PlacedColumn, Spill};
use lookalike_core::Array;
use lookalike_core::features::ElementSets;
use lookalike_core::method::{FrequencyTable, TableParts};

/// The counts of all elements of the representatives.
#[derive(Debug)]
pub(in crate::candidates) struct SavedCounts {
    /// The second counters.
    pub(in crate::candidates) table: FrequencyTable,
    pub(super) parts: TableParts,
    /// The first counts of all elements, stream by stream.
    pub(super) counts: PlacedColumn<u8>,
    /// By stream: where its counts begin.
    pub(super) begins: Vec<usize>,
    /// By chunk, and one more: where its range of each stream begins.
    pub(super) starts: Array<u64>,
}

impl SavedCounts {
    /// Whether the table for the elements of `sets` is too large for the memory.
    pub(in crate::candidates) fn are_needed(sets: &ElementSets, spill: &Spill) -> bool {
        FrequencyTable::counters_for(sets.total_elements())
            > spill.budget().max_bytes_beside(sets.memory_bytes() as u64)
    }

    /// Reads the counts of the sets of a chunk.
    pub(in crate::candidates) fn chunk(&self, chunk: usize, spill: &Spill) -> Result<ChunkCounts> {
        let streams = self.parts.count();
        let (starts, ends) = self.starts.slice(chunk * streams..(chunk + 2) * streams).split_at(streams);
        let (mut counts, mut next) = (Vec::new(), Vec::with_capacity(streams));
        for ((&begin, &start), &end) in self.begins.iter().zip(starts).zip(ends) {
            next.push(counts.len());
            self.counts.read(begin + start as usize..begin + end as usize, &mut counts, spill)?;
        }
        Ok(ChunkCounts { parts: self.parts, counts, next })
    }
}

/// The first counts of the elements of a chunk, stream by stream, read in the order of its sets.
#[derive(Debug)]
pub(in crate::candidates) struct ChunkCounts {
    parts: TableParts,
    counts: Vec<u8>,
    /// By stream: where its next count is.
    next: Vec<usize>,
}

impl ChunkCounts {
    /// Writes the first counts of the next representative's set.
    pub(in crate::candidates) fn next(&mut self, set: &[u64], counts: &mut Vec<u8>) {
        counts.clear();
        counts.extend(set.iter().map(|&element| {
            let next = &mut self.next[self.parts.part_of(element)];
            *next += 1;
            self.counts[*next - 1]
        }));
    }
}

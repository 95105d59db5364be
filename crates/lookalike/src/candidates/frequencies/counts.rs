//! The first counts of all elements, stream by stream, read in the order of the documents.
//!
//! A chunk of documents has a range of each stream, and a set, being sorted, takes from one stream after the other:
//!
//! ```text
//! counts of stream 0   ... | 1 3 | 1 1 2 |      sets of chunk 7:  A = { 0.. 0.. 2.. }, B = { 1.. 2.. }
//! counts of stream 1   ... | 2 | ...
//! counts of stream 2   ... | 1 1 | ...          counts of A:  1 3 1      of B:  2 1
//!                            chunk 7
//! ```

use crate::base::Result;
use crate::spill::{PlacedColumn, Spill};
use lookalike_core::Array;
use lookalike_core::keys::{FrequencyTable, TableParts};

/// The counts of all elements of the representatives.
#[derive(Debug)]
pub(in crate::candidates) struct ElementCounts {
    /// The second counters.
    pub(in crate::candidates) table: FrequencyTable,
    pub(super) parts: TableParts,
    pub(super) counts: StreamCounts,
    /// Begins of the ranges of each stream by chunk, and the ends.
    pub(super) starts: Array<u64>,
}

/// The first counts of the elements of all streams.
#[derive(Debug)]
pub(super) enum StreamCounts {
    /// Counts by stream.
    Memory(Vec<Vec<u8>>),
    /// Stream after stream in a file, and by stream where it begins.
    File(PlacedColumn<u8>, Vec<usize>),
}

impl ElementCounts {
    /// Reads the counts of the sets of a chunk.
    pub(in crate::candidates) fn chunk(&self, chunk: usize, spill: &Spill) -> Result<ChunkCounts> {
        let streams = self.parts.count();
        let (starts, ends) = self.starts.slice(chunk * streams..(chunk + 2) * streams).split_at(streams);
        let elements: u64 = starts.iter().zip(ends).map(|(start, end)| end - start).sum();
        let mut counts = Vec::with_capacity(elements as usize);
        let mut next = Vec::with_capacity(streams);
        for (stream, (&start, &end)) in starts.iter().zip(ends).enumerate() {
            let start = start as usize;
            let end = end as usize;
            next.push(counts.len());
            match &self.counts {
                StreamCounts::Memory(all) => counts.extend_from_slice(&all[stream][start..end]),
                StreamCounts::File(file, begins) => {
                    file.read(begins[stream] + start..begins[stream] + end, &mut counts, spill)?;
                }
            }
        }
        Ok(ChunkCounts { parts: self.parts, counts, next })
    }
}

/// The first counts of the elements of a chunk, stream by stream, read in the order of its sets.
#[derive(Debug)]
pub(in crate::candidates) struct ChunkCounts {
    parts: TableParts,
    counts: Vec<u8>,
    /// Place of the next count by stream.
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

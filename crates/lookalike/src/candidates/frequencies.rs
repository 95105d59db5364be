//! Frequencies of elements where memory does not hold the table: it is filled part by part.
//!
//! A part counts a range of hashes, which is a subslice of each sorted set. When it is full, the counters of all
//! subslices are written to a file in the order of the documents, and its memory serves the next part. A document finds
//! the counters of its set one part after the other:
//!
//! ```text
//! set of a document     | a b c | d e | f g h i |          its subslices in the parts 0, 1, 2
//! counters of part 0    ... . . | a b c | . . ...
//! counters of part 1    ... . . | d e | . . . ...
//! ```

use super::chunks::DocumentChunks;
use crate::ground::Result;
use crate::run::Session;
use crate::spill::{Column, Share, Spill, ask_for_large_pages};
use crate::threads::{Pace, ordered_map, try_each};
use lookalike_core::features::ElementSets;
use lookalike_core::measure::EqualSets;
use lookalike_core::method::{Counting, FrequencyTable};
use lookalike_core::{Array, DocId};
use std::ops::Range;

/// Documents after which a thread looks whether the job is cancelled.
const DOCUMENTS_PER_CHECK: usize = 1 << 12;

/// The first counters of all elements of the representatives.
#[derive(Debug)]
pub(crate) struct CountedElements {
    /// The second counters.
    pub(crate) table: FrequencyTable,
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    /// Without counters: it knows which elements of a set are its own.
    range: FrequencyTable,
    counts: Array<u8>,
    /// By chunk of documents: where its counters begin.
    starts: Vec<usize>,
}

impl CountedElements {
    /// Whether the table for the elements of `sets` is too large for the memory.
    pub(crate) fn are_needed(sets: &ElementSets, spill: &Spill) -> bool {
        FrequencyTable::counters_for(sets.total_elements())
            > spill.budget().max_bytes_beside(sets.memory_bytes() as u64)
    }

    /// Counts the elements; documents come in `chunks` afterwards.
    pub(crate) fn count(
        sets: &ElementSets,
        groups: &EqualSets,
        chunks: &DocumentChunks<'_>,
        session: &Session<'_>,
    ) -> Result<Self> {
        let elements = sets.total_elements();
        let spill = &session.spill;
        let max_bytes = match sets.memory_bytes() {
            // Each part costs two passes over sets that are in a file: fewer parts are worth more memory.
            0 => spill.budget().share(Share::CountersAlone),
            bytes => spill.budget().max_bytes_beside(bytes as u64),
        };
        let parts = FrequencyTable::counters_for(elements).div_ceil(max_bytes.max(1));
        let fill = |part| Part::fill(FrequencyTable::part_for(elements, part, parts), sets, groups, chunks, session);
        let parts = (0..parts).map(fill).collect::<Result<Vec<_>>>()?;
        let (parts, tables): (Vec<Part>, Vec<FrequencyTable>) = parts.into_iter().unzip();
        Ok(Self { table: FrequencyTable::of_second_counters(elements, &tables), parts })
    }

    /// Reads the counters of the sets of a chunk.
    pub(crate) fn chunk(&self, chunk: usize) -> ChunkCounts<'_> {
        ChunkCounts { parts: &self.parts, next: self.parts.iter().map(|part| part.starts[chunk]).collect() }
    }
}

/// The counters of the sets of a chunk, read in order.
#[derive(Debug)]
pub(crate) struct ChunkCounts<'a> {
    parts: &'a [Part],
    next: Vec<usize>,
}

impl ChunkCounts<'_> {
    /// Writes the first counters of the next representative's set.
    pub(crate) fn next(&mut self, set: &[u64], counts: &mut Vec<u8>) {
        counts.clear();
        for (part, next) in self.parts.iter().zip(&mut self.next) {
            let length = part.range.part_of(set).len();
            counts.extend_from_slice(part.counts.slice(*next..*next + length));
            *next += length;
        }
    }
}

/// Counts the sets of the representatives, in the order in which they lie, each thread for its part of the counters.
pub(crate) fn count_sets(
    table: &mut FrequencyTable,
    sets: &ElementSets,
    groups: &EqualSets,
    session: &Session<'_>,
) -> Result<()> {
    ask_for_large_pages(table.untouched_memory());
    try_each(table.partitions(session.threads()), session.threads(), |mut partition| {
        partition.touch();
        let mut counting = Counting::new(partition);
        for document in DocId::all(sets.len()).filter(|&document| groups.is_representative(document)) {
            counting.add(&sets.get(document));
            if document.index().is_multiple_of(DOCUMENTS_PER_CHECK) {
                session.stages.check()?;
            }
        }
        counting.finish();
        Ok(())
    })
}

impl Part {
    /// Fills a part of the table; gives it back without its first counters.
    fn fill(
        mut table: FrequencyTable,
        sets: &ElementSets,
        groups: &EqualSets,
        chunks: &DocumentChunks<'_>,
        session: &Session<'_>,
    ) -> Result<(Self, FrequencyTable)> {
        let is_counted = |document: &DocId| groups.is_representative(*document);
        count_sets(&mut table, sets, groups, session)?;
        let look_up = |(): &mut (), chunk: Range<usize>| {
            let mut counts = Vec::new();
            for document in chunk.map(|index| DocId(index as u32)).filter(is_counted) {
                let counted = table.part_of(sets.get(document).elements());
                let before = counts.len();
                counts.resize(before + counted.len(), 0);
                table.first_counts(counted, &mut counts[before..]);
            }
            counts
        };
        let (mut counts, mut starts) = (Column::in_file(&session.spill)?, Vec::new());
        ordered_map(
            chunks.clone(),
            Pace::of(session.threads()),
            || (),
            look_up,
            |chunk: Vec<u8>| {
                session.stages.check()?;
                starts.push(counts.len());
                counts.extend(&chunk, &session.spill)
            },
        )?;
        let range = table.without_counters();
        let part = Self { counts: counts.finish(&session.spill)?, range, starts };
        Ok((part, table.without_first_counters()))
    }
}

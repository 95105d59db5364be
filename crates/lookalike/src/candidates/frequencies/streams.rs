//! Counting elements whose table exceeds the memory, without random access to anything but a small part of it.
//!
//! Elements are dealt into streams by their first bits, in the order of the documents. All equal elements are in one
//! stream, whose part of the table fits the cache: it is counted by itself, and the counts replace the elements.
//!
//! ```text
//! sets, chunk by chunk    3a 71 c4 | 05 33 ca | ...
//!                           |  |  |                           dealt by the first bits; the upper half is kept
//! streams (files)         [05 ..] [3a 33 ..] [71 ..] [c4 ca ..]
//!                            |        |         |        |    counted one by one, in a part of the table each
//! counts (files)          [ 1 ..] [ 2  1 ..] [ 9 ..] [ 1  1 ..]
//! ```
//!
//! Turned down: filling the table part by part from the sets themselves. Each part then needs two passes over all sets,
//! and looks its counts up in a part that is larger than the cache: in 64 MiB a million documents took seven times as
//! long.

use super::saved::SavedCounts;
use crate::candidates::chunks::DocumentChunks;
use crate::ground::Result;
use crate::run::Session;
use crate::spill::{BUFFER_BYTES, Column, PlacedColumn, Share, Spill};
use crate::threads::{Pace, ordered_map};
use lookalike_core::features::ElementSets;
use lookalike_core::measure::EqualSets;
use lookalike_core::method::{FrequencyTable, TableParts};
use lookalike_core::{DocId, Ragged};
use std::ops::Range;

/// First counters of a stream, of one byte each, that fit the cache of a core.
const COUNTERS_PER_STREAM: usize = 1 << 22;
/// Maximum number of streams, which are files that are written to at a time.
const MAX_STREAMS: usize = 512;
/// Minimum bytes that are written to a stream at a time.
const MIN_BUFFER_BYTES: usize = 1 << 12;

/// The elements of the representatives' sets, dealt into streams.
pub(super) struct ElementStreams {
    parts: TableParts,
    /// By part of the table: the upper halves of its elements, in the order of the documents.
    streams: Vec<Column<u32>>,
    /// By chunk, and one more: the length of each stream before it.
    starts: Column<u64>,
    max_counting_threads: usize,
}

impl ElementStreams {
    /// Deals the elements of all representatives, chunk by chunk.
    pub(super) fn deal(
        sets: &ElementSets,
        groups: &EqualSets,
        chunks: &DocumentChunks<'_>,
        session: &Session<'_>,
    ) -> Result<Self> {
        let mut streams = Self::none_for(sets, &session.spill)?;
        let parts = streams.parts;
        let is_long = |document: &DocId| sets.size(*document) > DocumentChunks::MAX_ELEMENTS;
        let deal_chunk = |(): &mut (), chunk: Range<usize>| {
            session.stages.check()?;
            let mut documents =
                chunk.map(|index| DocId(index as u32)).filter(|&document| groups.is_representative(document));
            let short = documents.clone().filter(|document| !is_long(document));
            let dealt = deal(parts, short.flat_map(|document| sets.get(document).elements()));
            // A long document ends its chunk. It is dealt piece by piece, not to be in memory as a whole.
            Ok((dealt, documents.rfind(is_long)))
        };
        let append = |dealt: Result<(Ragged<u32>, Option<DocId>)>| {
            let (dealt, long) = dealt?;
            streams.note_lengths(&session.spill)?;
            streams.append(&dealt, &session.spill)?;
            let pieces = long.map(|document| sets.get(document).elements().chunks(DocumentChunks::MAX_ELEMENTS));
            pieces.into_iter().flatten().try_for_each(|piece| {
                session.stages.check()?;
                streams.append(&deal(parts, piece), &session.spill)
            })
        };
        let pace = session.pace_for(DocumentChunks::MAX_ELEMENTS * size_of::<u32>());
        ordered_map(chunks.clone(), pace, || (), deal_chunk, append)?;
        streams.note_lengths(&session.spill)?;
        Ok(streams)
    }

    /// Empty streams, as many as the memory has buffers for.
    fn none_for(sets: &ElementSets, spill: &Spill) -> Result<Self> {
        let buffer_bytes = spill.budget().share(Share::PartBuffers);
        let max_streams = (buffer_bytes / MIN_BUFFER_BYTES).clamp(1, MAX_STREAMS);
        let wanted = FrequencyTable::counters_for(sets.total_elements()) / COUNTERS_PER_STREAM;
        let parts = TableParts::new(sets.total_elements(), wanted.clamp(1, 1 << max_streams.ilog2()));
        let counter_bytes = match sets.memory_bytes() {
            0 => spill.budget().share(Share::CountersAlone),
            bytes => spill.budget().max_bytes_beside(bytes as u64),
        };
        let buffer_bytes = (buffer_bytes / parts.count()).min(BUFFER_BYTES);
        let streams = (0..parts.count()).map(|_| Column::in_file_with(buffer_bytes, spill)).collect::<Result<_>>()?;
        let max_counting_threads = counter_bytes / parts.counters_of_part();
        Ok(Self { parts, streams, starts: Column::in_file(spill)?, max_counting_threads })
    }

    fn note_lengths(&mut self, spill: &Spill) -> Result<()> {
        let lengths: Vec<u64> = self.streams.iter().map(|stream| stream.len() as u64).collect();
        self.starts.extend(&lengths, spill)
    }

    fn append(&mut self, dealt: &Ragged<u32>, spill: &Spill) -> Result<()> {
        self.streams.iter_mut().zip(dealt.iter()).try_for_each(|(stream, halves)| stream.extend(halves, spill))
    }

    /// Counts each stream; a stream ends as soon as it was counted.
    pub(super) fn count(self, session: &Session<'_>) -> Result<SavedCounts> {
        let Self { parts, streams, starts, max_counting_threads } = self;
        let spill = &session.spill;
        let (mut begins, mut elements) = (Vec::with_capacity(streams.len()), 0);
        for stream in &streams {
            begins.push(elements);
            elements += stream.len();
        }
        let counts = PlacedColumn::zeroed(elements, spill)?;
        let mut second_counters = Vec::new();
        let count_stream = |(): &mut (), (number, stream): (usize, Column<u32>)| {
            let (mut part, stream) = (parts.part(number), stream.finish(spill)?);
            for halves in stream.chunks() {
                session.stages.check()?;
                part.count(halves);
            }
            let (mut place, mut of_chunk) = (begins[number], Vec::new());
            for halves in stream.chunks() {
                session.stages.check()?;
                of_chunk.clear();
                part.append_first_counts(halves, &mut of_chunk);
                counts.write(place, &of_chunk, spill)?;
                place += of_chunk.len();
            }
            Ok(part.into_second_counters())
        };
        let append = |second: Result<Vec<u32>>| {
            second_counters.extend(second?);
            Result::Ok(())
        };
        let pace = Pace::of(session.threads().min(max_counting_threads).max(1));
        ordered_map(streams.into_iter().enumerate(), pace, || (), count_stream, append)?;
        let table = parts.whole(second_counters);
        Ok(SavedCounts { table, parts, counts, begins, starts: starts.finish(spill)? })
    }
}

/// The upper halves of elements, by part.
fn deal<'e>(parts: TableParts, elements: impl IntoIterator<Item = &'e u64, IntoIter: Clone>) -> Ragged<u32> {
    let dealt = elements.into_iter().map(|&element| (parts.part_of(element), TableParts::upper_half(element)));
    Ragged::group(parts.count(), dealt)
}

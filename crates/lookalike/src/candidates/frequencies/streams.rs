//! Counting elements without random access to anything but a small part of the counters.
//!
//! Elements are dealt into streams by their first bits, in the order of the documents. All equal elements are in one
//! stream, whose part of the table fits the cache: it is counted by itself, and the counts replace the elements.
//!
//! ```text
//! sets, chunk by chunk    3a 71 c4 | 05 33 ca | ...
//!                           |  |  |                           dealt by the first bits; the bits behind are kept
//! streams                 [5 ..] [a 3 ..] [1 ..] [4 a ..]
//!                            |      |        |      |         counted one by one, in a part of the table each
//! counts                  [1 ..] [2 1 ..] [9 ..] [1 1 ..]
//! ```
//!
//! In memory there are so many streams that 16 bits hold a slot; in files so many that their parts fit the cache and
//! the memory of the threads that count them, and no more than there is memory for buffers.
//!
//! Turned down: one table in memory. It is as large as the streams, but counters are looked up at random there, which
//! takes twice as long in all. And filling a table that exceeds the memory part by part from the sets: each part needs
//! two passes over all sets; in 64 MiB counting took ten times as long
//! (bench/results/dedup.md).

use super::counts::{ElementCounts, StreamCounts};
use crate::base::Result;
use crate::candidates::chunks::DocumentChunks;
use crate::run::Session;
use crate::spill::{BUFFER_BYTES, Location, PlacedColumn, Share, Spill, SpillColumn};
use crate::threads::{Pace, ordered_map};
use bytemuck::Pod;
use lookalike_core::comparison::EqualSets;
use lookalike_core::documents::ElementSets;
use lookalike_core::keys::{FrequencyTable, TableParts};
use lookalike_core::{DocId, Ragged};
use std::fmt::Debug;
use std::ops::Range;

/// Maximum number of first counters (one byte each) of a part whose stream is a file: a few such parts fit the cache
/// that cores share.
const MAX_COUNTERS_PER_PART: usize = 1 << 22;
/// Maximum number of streams that are files. All are open at a time, and some systems allow a process 256 open files.
const MAX_FILES: usize = 128;
/// Elements that are dealt at a time, about: they and their slots fit the second-level cache.
const PIECE_ELEMENTS: usize = 1 << 17;
/// Elements for each part that are dealt at a time, at least: fewer are not worth a call for each stream.
const MIN_PIECE_ELEMENTS_PER_PART: usize = 1 << 5;
/// Minimum bytes that are written to a file at a time.
const MIN_BUFFER_BYTES: usize = 1 << 12;

/// Slot of an element in the part of the table of its stream.
pub(super) trait CounterSlot: Pod + Debug + Send + Sync + Into<u32> {
    /// Location of streams of such slots.
    const LOCATION: Location;

    /// A slot of a part that has no more slots than this type has values.
    fn from_slot(slot: u32) -> Self;
}

impl CounterSlot for u16 {
    const LOCATION: Location = Location::Memory;

    fn from_slot(slot: u32) -> Self {
        slot as Self
    }
}

impl CounterSlot for u32 {
    const LOCATION: Location = Location::File;

    fn from_slot(slot: u32) -> Self {
        slot
    }
}

/// The elements of the representatives' sets, dealt into streams.
pub(super) struct ElementStreams<S> {
    parts: TableParts,
    /// Slots of elements in the order of the documents, by part of the table.
    streams: Vec<SpillColumn<S>>,
    /// Lengths of the streams before each chunk, and at the end.
    starts: SpillColumn<u64>,
    max_counting_threads: usize,
}

impl ElementStreams<u16> {
    /// Parts of at most 65,536 counters.
    fn parts_for(sets: &ElementSets) -> TableParts {
        TableParts::new(sets.total_elements(), FrequencyTable::counters_for(sets.total_elements()) >> u16::BITS)
    }

    /// Returns whether streams in memory, and their starts of all chunks, fit beside the sets. If most elements are in
    /// one stream, it takes up to three bytes more for each while it is counted, which the blocking keys do not need
    /// yet.
    pub(super) fn fit_memory(sets: &ElementSets, chunks: &DocumentChunks<'_>, spill: &Spill) -> bool {
        let parts = Self::parts_for(sets).count();
        let starts = parts.saturating_mul(chunks.max_count() + 1).saturating_mul(size_of::<u64>());
        let bytes = sets.total_elements().saturating_mul(size_of::<u16>()).saturating_add(starts);
        bytes <= spill.budget().max_bytes_beside(sets.memory_bytes() as u64)
    }
}

impl<S: CounterSlot> ElementStreams<S> {
    /// Deals the elements of all representatives, chunk by chunk.
    pub(super) fn deal(
        sets: &ElementSets,
        groups: &EqualSets,
        chunks: &DocumentChunks<'_>,
        session: &Session<'_>,
    ) -> Result<Self> {
        let mut streams = Self::empty(sets, session)?;
        let parts = streams.parts;
        let max_elements = chunks.max_elements();
        let piece_elements = PIECE_ELEMENTS.max(MIN_PIECE_ELEMENTS_PER_PART * parts.count());
        let is_long = |document: &DocId| sets.size(*document) > max_elements;
        let deal_chunk = |(): &mut (), chunk: Range<usize>| {
            session.stages.check()?;
            let representatives = |documents: Range<usize>| {
                documents.map(|index| DocId(index as u32)).filter(|&document| groups.is_representative(document))
            };
            let deal_piece = |piece: Range<usize>| {
                let short = representatives(piece).filter(|document| !is_long(document));
                group_by_part(parts, short.flat_map(|document| sets.get(document).elements()))
            };
            let pieces = chunks.clone().with_elements(piece_elements).within(chunk.clone());
            let dealt = pieces.map(deal_piece).collect::<Vec<_>>();
            // A document with more elements than a chunk may have ends its chunk. It is dealt piece by piece, not to be
            // in memory as a whole.
            Ok((dealt, representatives(chunk).rfind(is_long)))
        };
        let append = |dealt: Result<(Vec<Ragged<S>>, Option<DocId>)>| {
            let (dealt, long) = dealt?;
            streams.note_lengths(&session.spill)?;
            dealt.iter().try_for_each(|piece| streams.append(piece, &session.spill))?;
            let pieces = long.map(|document| sets.get(document).elements().chunks(max_elements));
            pieces.into_iter().flatten().try_for_each(|piece| {
                session.stages.check()?;
                streams.append(&group_by_part(parts, piece), &session.spill)
            })
        };
        let pace = session.pace_for(max_elements * size_of::<S>());
        ordered_map(chunks.clone(), pace, || (), deal_chunk, append)?;
        streams.note_lengths(&session.spill)?;
        Ok(streams)
    }

    fn empty(sets: &ElementSets, session: &Session<'_>) -> Result<Self> {
        match S::LOCATION {
            Location::Memory => Ok(Self::empty_in_memory(sets)),
            Location::File => Self::empty_in_files(sets, session),
        }
    }

    fn empty_in_memory(sets: &ElementSets) -> Self {
        let parts = ElementStreams::parts_for(sets);
        // Hashes are uniform: a stream that gets far more has an element of many documents.
        let expected = sets.total_elements() / parts.count();
        let streams = (0..parts.count()).map(|_| SpillColumn::with_capacity_for(expected + expected / 16)).collect();
        Self { parts, streams, starts: SpillColumn::default(), max_counting_threads: usize::MAX }
    }

    /// Empty streams, as many as the memory has buffers for, and small enough for all threads to count one each.
    fn empty_in_files(sets: &ElementSets, session: &Session<'_>) -> Result<Self> {
        let spill = &session.spill;
        let buffer_bytes = spill.budget().share(Share::PartBuffers);
        let max_files = (buffer_bytes / MIN_BUFFER_BYTES).clamp(1, MAX_FILES);
        let counter_bytes = match sets.memory_bytes() {
            0 => spill.budget().share(Share::CountersAlone),
            bytes => spill.budget().max_bytes_beside(bytes as u64),
        };
        let counters = FrequencyTable::counters_for(sets.total_elements());
        let counter_bytes = counter_bytes.saturating_sub(TableParts::second_bytes_of(counters));
        let max_counters = (counter_bytes / session.threads()).clamp(1, MAX_COUNTERS_PER_PART);
        let wanted = counters.div_ceil(max_counters);
        let parts = TableParts::new(sets.total_elements(), wanted.min(1 << max_files.ilog2()));
        let buffer_bytes = (buffer_bytes / parts.count()).min(BUFFER_BYTES);
        let streams =
            (0..parts.count()).map(|_| SpillColumn::in_file_with(buffer_bytes, spill)).collect::<Result<_>>()?;
        let max_counting_threads = counter_bytes / parts.counters_of_part();
        Ok(Self { parts, streams, starts: SpillColumn::in_file(spill)?, max_counting_threads })
    }

    fn note_lengths(&mut self, spill: &Spill) -> Result<()> {
        let lengths: Vec<u64> = self.streams.iter().map(|stream| stream.len() as u64).collect();
        self.starts.extend(&lengths, spill)
    }

    fn append(&mut self, dealt: &Ragged<S>, spill: &Spill) -> Result<()> {
        self.streams.iter_mut().zip(dealt.iter()).try_for_each(|(stream, slots)| stream.extend(slots, spill))
    }

    /// Counts each stream, and drops it as soon as it was counted.
    pub(super) fn count(self, session: &Session<'_>) -> Result<ElementCounts> {
        let Self { parts, streams, starts, max_counting_threads } = self;
        let spill = &session.spill;
        let places = match S::LOCATION {
            Location::Memory => None,
            Location::File => Some(CountsFile::new(&streams, spill)?),
        };
        let mut in_memory = Vec::with_capacity(streams.len());
        let mut second_counters = parts.empty_second_counters();
        let count_stream = |(): &mut (), (number, stream): (usize, SpillColumn<S>)| {
            let mut part = parts.part();
            let stream = stream.finish(spill)?;
            for slots in stream.chunks() {
                session.stages.check()?;
                part.count(slots);
            }
            let mut counts = Vec::new();
            match &places {
                None => {
                    counts.reserve_exact(stream.len());
                    stream.chunks().for_each(|slots| part.append_first_counts(slots, &mut counts));
                }
                Some(CountsFile { counts: file, begins }) => {
                    let mut place = begins[number];
                    for slots in stream.chunks() {
                        session.stages.check()?;
                        counts.clear();
                        part.append_first_counts(slots, &mut counts);
                        file.write(place, &counts, spill)?;
                        place += counts.len();
                    }
                    counts = Vec::new();
                }
            }
            Ok((counts, part.into_second_counters()))
        };
        let append = |counted: Result<(Vec<u8>, Vec<u32>)>| {
            let (counts, second) = counted?;
            in_memory.push(counts);
            second_counters.extend(second);
            Result::Ok(())
        };
        let pace = Pace::for_threads(session.threads().min(max_counting_threads).max(1));
        ordered_map(streams.into_iter().enumerate(), pace, || (), count_stream, append)?;
        let counts =
            places.map_or(StreamCounts::Memory(in_memory), |places| StreamCounts::File(places.counts, places.begins));
        Ok(ElementCounts { table: parts.whole(second_counters), parts, counts, starts: starts.finish(spill)? })
    }
}

/// A file for the counts of all streams.
struct CountsFile {
    counts: PlacedColumn<u8>,
    begins: Vec<usize>,
}

impl CountsFile {
    fn new<S: CounterSlot>(streams: &[SpillColumn<S>], spill: &Spill) -> Result<Self> {
        let mut begins = Vec::with_capacity(streams.len());
        let mut elements = 0;
        for stream in streams {
            begins.push(elements);
            elements += stream.len();
        }
        Ok(Self { counts: PlacedColumn::zeroed(elements, spill)?, begins })
    }
}

/// The slots of elements, by part.
fn group_by_part<'e, S: CounterSlot>(
    parts: TableParts,
    elements: impl IntoIterator<Item = &'e u64, IntoIter: Clone>,
) -> Ragged<S> {
    let dealt = elements.into_iter().map(|&element| (parts.part_of(element), S::from_slot(parts.slot_of(element))));
    Ragged::group(parts.count(), dealt)
}

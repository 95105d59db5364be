//! Numbering the keys of all documents by all threads, in memory or, where that does not hold them, in files.
//!
//! ```text
//! keys of documents --dealt by their first bits--> parts --numbered one by one, singletons dropped--> runs by document
//!                                                  --brought together, chunk by chunk--> SharedKeys
//! ```
//!
//! Keys are mixed with a random number of the run before they are dealt: who writes the documents can choose shingles
//! whose hashes begin or end alike, but not keys that all come to one part or to one place of a table.
//!
//! Equal keys are in one part, so a part knows which keys are singletons, and parts can be numbered side by side. The
//! result has the keys that [`BlockingKeys::share`] would leave, in the same order of positions within a document,
//! though under other numbers; those are seen in no answer.

use super::numbered_part::{BYTES_PER_KEY, Numbered, NumberedPart, UnnumberedKey};
use crate::base::{Result, random_number};
use crate::spill::{BUFFER_BYTES, Location, Share, Spill, SpillColumn};
use crate::threads::{Pace, ordered_map};
use lookalike_core::hash::mix64;
use lookalike_core::keys::{BlockingKey, BlockingKeys, SharedKey, SharedKeys};
use lookalike_core::{Array, Ragged};
use std::ops::Range;

/// Keys of a part that fits into the cache of a core.
const KEYS_PER_PART: usize = 1 << 18;
/// Parts, and files that are written to at a time, at most.
const MAX_PARTS: usize = 512;
/// Memory that bringing together takes for each key, before and after.
const BYTES_PER_NUMBERED: usize = size_of::<Numbered>() + size_of::<SharedKey>();
/// Maximum number of documents whose keys are brought together at a time: with fewer, looking for the ends of the runs
/// takes longer than the keys themselves.
const MAX_CHUNK_DOCUMENTS: usize = 1 << 14;
/// Items among which the end of a chunk is looked for at a time.
const STRETCH_ITEMS: usize = 256;

/// A dictionary of blocking keys: takes those of documents in order, and gives those that documents share a number.
#[derive(Debug)]
pub(crate) struct KeyDictionary<'a> {
    spill: &'a Spill,
    threads: usize,
    parts: Vec<SpillColumn<UnnumberedKey>>,
    documents: usize,
    /// Salt of the hash that deals blocking keys.
    salt: u64,
    positions: Positions,
}

/// The keys of consecutive documents, part by part.
#[derive(Debug)]
pub(crate) struct DealtKeys {
    documents: usize,
    by_part: Ragged<UnnumberedKey>,
}

/// Order of the blocking keys of a document; the order within a document is the same in all runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Positions {
    /// The positions that the keys have: of prefix elements, or numbers of bands that are to be kept.
    OfKeys,
    /// The numbers of bands: the keys themselves have no position, and get none.
    OfBands,
}

/// Parameters by which keys are dealt into parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyPartitioning {
    bits: u32,
    salt: u64,
    positions: Positions,
}

impl KeyPartitioning {
    /// Deals the keys of documents that begin with number `first`.
    pub(crate) fn deal(self, keys: &BlockingKeys, first: usize) -> DealtKeys {
        let dealt = |document: usize, (band, key): (u32, &BlockingKey)| {
            let position = match self.positions {
                Positions::OfKeys => key.position,
                Positions::OfBands => band,
            };
            let document = (first + document) as u32;
            // A bijection: equal keys stay equal, and others different.
            let key = mix64(key.hash ^ self.salt);
            let part = key.checked_shr(64 - self.bits).unwrap_or(0) as usize;
            (part, UnnumberedKey { key, document, position })
        };
        let documents = keys.iter().enumerate();
        let dealt = documents.flat_map(|(document, keys)| (0..).zip(keys).map(move |key| dealt(document, key)));
        DealtKeys { documents: keys.len(), by_part: Ragged::group(1 << self.bits, dealt) }
    }
}

impl<'a> KeyDictionary<'a> {
    /// A dictionary for at most `max_keys` keys, in files if they would take more than `max_bytes` of memory.
    pub(crate) fn new(
        spill: &'a Spill,
        threads: usize,
        max_keys: usize,
        max_bytes: usize,
        positions: Positions,
    ) -> Result<Self> {
        let bytes = max_keys.saturating_mul(BYTES_PER_KEY);
        let location = if bytes <= max_bytes { Location::Memory } else { Location::File };
        let wanted = match location {
            Location::Memory => max_keys.div_ceil(KEYS_PER_PART),
            // All threads number a part at a time.
            Location::File => bytes.saturating_mul(threads).div_ceil(spill.budget().share(Share::Parts).max(1)),
        };
        // The buffers of the files are to be a small part of the budget, too.
        let max_parts = (spill.budget().share(Share::PartBuffers) / BUFFER_BYTES).clamp(1, MAX_PARTS);
        let parts = wanted.clamp(1, max_parts.next_power_of_two()).next_power_of_two();
        let part_bytes = (bytes / parts).max(1);
        let threads = match location {
            Location::Memory => threads,
            Location::File => (spill.budget().share(Share::Parts) / part_bytes).clamp(1, threads),
        };
        let parts = (0..parts).map(|_| SpillColumn::at(location, spill)).collect::<Result<_>>()?;
        Ok(Self { spill, threads, parts, documents: 0, salt: random_number(), positions })
    }

    /// Parameters by which keys are to be dealt before they are appended.
    pub(crate) fn dealing(&self) -> KeyPartitioning {
        KeyPartitioning { bits: self.parts.len().trailing_zeros(), salt: self.salt, positions: self.positions }
    }

    /// Appends the keys of the next documents.
    pub(crate) fn append(&mut self, keys: &DealtKeys) -> Result<()> {
        for (part, dealt) in self.parts.iter_mut().zip(keys.by_part.iter()) {
            part.extend(dealt, self.spill)?;
        }
        self.documents += keys.documents;
        Ok(())
    }

    /// Numbers the keys that more than one document has, and drops the others.
    ///
    /// # Errors
    /// [`lookalike_core::Error::TooManyKeys`] for more than 2^32 - 1 keys; that of `check`, which is called now and
    /// then.
    pub(crate) fn finish(self, check: &(impl Fn() -> Result<()> + Sync)) -> Result<SharedKeys> {
        let Self { spill, threads, parts, documents, salt: _, positions } = self;
        let location = parts.first().map_or(Location::Memory, SpillColumn::location);
        let mut numbered = SpillColumn::at(location, spill)?;
        let mut ends = Vec::new();
        let mut starts = Starts { starts: SpillColumn::default(), last: 0 };
        starts.starts.extend(&[0], spill)?;
        let max_part_bytes = match location {
            Location::Memory => usize::MAX,
            Location::File => spill.budget().share(Share::Parts) / threads,
        };
        let number = |(): &mut (), part: SpillColumn<UnnumberedKey>| {
            check()?;
            NumberedPart::number(part.finish(spill)?, max_part_bytes, check)
        };
        let append = |part: Result<NumberedPart>| {
            let part = part?;
            let first = starts.next_number();
            starts.append(part.starts(), spill)?;
            part.append_to(&mut numbered, first, spill, check)?;
            ends.push(numbered.len());
            Result::Ok(())
        };
        ordered_map(parts.into_iter(), Pace::for_threads(threads), || (), number, append)?;
        let numbered = numbered.finish(spill)?;
        let mut keys = SpillColumn::at(location, spill)?;
        let mut key_offsets = Vec::with_capacity(documents + 1);
        key_offsets.push(0);
        let chunk_documents = spill.chunk_of(documents, numbered.len(), BYTES_PER_NUMBERED).min(MAX_CHUNK_DOCUMENTS);
        let chunks = ChunksOfRuns::new(&numbered, &ends, 0..documents, chunk_documents);
        let by_document = |(): &mut (), chunk: ChunkOfRuns| chunk.by_document(&numbered, positions);
        ordered_map(
            chunks,
            Pace::for_threads(threads),
            || (),
            by_document,
            |chunk: Ragged<SharedKey>| {
                check()?;
                let before = keys.len() as u64;
                let (offsets, shared) = chunk.into_parts();
                key_offsets.extend(offsets[1..].iter().map(|end| before + end));
                keys.extend(&shared.into_vec(), spill)
            },
        )?;
        let keys = Ragged::from_parts(key_offsets, keys.finish(spill)?)?;
        Ok(SharedKeys::from_parts(keys, starts.starts.finish(spill)?))
    }
}

/// Number of occurrences of all earlier keys, by key.
struct Starts {
    starts: SpillColumn<u32>,
    last: u32,
}

impl Starts {
    /// Number of the next key.
    fn next_number(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// Appends the keys of a part, given what they would have if they were the first.
    fn append(&mut self, part: &[u32], spill: &Spill) -> Result<()> {
        let shifted: Option<Vec<u32>> = part.iter().skip(1).map(|&start| self.last.checked_add(start)).collect();
        let shifted = shifted.ok_or(lookalike_core::Error::TooManyKeys)?;
        self.last = shifted.last().copied().unwrap_or(self.last);
        if self.starts.memory_bytes() > spill.budget().share(Share::KeyStarts) {
            self.starts.move_to_file(spill)?;
        }
        self.starts.extend(&shifted, spill)
    }
}

/// Cuts runs, each of which ascends by document, into chunks of the same documents.
struct ChunksOfRuns<'a> {
    numbered: &'a Array<Numbered>,
    /// Rest of each run.
    runs: Vec<Range<usize>>,
    documents: Range<usize>,
    chunk_documents: usize,
}

/// The keys of consecutive documents in all runs.
struct ChunkOfRuns {
    runs: Vec<Range<usize>>,
    documents: Range<usize>,
}

impl<'a> ChunksOfRuns<'a> {
    /// The runs that end at `ends`, each beginning at the end of the one before.
    fn new(numbered: &'a Array<Numbered>, ends: &[usize], documents: Range<usize>, chunk_documents: usize) -> Self {
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let runs = starts.zip(ends).map(|(start, &end)| start..end).collect();
        Self { numbered, runs, documents, chunk_documents }
    }
}

impl Iterator for ChunksOfRuns<'_> {
    type Item = ChunkOfRuns;

    fn next(&mut self) -> Option<ChunkOfRuns> {
        if self.documents.start >= self.documents.end {
            return None;
        }
        let first = self.documents.start;
        let documents = first..(first + self.chunk_documents).min(self.documents.end);
        self.documents.start = documents.end;
        let cut = |run: &mut Range<usize>| {
            let start = run.start;
            while run.start < run.end {
                let stretch = self.numbered.slice(run.start..run.end.min(run.start + STRETCH_ITEMS));
                let length = stretch.partition_point(|item| (item.document as usize) < documents.end);
                run.start += length;
                if length < stretch.len() {
                    break;
                }
            }
            start..run.start
        };
        Some(ChunkOfRuns { runs: self.runs.iter_mut().map(cut).collect(), documents })
    }
}

impl ChunkOfRuns {
    /// The keys of the documents, those of each document in the order of their positions.
    fn by_document(&self, numbered: &Array<Numbered>, positions: Positions) -> Ragged<SharedKey> {
        let items = self.runs.iter().flat_map(|run| numbered.slice(run.clone()));
        let with_index = items.map(|item| (item.document as usize - self.documents.start, item.shared));
        let mut keys = Ragged::group(self.documents.len(), with_index);
        keys.for_each_mut(|keys| {
            keys.sort_unstable_by_key(|key| key.position);
            if positions == Positions::OfBands {
                keys.iter_mut().for_each(|key| key.position = 0);
            }
        });
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spill::Budget;
    use lookalike_core::DocId;
    use proptest::collection::vec;
    use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};
    use std::collections::HashMap;

    fn keys_of(documents: &[Vec<u64>], positions: Positions) -> BlockingKeys {
        let mut keys = BlockingKeys::new();
        for document in documents {
            let with_positions = document.iter().zip(0..);
            let key = |(&key, position): (&u64, u32)| {
                let position = if positions == Positions::OfKeys { position } else { 0 };
                BlockingKey { hash: mix64(key / 2), position }
            };
            keys.push_with(|out| out.extend(with_positions.map(key)));
        }
        keys
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn numbering_in_parts_leaves_the_same_keys(
            documents in vec(vec(0u64..300, 0..12), 0..2500),
            is_in_memory in proptest::bool::ANY,
            threads in 1usize..4,
            chunk in 1usize..1000,
            are_bands in proptest::bool::ANY,
        ) {
            let positions = if are_bands { Positions::OfBands } else { Positions::OfKeys };
            let budget_bytes = if is_in_memory { 1 << 30 } else { 1 << 20 };
            let spill = Spill::new(Budget::new(budget_bytes), std::env::temp_dir());
            // The number of parts follows from it.
            let max_keys = if is_in_memory { 3 * KEYS_PER_PART } else { 30_000 };
            let max_bytes = spill.budget().max_bytes_beside(0);
            let mut dictionary = KeyDictionary::new(&spill, threads, max_keys, max_bytes, positions).unwrap();
            let dealing = dictionary.dealing();
            for (number, documents) in documents.chunks(chunk).enumerate() {
                dictionary.append(&dealing.deal(&keys_of(documents, positions), number * chunk)).unwrap();
            }
            let parted = dictionary.finish(&|| Ok(())).unwrap();
            let whole = keys_of(&documents, positions).share().unwrap();
            prop_assert_eq!(parted.total_keys(), whole.total_keys());
            prop_assert_eq!(parted.distinct_keys(), whole.distinct_keys());
            prop_assert_eq!(parted.total_postings(), whole.total_postings());
            let mut numbers = HashMap::new();
            for document in DocId::all(documents.len()) {
                let left = parted.get(document);
                let right = whole.get(document);
                prop_assert_eq!(left.len(), right.len());
                for (left, right) in left.iter().zip(right) {
                    prop_assert_eq!(left.position, right.position);
                    prop_assert_eq!(*numbers.entry(left.number).or_insert(right.number), right.number);
                }
            }
        }
    }
}

//! An inverted index from shared blocking keys to documents.
//!
//! Each blocking key has a slot, which owns a range of the array of postings, sized for all documents that have it; the
//! range fills up from its start as documents are inserted. One table look-up finds the postings of a blocking key:
//!
//! ```text
//! starts     0     3       7            blocking key 0 has 3 documents, blocking key 1 has 4, ...
//! filled     2     1
//! postings   A C . B . . . ...          A and C were inserted under blocking key 0, B under 1
//! ```
//!
//! A posting carries size and position, so that most candidates are refused without reading their sets. Documents are
//! inserted in the order of their ranks, so postings ascend by rank and can be read from or up to a rank.
//!
//! One [`KeyIndexWriter`] inserts (or one per range of slots) while any number of [`KeyIndexReader`]s probe: a posting
//! is written before `filled` is increased, so a reader sees all postings of ranks that the writer has completed.

use super::bounds::Posting;
use super::key_slots::KeySlots;
use super::{Bounds, Extent, Postings, Runs, SharedKey, SharedKeys};
use crate::base::{DocId, prefix_sums};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Postings from which on runs of them are noted: fewer are looked at as quickly one by one.
const MIN_POSTINGS_OF_RUNS: usize = 32;

/// An inverted index of blocking keys, for one measure.
#[derive(Debug)]
pub struct KeyIndex<'a> {
    bounds: Box<dyn Bounds>,
    slots: Slots,
    /// First posting by slot, followed by the number of postings.
    starts: Cow<'a, [u32]>,
    /// Number of inserted postings by slot.
    filled: Vec<AtomicU32>,
    postings: Vec<Posting>,
    /// Runs of postings whose documents are connected; empty unless a search for components asks for them.
    runs: Runs,
}

/// The map from numbers of blocking keys to slots.
#[derive(Debug, Clone)]
enum Slots {
    /// The identity, for an index over all blocking keys.
    OfAll,
    /// Slots of an index over few of many blocking keys.
    OfSome(KeySlots),
}

impl Slots {
    fn get(&self, key: u32) -> Option<usize> {
        match self {
            Self::OfAll => Some(key as usize),
            Self::OfSome(slots) => slots.get(key),
        }
    }

    /// The slots of the given numbers, out of `distinct_keys`, and the occurrences of slot i at index i + 1.
    fn count(distinct_keys: usize, total_keys: usize, keys: impl Iterator<Item = u32> + Clone) -> (Self, Vec<u32>) {
        if bytes_of_all(distinct_keys) <= bytes_of_some(distinct_keys, total_keys) {
            let mut counts = vec![0; distinct_keys + 1];
            keys.for_each(|key| counts[key as usize + 1] += 1);
            return (Self::OfAll, counts);
        }
        let slots = KeySlots::new(distinct_keys, keys.clone());
        let mut counts = vec![0; slots.len() + 1];
        keys.filter_map(|key| slots.get(key)).for_each(|slot| counts[slot + 1] += 1);
        (Self::OfSome(slots), counts)
    }
}

/// Size in bytes of the arrays of an index with a slot per blocking key.
fn bytes_of_all(distinct_keys: usize) -> usize {
    2 * size_of::<u32>() * distinct_keys
}

/// Maximum size in bytes of the arrays of an index over `total_keys` occurrences of blocking keys, and of the set of
/// those that it has.
fn bytes_of_some(distinct_keys: usize, total_keys: usize) -> usize {
    2 * size_of::<u32>() * total_keys + KeySlots::bytes_for(distinct_keys)
}

impl<'a> KeyIndex<'a> {
    /// An empty index with capacity for all documents of `keys`, filtering by the bounds of a measure.
    pub fn new(keys: &'a SharedKeys, bounds: impl Bounds + 'static) -> Self {
        let starts = Cow::Borrowed(keys.starts().slice(0..keys.starts().len()));
        Self::with_slots(Slots::OfAll, starts, keys.total_keys(), bounds)
    }

    /// An empty index with capacity for the given documents only.
    pub fn over(
        keys: &'a SharedKeys,
        bounds: impl Bounds + 'static,
        documents: impl Iterator<Item = DocId> + Clone,
    ) -> Self {
        let total_keys = documents.clone().map(|document| keys.count(document)).sum();
        // All documents with blocking keys: the arrays of `keys` serve as they are.
        if total_keys == keys.total_keys() && keys.is_in_memory() {
            return Self::new(keys, bounds);
        }
        let numbers = documents.flat_map(|document| keys.get(document)).map(|key| key.number);
        let (slots, mut starts) = Slots::count(keys.distinct_keys(), total_keys, numbers);
        prefix_sums(&mut starts);
        Self::with_slots(slots, Cow::Owned(starts), total_keys, bounds)
    }

    /// Maximum size in bytes of an index over documents with `total_keys` occurrences of blocking keys, out of
    /// `distinct_keys` distinct ones.
    pub fn bytes_for(distinct_keys: usize, total_keys: usize) -> usize {
        bytes_of_all(distinct_keys).min(bytes_of_some(distinct_keys, total_keys)) + size_of::<Posting>() * total_keys
    }

    fn with_slots(slots: Slots, starts: Cow<'a, [u32]>, postings: usize, bounds: impl Bounds + 'static) -> Self {
        // Zeroed allocations of the system: no page is touched before it is used.
        let filled = bytemuck::zeroed_vec(starts.len().saturating_sub(1));
        let postings = bytemuck::zeroed_vec(postings);
        Self { bounds: Box::new(bounds), slots, starts, filled, postings, runs: Runs::new(0) }
    }

    /// Returns this index with runs of connected documents, which [`KeyIndexReader::probe_apart`] needs.
    #[must_use]
    pub fn with_runs(self) -> Self {
        let runs = Runs::new(self.postings.len());
        Self { runs, ..self }
    }

    /// Addresses of the allocations that are untouched until documents are inserted: the caller may request huge pages
    /// for them.
    pub fn untouched_memory(&self) -> [Range<*const u8>; 2] {
        let filled = self.filled.as_ptr_range();
        let postings = self.postings.as_ptr_range();
        [filled.start.cast()..filled.end.cast(), postings.start.cast()..postings.end.cast()]
    }

    /// The only writer, and a reader that can be copied to any thread.
    pub fn split(&mut self) -> (KeyIndexWriter<'_>, KeyIndexReader<'_>) {
        let index: &KeyIndex<'_> = self;
        (KeyIndexWriter { index, slots: 0..index.filled.len() }, KeyIndexReader { index })
    }

    /// `count` writers for different threads, each for a range of slots, with about equal numbers of postings.
    pub fn writers(&mut self, count: usize) -> impl Iterator<Item = KeyIndexWriter<'_>> {
        let index: &KeyIndex<'_> = self;
        let slots = index.filled.len();
        let end_of = move |writer: usize| {
            let postings = index.postings.len() as u64 * writer as u64 / count as u64;
            index.starts.partition_point(|&start| u64::from(start) < postings).min(slots)
        };
        (1..=count).map(move |writer| KeyIndexWriter {
            index,
            slots: end_of(writer - 1)..if writer == count { slots } else { end_of(writer) },
        })
    }

    /// A reader of all inserted documents.
    pub fn reader(&self) -> KeyIndexReader<'_> {
        KeyIndexReader { index: self }
    }

    /// The postings of a blocking key, given by its number.
    fn postings(&self, number: u32) -> &[Posting] {
        let Some(slot) = self.slots.get(number) else { return &[] };
        let start = self.starts[slot] as usize;
        &self.postings[start..start + self.filled[slot].load(Ordering::Acquire) as usize]
    }

    /// The postings of a blocking key from a rank on.
    fn postings_from(&self, number: u32, rank: u32) -> &[Posting] {
        let postings = self.postings(number);
        match postings.first() {
            // Usually only the last few postings are requested.
            Some(first) if first.rank() < rank => {
                let found = postings.iter().rev().take_while(|posting| posting.rank() >= rank).count();
                &postings[postings.len() - found..]
            }
            _ => postings,
        }
    }
}

/// Inserts documents under the blocking keys of a range of slots, which no other writer has.
#[derive(Debug)]
pub struct KeyIndexWriter<'i> {
    index: &'i KeyIndex<'i>,
    slots: Range<usize>,
}

impl KeyIndexWriter<'_> {
    /// Inserts a document with `size` elements under its blocking keys. Ranks must ascend from call to call. Concurrent
    /// readers see the document under none, some or all of its blocking keys.
    pub fn insert(&mut self, rank: u32, size: usize, keys: &[SharedKey]) {
        let index = self.index;
        for &SharedKey { number, position } in keys {
            let Some(slot) = index.slots.get(number).filter(|slot| self.slots.contains(slot)) else { continue };
            let filled = index.filled[slot].load(Ordering::Relaxed);
            let posting = &index.postings[(index.starts[slot] + filled) as usize];
            posting.rank.store(rank, Ordering::Relaxed);
            posting.size.store(size as u32, Ordering::Relaxed);
            posting.position.store(position, Ordering::Relaxed);
            index.filled[slot].store(filled + 1, Ordering::Release);
        }
    }
}

/// A blocking key of a document that is looked up.
#[derive(Debug, Clone, Copy)]
pub struct KeyProbe {
    /// Number of elements of the document.
    pub size: usize,
    /// The key.
    pub key: SharedKey,
    /// The rank below which indexed documents are found.
    pub end: u32,
}

/// Finds candidates in an index.
#[derive(Debug, Clone, Copy)]
pub struct KeyIndexReader<'i> {
    index: &'i KeyIndex<'i>,
}

impl KeyIndexReader<'_> {
    /// Appends to `found` the rank of each indexed document in `ranks` that shares a blocking key with the given one
    /// and passes the size and position filter; once per such blocking key. Returns the number of postings that it has
    /// followed.
    pub fn probe(&self, size: usize, keys: &[SharedKey], ranks: Range<u32>, found: &mut Vec<u32>) -> u64 {
        let follow = |SharedKey { number, position }: SharedKey, found: &mut Vec<u32>| {
            let probing = Extent { size: size as u32, position };
            let postings = Postings { postings: self.index.postings_from(number, ranks.start), end: ranks.end };
            self.index.bounds.append_passing(probing, postings, found)
        };
        keys.iter().map(|&key| follow(key, found) as u64).sum()
    }

    /// Connects the given document with indexed ones that share its blocking key. `connect` is called for those that
    /// pass the size and position filter and are not connected with it so far, and says whether they are from now on.
    ///
    /// A run of postings is a part of a component, found once: after one of its documents is connected with the given
    /// one, the others need no look. So a family whose documents all have the key costs a step, however large it is.
    /// Returns the number of postings that were looked at.
    ///
    /// The index is one with runs ([`KeyIndex::with_runs`]).
    pub fn probe_apart(
        &self,
        KeyProbe { size, key: SharedKey { number, position }, end }: KeyProbe,
        is_connected: impl Fn(u32) -> bool,
        mut connect: impl FnMut(u32) -> bool,
    ) -> u64 {
        let Some(slot) = self.index.slots.get(number) else { return 0 };
        let postings = self.index.postings(number);
        let postings = &postings[..postings.partition_point(|posting| posting.rank() < end)];
        let probing = Extent { size: size as u32, position };
        let may_reach = |posting: &Posting| self.index.bounds.may_reach(probing, posting.extent());
        if postings.len() < MIN_POSTINGS_OF_RUNS {
            for posting in postings {
                if may_reach(posting) && !is_connected(posting.rank()) {
                    connect(posting.rank());
                }
            }
            return postings.len() as u64;
        }
        // Runs of all slots stand one behind the other.
        let first = self.index.starts[slot] as usize;
        let runs = &self.index.runs;
        let mut at = 0;
        let mut looked_at = 0;
        while at < postings.len() {
            let run_end = runs.end(first + at) - first;
            let run = &postings[at..run_end.min(postings.len())];
            let mut connects = |posting: &Posting| {
                looked_at += 1;
                may_reach(posting) && connect(posting.rank())
            };
            // A posting that the filter refuses may belong to the document's component all the same.
            if is_connected(run[0].rank()) || run.iter().any(&mut connects) {
                let is_next = |item: usize| {
                    looked_at += 1;
                    is_connected(postings[item - first].rank())
                };
                at = runs.extend(first + at, first + postings.len(), is_next) - first;
            } else {
                at = run_end;
            }
        }
        looked_at
    }

    /// Number of postings that a probe follows.
    pub fn count(&self, keys: &[SharedKey], ranks: Range<u32>) -> u64 {
        let count = |key: &SharedKey| {
            let postings = self.index.postings_from(key.number, ranks.start);
            match postings.last() {
                Some(last) if last.rank() >= ranks.end => {
                    postings.partition_point(|posting| posting.rank() < ranks.end)
                }
                _ => postings.len(),
            }
        };
        keys.iter().map(|key| count(key) as u64).sum()
    }
}

/// The ranks that were found for one document. Reused from document to document; create one per thread.
#[derive(Debug, Clone)]
pub struct VisitMarks {
    /// Number of the last document for which the rank was found, by rank.
    visited_in: Vec<u32>,
    document: u32,
}

impl VisitMarks {
    /// An empty set for ranks below `ranks`.
    pub fn new(ranks: usize) -> Self {
        Self { visited_in: vec![0; ranks], document: 0 }
    }

    /// Removes all marks, in constant time but for one of 2^32 calls.
    pub fn clear(&mut self) {
        self.document = self.document.wrapping_add(1);
        if self.document == 0 {
            self.visited_in.fill(0);
            self.document = 1;
        }
    }

    /// Marks a rank and returns whether it was unmarked before.
    pub fn mark(&mut self, rank: u32) -> bool {
        let last = std::mem::replace(&mut self.visited_in[rank as usize], self.document);
        last != self.document
    }
}

//! From keys to the documents that have them.
//!
//! Each key owns a stretch of one array, as long as the number of documents that have it; the stretch fills up from its
//! start as documents are inserted. Finding the postings of a key is one look at a table:
//!
//! ```text
//! starts     0     3       7            key 0 has 3 documents, key 1 has 4, ...
//! filled     2     1
//! postings   A C . B . . . ...          A and C were inserted with key 0, B with key 1
//! ```
//!
//! A posting carries size and position: most candidates are refused without a look at their sets. Documents are inserted
//! in the order of their ranks, so each stretch ascends and can be read from or up to a rank.
//!
//! One [`IndexWriter`] inserts (or one for each part of the keys) while any number of [`IndexReader`]s probe: a posting is written
//! before `filled` says that it is there, and a reader that asks for ranks which the writer has passed sees all of them.

use super::{SharedKey, SharedKeys};
use crate::ground::DocId;
use crate::ground::hash::mix64;
use crate::measure::{Extent, Measure};
use bytemuck::Zeroable;
use hashbrown::HashTable;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Debug, Default, Zeroable)]
struct Posting {
    rank: AtomicU32,
    size: AtomicU32,
    position: AtomicU32,
}

impl Posting {
    fn rank(&self) -> u32 {
        self.rank.load(Ordering::Relaxed)
    }

    fn extent(&self) -> Extent {
        Extent { size: self.size.load(Ordering::Relaxed), position: self.position.load(Ordering::Relaxed) }
    }
}

/// An inverted index of blocking keys, for one measure.
#[derive(Debug)]
pub struct KeyIndex<'a> {
    measure: Measure,
    slots: Slots,
    starts: Cow<'a, [u32]>,
    filled: Vec<AtomicU32>,
    postings: Vec<Posting>,
}

/// Which slot of the index a key has.
#[derive(Debug, Clone)]
enum Slots {
    /// The one of its number.
    OfAll,
    /// For few keys of many: (key, slot), by a hash of the key.
    OfSome(HashTable<(u32, u32)>),
}

impl Slots {
    fn get(&self, key: u32) -> Option<usize> {
        match self {
            Self::OfAll => Some(key as usize),
            Self::OfSome(table) => {
                table.find(mix64(key.into()), |&(other, _)| other == key).map(|&(_, slot)| slot as usize)
            }
        }
    }

    /// The slots of some of `distinct_keys` keys, and how often each occurs, one place behind its own.
    fn count(distinct_keys: usize, total_keys: usize, keys: impl Iterator<Item = u32>) -> (Self, Vec<u32>) {
        if bytes_of_all(distinct_keys) <= bytes_of_some(total_keys) {
            let mut counts = vec![0; distinct_keys + 1];
            keys.for_each(|key| counts[key as usize + 1] += 1);
            return (Self::OfAll, counts);
        }
        let (mut table, mut counts) = (HashTable::new(), vec![0]);
        for key in keys {
            let new = (key, counts.len() as u32 - 1);
            let hash = |&(key, _): &(u32, u32)| mix64(key.into());
            let slot = table.entry(hash(&new), |&(other, _)| other == key, hash).or_insert(new).get().1;
            if slot == new.1 {
                counts.push(0);
            }
            counts[slot as usize + 1] += 1;
        }
        (Self::OfSome(table), counts)
    }
}

/// Bytes of the arrays of an index with a slot for each key.
fn bytes_of_all(distinct_keys: usize) -> usize {
    2 * size_of::<u32>() * distinct_keys
}

/// Bytes of the arrays of an index over so many keys, and of the table of their slots, which may be half empty.
fn bytes_of_some(total_keys: usize) -> usize {
    (2 * size_of::<u32>() + 2 * (size_of::<(u32, u32)>() + 1)) * total_keys
}

impl<'a> KeyIndex<'a> {
    /// An empty index over the documents that have these keys, which finds partners by `measure`.
    pub fn new(keys: &'a SharedKeys, measure: Measure) -> Self {
        let starts = Cow::Borrowed(keys.starts().slice(0..keys.starts().len()));
        Self::with_slots(Slots::OfAll, starts, keys.total_keys(), measure)
    }

    /// The same with room for the given documents only.
    pub fn over(keys: &'a SharedKeys, measure: Measure, documents: impl Iterator<Item = DocId> + Clone) -> Self {
        let total_keys = documents.clone().map(|document| keys.count(document)).sum();
        // All that have keys: no slots of its own are needed.
        if total_keys == keys.total_keys() && keys.is_in_memory() {
            return Self::new(keys, measure);
        }
        let numbers = documents.flat_map(|document| keys.get(document)).map(|key| key.number);
        let (slots, mut starts) = Slots::count(keys.distinct_keys(), total_keys, numbers);
        for slot in 1..starts.len() {
            starts[slot] += starts[slot - 1];
        }
        Self::with_slots(slots, Cow::Owned(starts), total_keys, measure)
    }

    /// Maximum bytes of an index over documents that have `total_keys` keys, among `distinct_keys` different ones altogether.
    pub fn bytes_for(distinct_keys: usize, total_keys: usize) -> usize {
        bytes_of_all(distinct_keys).min(bytes_of_some(total_keys)) + size_of::<Posting>() * total_keys
    }

    fn with_slots(slots: Slots, starts: Cow<'a, [u32]>, postings: usize, measure: Measure) -> Self {
        // Memory that the system gives is zero: no page of it is touched before it is used.
        let filled = bytemuck::zeroed_vec(starts.len().saturating_sub(1));
        Self { measure, slots, starts, filled, postings: bytemuck::zeroed_vec(postings) }
    }

    /// Addresses of the allocations that are not touched before documents are inserted: a caller that knows the system may ask it
    /// for large pages there.
    pub fn untouched_memory(&self) -> [Range<*const u8>; 2] {
        let (filled, postings) = (self.filled.as_ptr_range(), self.postings.as_ptr_range());
        [filled.start.cast()..filled.end.cast(), postings.start.cast()..postings.end.cast()]
    }

    /// The one writer, and a reader that can be copied to any thread.
    pub fn split(&mut self) -> (IndexWriter<'_>, IndexReader<'_>) {
        let index: &KeyIndex<'_> = self;
        (IndexWriter { index, slots: 0..index.filled.len() }, IndexReader { index })
    }

    /// `count` writers for different threads, each for its part of the keys, with about equally many postings.
    pub fn writers(&mut self, count: usize) -> impl Iterator<Item = IndexWriter<'_>> {
        let index: &KeyIndex<'_> = self;
        let slots = index.filled.len();
        let end_of = move |part: usize| {
            let postings = index.postings.len() as u64 * part as u64 / count as u64;
            index.starts.partition_point(|&start| u64::from(start) < postings).min(slots)
        };
        (1..=count).map(move |part| IndexWriter {
            index,
            slots: end_of(part - 1)..if part == count { slots } else { end_of(part) },
        })
    }

    /// A reader of all that was inserted.
    pub fn reader(&self) -> IndexReader<'_> {
        IndexReader { index: self }
    }

    /// The documents that were inserted with a key.
    fn postings(&self, number: u32) -> &[Posting] {
        let Some(slot) = self.slots.get(number) else { return &[] };
        let start = self.starts[slot] as usize;
        &self.postings[start..start + self.filled[slot].load(Ordering::Acquire) as usize]
    }

    /// The postings of a key from a rank on.
    fn postings_from(&self, number: u32, rank: u32) -> &[Posting] {
        let postings = self.postings(number);
        match postings.first() {
            // Most often the latest few are wanted.
            Some(first) if first.rank() < rank => {
                let wanted = postings.iter().rev().take_while(|posting| posting.rank() >= rank).count();
                &postings[postings.len() - wanted..]
            }
            _ => postings,
        }
    }
}

/// Inserts documents under the keys of one part of an index, or of all. No other writer has these keys.
#[derive(Debug)]
pub struct IndexWriter<'i> {
    index: &'i KeyIndex<'i>,
    slots: Range<usize>,
}

impl IndexWriter<'_> {
    /// Adds a document with `size` elements under its keys. Ranks must ascend from call to call. Readers may probe meanwhile: they
    /// see the document under none, some or all of its keys.
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

/// Finds documents in an index.
#[derive(Debug, Clone, Copy)]
pub struct IndexReader<'i> {
    index: &'i KeyIndex<'i>,
}

impl IndexReader<'_> {
    /// Calls `visit` with the rank of each document in the index that shares a key with the given one, has a rank in
    /// `ranks`, and whose size and position let it reach the threshold; once for each such key.
    pub fn probe(&self, size: usize, keys: &[SharedKey], ranks: Range<u32>, mut visit: impl FnMut(u32)) {
        let measure = self.index.measure;
        for &SharedKey { number, position } in keys {
            let probing = Extent { size: size as u32, position };
            let postings = self.index.postings_from(number, ranks.start);
            for posting in postings.iter().take_while(|posting| posting.rank() < ranks.end) {
                if measure.may_reach(probing, posting.extent()) {
                    visit(posting.rank());
                }
            }
        }
    }

    /// The number of postings that a probe would follow.
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

/// Marks of the documents that a probe has met; reused from probe to probe, one a thread.
#[derive(Debug, Clone)]
pub struct VisitMarks {
    visited_in: Vec<u32>,
    probe: u32,
}

impl VisitMarks {
    /// Marks for ranks below `ranks`.
    pub fn new(ranks: usize) -> Self {
        Self { visited_in: vec![0; ranks], probe: 0 }
    }

    /// Takes all marks away.
    pub fn clear(&mut self) {
        self.probe = self.probe.wrapping_add(1);
        if self.probe == 0 {
            self.visited_in.fill(0);
            self.probe = 1;
        }
    }

    /// Marks a rank; says whether it was not marked before.
    pub fn mark(&mut self, rank: u32) -> bool {
        let last = std::mem::replace(&mut self.visited_in[rank as usize], self.probe);
        last != self.probe
    }
}

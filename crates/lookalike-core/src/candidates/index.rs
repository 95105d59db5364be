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
//! While one thread inserts (or one for each part of the keys), others may probe: a posting is written before `filled` says that
//! it is there, and what was not there yet is known by its rank.

use super::{LinkedKey, LinkedKeys};
use crate::document::DocId;
use crate::hash::mix64;
use crate::large_pages::zeros;
use crate::threshold::Threshold;
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
}

/// An inverted index of keys, for one threshold.
#[derive(Debug)]
pub struct KeyIndex<'a> {
    threshold: Threshold,
    slots: Slots,
    starts: Cow<'a, [u32]>,
    filled: Vec<AtomicU32>,
    postings: Vec<Posting>,
}

/// A part of the keys of the index that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexPart(Range<usize>);

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
    /// An empty index over the documents that have these keys, which finds partners at `threshold` or above.
    pub fn new(keys: &'a LinkedKeys, threshold: Threshold) -> Self {
        let starts = Cow::Borrowed(keys.starts.slice(0..keys.starts.len()));
        Self::with_slots(Slots::OfAll, starts, keys.total_keys(), threshold)
    }

    /// The same with room for some of the documents only.
    pub fn over(keys: &'a LinkedKeys, threshold: Threshold, documents: impl Iterator<Item = DocId> + Clone) -> Self {
        let total_keys = documents.clone().map(|document| keys.count(document)).sum();
        // All that have keys: no slots of its own are needed.
        if total_keys == keys.total_keys() && keys.is_in_memory() {
            return Self::new(keys, threshold);
        }
        let numbers = documents.flat_map(|document| keys.get(document)).map(|key| key.key);
        let (slots, mut starts) = Slots::count(keys.distinct_keys(), total_keys, numbers);
        for slot in 1..starts.len() {
            starts[slot] += starts[slot - 1];
        }
        Self::with_slots(slots, Cow::Owned(starts), total_keys, threshold)
    }

    /// Bytes of an index over documents with so many keys, while there are so many different ones altogether; at most.
    pub fn bytes_for(distinct_keys: usize, total_keys: usize) -> usize {
        bytes_of_all(distinct_keys).min(bytes_of_some(total_keys)) + size_of::<Posting>() * total_keys
    }

    fn with_slots(slots: Slots, starts: Cow<'a, [u32]>, postings: usize, threshold: Threshold) -> Self {
        // Memory that the system gives is zero: nothing of it is touched before it is used.
        let filled = zeros(starts.len().saturating_sub(1));
        Self { threshold, slots, starts, filled, postings: zeros(postings) }
    }

    /// The documents that were inserted with a key.
    fn postings(&self, key: u32) -> &[Posting] {
        let Some(slot) = self.slots.get(key) else { return &[] };
        let start = self.starts[slot] as usize;
        &self.postings[start..start + self.filled[slot].load(Ordering::Acquire) as usize]
    }

    /// The postings of a key from a rank on.
    fn postings_from(&self, key: u32, rank: u32) -> &[Posting] {
        let postings = self.postings(key);
        match postings.first() {
            // Most often the latest few are wanted.
            Some(first) if first.rank() < rank => {
                let wanted = postings.iter().rev().take_while(|posting| posting.rank() >= rank).count();
                &postings[postings.len() - wanted..]
            }
            _ => postings,
        }
    }

    /// Cuts the keys into parts with about equally many postings. Documents can be inserted into several parts at the same time.
    pub fn parts(&self, count: usize) -> impl Iterator<Item = IndexPart> {
        let slots = self.filled.len();
        let end_of = move |part: usize| {
            let postings = self.postings.len() as u64 * part as u64 / count as u64;
            self.starts.partition_point(|&start| u64::from(start) < postings).min(slots)
        };
        (1..=count).map(move |part| IndexPart(end_of(part - 1)..if part == count { slots } else { end_of(part) }))
    }

    /// Adds a document with `size` elements under its keys. Ranks must ascend from call to call, and each document be
    /// inserted once at most; one call must have ended before the next begins. Probes may go on meanwhile: they see the document
    /// under some of its keys, all or none.
    pub fn insert(&self, rank: u32, size: usize, keys: &[LinkedKey]) {
        self.insert_into(&IndexPart(0..usize::MAX), rank, size, keys);
    }

    /// The same for the keys of one part. Calls for the same part must follow each other; calls for different parts may overlap.
    pub fn insert_into(&self, part: &IndexPart, rank: u32, size: usize, keys: &[LinkedKey]) {
        for &LinkedKey { key, position } in keys {
            let Some(slot) = self.slots.get(key).filter(|slot| part.0.contains(slot)) else { continue };
            let filled = self.filled[slot].load(Ordering::Relaxed);
            let posting = &self.postings[(self.starts[slot] + filled) as usize];
            posting.rank.store(rank, Ordering::Relaxed);
            posting.size.store(size as u32, Ordering::Relaxed);
            posting.position.store(position, Ordering::Relaxed);
            self.filled[slot].store(filled + 1, Ordering::Release);
        }
    }

    /// Calls `visit` with the rank of each document in the index that shares a key with the given one, has a rank in
    /// `ranks`, and whose size and position let it reach the threshold; once for each such key.
    pub fn probe(&self, size: usize, keys: &[LinkedKey], ranks: Range<u32>, mut visit: impl FnMut(u32)) {
        for &LinkedKey { key, position } in keys {
            let postings = self.postings_from(key, ranks.start);
            for posting in postings.iter().take_while(|posting| posting.rank() < ranks.end) {
                if self.may_reach(size, position, posting) {
                    visit(posting.rank());
                }
            }
        }
    }

    /// The number of postings that a probe would follow.
    pub fn count(&self, keys: &[LinkedKey], ranks: Range<u32>) -> u64 {
        let count = |key: &LinkedKey| {
            let postings = self.postings_from(key.key, ranks.start);
            match postings.last() {
                Some(last) if last.rank() >= ranks.end => {
                    postings.partition_point(|posting| posting.rank() < ranks.end)
                }
                _ => postings.len(),
            }
        };
        keys.iter().map(|key| count(key) as u64).sum()
    }

    /// Size and position filter: all elements before a common one, seen from the first common one on, are lost to the
    /// intersection. At a later common element the bound is lower than it should be; but then the first one let it pass.
    fn may_reach(&self, size: usize, position: u32, posting: &Posting) -> bool {
        let (other, other_position) = (posting.size.load(Ordering::Relaxed), posting.position.load(Ordering::Relaxed));
        let other = other as usize;
        let most_common = (size - position as usize).min(other - other_position as usize);
        self.threshold.allows_overlap(most_common, size + other)
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

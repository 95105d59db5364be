//! The keys of all documents, before they are put into an index.

use crate::array::Array;
use crate::document::DocId;
use crate::error::{Error, Result};
use bytemuck::{Pod, Zeroable};
use hashbrown::HashTable;
use std::ops::Range;

/// A key of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexKey {
    /// Documents with equal keys meet.
    pub key: u64,
    /// Number of elements of the document that come before this one in the common order; 0 if the key is no element.
    pub position: u32,
}

/// The keys by document, in the order in which an index looks them up, as the methods make them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexKeys {
    ends: Vec<u64>,
    keys: Vec<IndexKey>,
}

impl IndexKeys {
    /// No documents yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a document, whose keys `fill` appends.
    pub fn push_with(&mut self, fill: impl FnOnce(&mut Vec<IndexKey>)) {
        fill(&mut self.keys);
        self.ends.push(self.keys.len() as u64);
    }

    /// The keys of each document, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[IndexKey]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.keys[start as usize..end as usize])
    }

    /// Gives equal keys one number and drops those that only one document has: nobody would ever be found by them.
    ///
    /// # Errors
    /// [`crate::Error::TooManyKeys`] past 2^32 - 1 keys.
    pub fn link(self) -> Result<LinkedKeys> {
        let NumberedKeys { number, starts } = NumberedKeys::of(self.keys.iter().map(|key| key.key))?;
        let (mut ends, mut linked) = (self.ends, Vec::new());
        let mut read = 0;
        for end in &mut ends {
            let document = read..*end as usize;
            read = document.end;
            let keys = self.keys[document.clone()].iter().zip(&number[document]).filter(|&(_, &key)| key != LONELY);
            linked.extend(keys.map(|(key, &number)| LinkedKey { key: number, position: key.position }));
            *end = linked.len() as u64;
        }
        Ok(LinkedKeys { ends, keys: Array::Owned(linked), starts: Array::Owned(starts) })
    }
}

/// Stands for the number of a key that occurs once.
const LONELY: u32 = u32::MAX;
/// Keys that are looked up in one small table: it stays in the cache.
const KEYS_PER_PART: usize = 4096;

/// Numbers of keys that occur more than once.
#[derive(Debug, Clone, Default)]
pub struct NumberedKeys {
    /// By occurrence: the number of its key, from 0.
    number: Vec<u32>,
    /// By key: how many occurrences all earlier keys have; the total at the end.
    starts: Vec<u32>,
}

impl NumberedKeys {
    /// Numbers the keys of some occurrences.
    ///
    /// The occurrences are first dealt into parts by the upper bits of their keys; a part fits into the cache, which a table
    /// of all keys would not.
    ///
    /// # Errors
    /// [`crate::Error::TooManyKeys`] past 2^32 - 1 occurrences.
    pub fn of(keys: impl ExactSizeIterator<Item = u64> + Clone) -> Result<Self> {
        let count = u32::try_from(keys.len()).map_err(|_| Error::TooManyKeys)?;
        let bits = (keys.len() / KEYS_PER_PART).max(2).ilog2();
        // Where all keys agree in their first bits, because others were put elsewhere, those say nothing.
        let common = common_bits(keys.clone());
        let part_of = |key: u64| ((key << common) >> (64 - bits)) as usize;
        let mut ends = vec![0u32; (1 << bits) + 1];
        keys.clone().for_each(|key| ends[part_of(key) + 1] += 1);
        for part in 1..ends.len() {
            ends[part] += ends[part - 1];
        }
        let mut dealt = vec![(0u64, 0u32); keys.len()];
        let mut numbered = Self { number: vec![LONELY; keys.len()], starts: vec![0] };
        for (key, place) in keys.zip(0..count) {
            let next = &mut ends[part_of(key)];
            dealt[*next as usize] = (key, place);
            *next += 1;
        }
        let mut part = NumberedPart::default();
        let mut begin = 0;
        for &end in &ends[..1 << bits] {
            part.number(&dealt[begin as usize..end as usize], &mut numbered.number, &mut numbered.starts);
            begin = end;
        }
        Ok(numbered)
    }

    /// The occurrences of keys that occur more than once: which one it is, and the number of its key.
    pub fn shared(&self) -> impl Iterator<Item = (usize, u32)> {
        self.number.iter().copied().enumerate().filter(|&(_, number)| number != LONELY)
    }

    /// By key: how many occurrences all earlier keys have; the total at the end.
    pub fn into_starts(self) -> Vec<u32> {
        self.starts
    }
}

/// Number of leading bits in which all keys agree.
fn common_bits(mut keys: impl Iterator<Item = u64>) -> u32 {
    let Some(first) = keys.next() else { return 0 };
    let differing = keys.fold(0, |bits, key| bits | (key ^ first));
    differing.leading_zeros().min(32)
}

/// The keys of one part, while they are numbered.
#[derive(Default)]
struct NumberedPart {
    /// Key, and its number in this part.
    table: HashTable<(u64, u32)>,
    /// By number in this part: first how often the key occurs, then its number among all.
    counts: Vec<u32>,
    local: Vec<u32>,
}

impl NumberedPart {
    fn number(&mut self, dealt: &[(u64, u32)], number: &mut [u32], starts: &mut Vec<u32>) {
        let Self { table, counts, local } = self;
        table.clear();
        counts.clear();
        local.clear();
        // The upper bits are alike in a part: the table is to see the others.
        let hash = |key: u64| key.rotate_left(32);
        for &(key, _) in dealt {
            let new = (key, counts.len() as u32);
            let entry = table.entry(hash(key), |&(other, _)| other == key, |&(other, _)| hash(other)).or_insert(new);
            let numbered = entry.get().1;
            if numbered == new.1 {
                counts.push(0);
            }
            counts[numbered as usize] += 1;
            local.push(numbered);
        }
        for count in counts.iter_mut() {
            let occurrences = std::mem::replace(count, LONELY);
            if occurrences > 1 {
                *count = starts.len() as u32 - 1;
                starts.push(starts[starts.len() - 1] + occurrences);
            }
        }
        for (&(_, place), &numbered) in dealt.iter().zip(&*local) {
            number[place as usize] = counts[numbered as usize];
        }
    }
}

/// A key that at least two documents have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct LinkedKey {
    /// Number of the key: equal keys have one number.
    pub key: u32,
    /// As in [`IndexKey::position`].
    pub position: u32,
}

/// The keys by document, numbered densely, so that an index needs no search to find their documents.
#[derive(Debug, Clone, Default)]
pub struct LinkedKeys {
    ends: Vec<u64>,
    keys: Array<LinkedKey>,
    /// By key: how many occurrences all earlier keys have; the total at the end.
    pub(super) starts: Array<u32>,
}

impl LinkedKeys {
    /// Keys that are kept somewhere: by document where its keys end, and by key how many occurrences all earlier keys
    /// have, with the total at the end.
    pub fn from_parts(ends: Vec<u64>, keys: Array<LinkedKey>, starts: Array<u32>) -> Self {
        Self { ends, keys, starts }
    }

    /// What [`LinkedKeys::from_parts`] takes.
    pub fn parts(&self) -> (&[u64], &Array<LinkedKey>, &Array<u32>) {
        (&self.ends, &self.keys, &self.starts)
    }

    /// Whether the keys are in memory.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.keys, Array::Owned(_))
    }

    /// Number of different keys.
    pub fn distinct_keys(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Number of keys of a document, without a look at them.
    pub fn count(&self, document: DocId) -> usize {
        let range = self.range(document);
        range.end - range.start
    }

    fn range(&self, document: DocId) -> Range<usize> {
        let index = document.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        start as usize..self.ends[index] as usize
    }

    /// The keys of a document.
    pub fn get(&self, document: DocId) -> &[LinkedKey] {
        self.keys.slice(self.range(document))
    }

    /// Number of keys over all documents.
    pub fn total_keys(&self) -> usize {
        self.keys.len()
    }

    /// Number of pairs of documents with a common key, each counted once for each such key: the postings that a join of
    /// all documents follows.
    pub fn total_meetings(&self) -> u64 {
        const STRETCH: usize = 1 << 12;
        let keys = self.distinct_keys();
        let meetings = |stretch: &[u32]| -> u64 {
            let sizes = stretch.windows(2).map(|pair| u64::from(pair[1] - pair[0]));
            sizes.map(|size| size * (size - 1) / 2).sum()
        };
        let stretches = (0..keys).step_by(STRETCH).map(|first| first..(first + STRETCH).min(keys) + 1);
        stretches.map(|stretch| meetings(self.starts.slice(stretch))).sum()
    }
}

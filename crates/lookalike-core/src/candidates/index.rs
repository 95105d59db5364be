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

use super::{LinkedKey, LinkedKeys};
use crate::document::DocId;
use crate::threshold::Threshold;
use std::borrow::Cow;
use std::ops::Range;

#[derive(Debug, Clone, Copy, Default)]
struct Posting {
    rank: u32,
    size: u32,
    position: u32,
}

/// An inverted index of keys, for one threshold.
#[derive(Debug, Clone)]
pub struct KeyIndex<'a> {
    threshold: Threshold,
    starts: Cow<'a, [u32]>,
    filled: Vec<u32>,
    postings: Vec<Posting>,
}

impl<'a> KeyIndex<'a> {
    /// An empty index over the documents that have these keys, which finds partners at `threshold` or above.
    pub fn new(keys: &'a LinkedKeys, threshold: Threshold) -> Self {
        let starts = Cow::Borrowed(keys.starts.slice(0..keys.starts.len()));
        Self::with_starts(starts, keys.total_keys(), threshold)
    }

    /// An empty index with room for some of the documents only.
    pub fn over(keys: &'a LinkedKeys, threshold: Threshold, documents: impl Iterator<Item = DocId>) -> Self {
        let mut starts = vec![0; keys.distinct_keys() + 1];
        for key in documents.flat_map(|document| keys.get(document)) {
            starts[key.key as usize + 1] += 1;
        }
        for key in 1..starts.len() {
            starts[key] += starts[key - 1];
        }
        let postings = starts.last().map_or(0, |&last| last as usize);
        Self::with_starts(Cow::Owned(starts), postings, threshold)
    }

    /// Bytes of an index over documents with so many keys, of so many different ones.
    pub fn bytes_for(distinct_keys: usize, total_keys: usize) -> usize {
        2 * size_of::<u32>() * distinct_keys + size_of::<Posting>() * total_keys
    }

    fn with_starts(starts: Cow<'a, [u32]>, postings: usize, threshold: Threshold) -> Self {
        let filled = vec![0; starts.len().saturating_sub(1)];
        Self { threshold, starts, filled, postings: vec![Posting::default(); postings] }
    }

    /// Adds a document with `size` elements under its keys. Ranks must ascend from call to call, and each document be
    /// inserted once at most.
    pub fn insert(&mut self, rank: u32, size: usize, keys: &[LinkedKey]) {
        for &LinkedKey { key, position } in keys {
            let filled = &mut self.filled[key as usize];
            self.postings[(self.starts[key as usize] + *filled) as usize] =
                Posting { rank, size: size as u32, position };
            *filled += 1;
        }
    }

    /// Calls `visit` with the rank of each document in the index that shares a key with the given one, has a rank in
    /// `ranks`, and whose size and position let it reach the threshold; once for each such key. Returns the number of
    /// postings that were followed.
    pub fn probe(&self, size: usize, keys: &[LinkedKey], ranks: Range<u32>, mut visit: impl FnMut(u32)) -> u64 {
        let mut followed = 0;
        for &LinkedKey { key, position } in keys {
            let start = self.starts[key as usize] as usize;
            let postings = &self.postings[start..start + self.filled[key as usize] as usize];
            let from =
                if ranks.start == 0 { 0 } else { postings.partition_point(|posting| posting.rank < ranks.start) };
            for posting in postings[from..].iter().take_while(|posting| posting.rank < ranks.end) {
                followed += 1;
                if self.may_reach(size, position, posting) {
                    visit(posting.rank);
                }
            }
        }
        followed
    }

    /// The number of postings that a probe would follow.
    pub fn count(&self, keys: &[LinkedKey], ranks: Range<u32>) -> u64 {
        let count = |key: &LinkedKey| {
            let start = self.starts[key.key as usize] as usize;
            let postings = &self.postings[start..start + self.filled[key.key as usize] as usize];
            let below = |rank: u32| postings.partition_point(|posting| posting.rank < rank);
            (below(ranks.end) - below(ranks.start)) as u64
        };
        keys.iter().map(count).sum()
    }

    /// Size and position filter: all elements before a common one, seen from the first common one on, are lost to the
    /// intersection. At a later common element the bound is lower than it should be; but then the first one let it pass.
    fn may_reach(&self, size: usize, position: u32, posting: &Posting) -> bool {
        let other = posting.size as usize;
        let most_common = (size - position as usize).min(other - posting.position as usize);
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

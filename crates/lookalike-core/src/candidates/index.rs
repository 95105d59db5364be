//! From keys to the documents that have them.
//!
//! A hash table leads from a key to the last of its postings, and each posting to the one before it:
//!
//! ```text
//! table     key -> 7                    postings  .. [2: doc 0] .. [5: doc 3, before: 2] .. [7: doc 9, before: 5]
//! ```
//!
//! Inserting is cheap, so the index can grow while documents are decided one after the other. A posting carries size and
//! position: most candidates are refused without a look at their sets.

use super::IndexKey;
use crate::document::DocId;
use crate::threshold::Threshold;
use hashbrown::HashTable;

const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Posting {
    document: DocId,
    size: u32,
    position: u32,
    before: u32,
}

/// An inverted index of keys, for one threshold.
#[derive(Debug, Clone)]
pub struct KeyIndex {
    threshold: Threshold,
    table: HashTable<(u64, u32)>,
    postings: Vec<Posting>,
}

impl KeyIndex {
    /// An empty index that finds partners at `threshold` or above.
    pub fn new(threshold: Threshold) -> Self {
        Self { threshold, table: HashTable::new(), postings: Vec::new() }
    }

    /// Adds a document with `size` elements under its keys. Postings past the 2^32nd are refused.
    ///
    /// # Errors
    /// [`crate::Error::TooManyDocuments`] if the index is full.
    pub fn insert(&mut self, document: DocId, size: usize, keys: &[IndexKey]) -> crate::Result<()> {
        for key in keys {
            let number = DocId::from_index(self.postings.len())?.0;
            let entry = self.table.entry(key.key, |&(other, _)| other == key.key, |&(other, _)| other);
            let mut entry = entry.or_insert((key.key, NONE));
            let before = std::mem::replace(&mut entry.get_mut().1, number);
            self.postings.push(Posting { document, size: size as u32, position: key.position, before });
        }
        Ok(())
    }

    /// Appends to `found` each document in the index that shares a key with the given one and whose size and position let
    /// it reach the threshold; each once, in no particular order.
    pub fn probe(&self, size: usize, keys: &[IndexKey], scratch: &mut ProbeScratch, found: &mut Vec<DocId>) {
        scratch.begin();
        for key in keys {
            let entry = self.table.find(key.key, |&(other, _)| other == key.key);
            let mut next = entry.map_or(NONE, |&(_, last)| last);
            while let Some(posting) = self.postings.get(next as usize) {
                next = posting.before;
                // Keys come in the common order, so the first key that two sets share is their first common element.
                if scratch.is_first_visit(posting.document) && self.may_reach(size, key.position, posting) {
                    found.push(posting.document);
                }
            }
        }
    }

    /// Size and position filter: all elements before the first common one are lost to the intersection.
    fn may_reach(&self, size: usize, position: u32, posting: &Posting) -> bool {
        let other = posting.size as usize;
        let most_common = (size - position as usize).min(other - posting.position as usize);
        most_common >= self.threshold.required_overlap(size, other)
    }
}

/// Marks of the documents that a probe has met; reused from probe to probe, one a thread.
#[derive(Debug, Clone)]
pub struct ProbeScratch {
    visited_in: Vec<u32>,
    probe: u32,
}

impl ProbeScratch {
    /// Scratch for an index over `documents` documents.
    pub fn new(documents: usize) -> Self {
        Self { visited_in: vec![0; documents], probe: 0 }
    }

    fn begin(&mut self) {
        self.probe = self.probe.wrapping_add(1);
        if self.probe == 0 {
            self.visited_in.fill(0);
            self.probe = 1;
        }
    }

    fn is_first_visit(&mut self, document: DocId) -> bool {
        let last = std::mem::replace(&mut self.visited_in[document.index()], self.probe);
        last != self.probe
    }
}

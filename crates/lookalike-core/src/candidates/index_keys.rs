//! The keys of all documents, before they are put into an index.

use super::FrequencyTable;
use crate::document::DocId;

/// A key of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexKey {
    /// Documents with equal keys meet.
    pub key: u64,
    /// Number of elements of the document that come before this one in the common order; 0 if the key is no element.
    pub position: u32,
}

/// The keys by document, in the order in which an index looks them up.
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

    /// Appends all documents of `other`, in order.
    pub fn append(&mut self, other: &Self) {
        let base = self.keys.len() as u64;
        self.keys.extend_from_slice(&other.keys);
        self.ends.extend(other.ends.iter().map(|end| base + end));
    }

    /// The keys of a document.
    pub fn get(&self, document: DocId) -> &[IndexKey] {
        let index = document.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.keys[start as usize..self.ends[index] as usize]
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of keys over all documents.
    pub fn total_keys(&self) -> usize {
        self.keys.len()
    }

    /// Drops keys that no other document has: nobody would ever be found by them. Returns the estimated number of pairs of
    /// documents with a common key, each counted once for each key: the postings that a join of all documents follows.
    pub fn drop_lonely(&mut self) -> f64 {
        let keys: Vec<u64> = self.keys.iter().map(|key| key.key).collect();
        let table = FrequencyTable::of(&keys);
        let (mut read, mut written) = (0, 0);
        let mut pairs = 0.0;
        for end in &mut self.ends {
            while read < *end as usize {
                let key = self.keys[read];
                let count = table.count(key.key);
                if count > 1 {
                    pairs += f64::from(count - 1) / 2.0;
                    self.keys[written] = key;
                    written += 1;
                }
                read += 1;
            }
            *end = written as u64;
        }
        self.keys.truncate(written);
        pairs
    }
}

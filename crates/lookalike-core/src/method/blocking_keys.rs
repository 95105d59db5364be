//! The blocking keys of all documents: as a method makes them, and numbered, as an index takes them.

use super::NumberedKeys;
use crate::ground::{Array, DocId, Ragged, Result};
use bytemuck::{Pod, Zeroable};

/// A blocking key of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockingKey {
    /// A prefix element or a band key: documents with equal ones become a candidate pair.
    pub hash: u64,
    /// Number of elements of the document that come before this one in the common order; 0 if the key is no element.
    pub position: u32,
}

/// Blocking keys by document, in the order in which an index looks them up, as a method makes them.
#[derive(Debug, Clone, Default)]
pub struct BlockingKeys(Ragged<BlockingKey>);

impl BlockingKeys {
    /// No documents yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a document, whose keys `fill` appends.
    pub fn push_with(&mut self, fill: impl FnOnce(&mut Vec<BlockingKey>)) {
        self.0.push_with(fill);
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The keys of each document, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[BlockingKey]> {
        self.0.iter()
    }

    /// Gives equal keys one number and drops singletons: no document would ever be found by them.
    ///
    /// # Errors
    /// [`crate::Error::TooManyKeys`] past 2^32 - 1 keys.
    pub fn share(&self) -> Result<SharedKeys> {
        let all = self.0.values().slice(0..self.0.values().len());
        let numbered = NumberedKeys::of(all.iter().map(|key| key.hash))?;
        let mut keys = Ragged::default();
        let mut numbers = numbered.by_occurrence();
        for document in self.0.iter() {
            keys.push_with(|out| {
                // Keys first: at the end of a document no number must be taken that belongs to the next.
                for (key, number) in document.iter().zip(&mut numbers) {
                    out.extend(number.map(|number| SharedKey { number, position: key.position }));
                }
            });
        }
        Ok(SharedKeys { keys, starts: Array::Owned(numbered.starts().to_vec()) })
    }
}

/// A blocking key that at least two documents have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct SharedKey {
    /// Number of the key: equal keys have one number.
    pub number: u32,
    /// As in [`BlockingKey::position`].
    pub position: u32,
}

/// Blocking keys by document, numbered densely, so that an index needs no search to find their documents.
#[derive(Debug, Clone, Default)]
pub struct SharedKeys {
    keys: Ragged<SharedKey>,
    /// By number of a key: occurrences of all keys with lower numbers; the total at the end.
    starts: Array<u32>,
}

impl SharedKeys {
    /// The parts that [`SharedKeys::keys`] and [`SharedKeys::starts`] gave.
    pub fn from_parts(keys: Ragged<SharedKey>, starts: Array<u32>) -> Self {
        Self { keys, starts }
    }

    /// By document: its keys.
    pub fn keys(&self) -> &Ragged<SharedKey> {
        &self.keys
    }

    /// By number of a key: occurrences of all keys with lower numbers; the total at the end.
    pub fn starts(&self) -> &Array<u32> {
        &self.starts
    }

    /// Whether the keys are in memory.
    pub fn is_in_memory(&self) -> bool {
        self.keys.values().is_in_memory()
    }

    /// Number of different keys.
    pub fn distinct_keys(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Number of keys of a document; the keys are not touched.
    pub fn count(&self, document: DocId) -> usize {
        self.keys.size(document.index())
    }

    /// The keys of a document.
    pub fn get(&self, document: DocId) -> &[SharedKey] {
        self.keys.get(document.index())
    }

    /// Number of keys over all documents.
    pub fn total_keys(&self) -> usize {
        self.keys.values().len()
    }

    /// Number of pairs of documents with a common key, each counted once for each such key: the postings that a join of
    /// all documents follows.
    pub fn total_meetings(&self) -> u64 {
        let mut last = None;
        let mut meetings = 0;
        for &start in self.starts.chunks().flatten() {
            let occurrences = last.replace(start).map_or(0, |last| u64::from(start - last));
            meetings += occurrences * occurrences.saturating_sub(1) / 2;
        }
        meetings
    }
}

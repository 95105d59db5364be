//! The blocking keys of all documents, in two forms: as hashes from a method, and numbered for an index.

use super::NumberedKeys;
use crate::base::{Array, DocId, Ragged, Result};
use bytemuck::{Pod, Zeroable};

/// A blocking key of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockingKey {
    /// A prefix element or a band key. Documents with an equal hash become a candidate pair.
    pub hash: u64,
    /// Number of elements of the document that precede this one in the common order; 0 for a band key.
    pub position: u32,
}

/// Blocking keys by document, as computed by a method, in the order in which an index looks them up.
#[derive(Debug, Clone, Default)]
pub struct BlockingKeys(Ragged<BlockingKey>);

impl BlockingKeys {
    /// A collection without documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the next document, whose blocking keys `fill` appends.
    pub fn push_with(&mut self, fill: impl FnOnce(&mut Vec<BlockingKey>)) {
        self.0.push_with(fill);
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The blocking keys of each document, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[BlockingKey]> + Clone {
        self.0.iter()
    }

    /// Numbers the distinct blocking keys and drops singletons, which never yield a candidate pair.
    ///
    /// # Errors
    /// [`crate::Error::TooManyKeys`] for more than 2^32 - 1 occurrences of blocking keys.
    pub fn share(&self) -> Result<SharedKeys> {
        let all = self.0.values().slice(0..self.0.values().len());
        let numbered = NumberedKeys::new(all.iter().map(|key| key.hash))?;
        let mut keys = Ragged::default();
        let mut numbers = numbered.by_occurrence();
        for document in self.0.iter() {
            keys.push_with(|out| {
                // Keys come first in `zip`: otherwise it would consume the first number of the next document.
                for (key, number) in document.iter().zip(&mut numbers) {
                    out.extend(number.map(|number| SharedKey { number, position: key.position }));
                }
            });
        }
        Ok(SharedKeys::from_parts(keys, Array::Owned(numbered.starts().to_vec())))
    }
}

/// A blocking key that at least two documents have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct SharedKey {
    /// Number of the blocking key, from 0; equal blocking keys have equal numbers.
    pub number: u32,
    /// Position as in [`BlockingKey::position`].
    pub position: u32,
}

/// Shared blocking keys by document, numbered densely, so that the number is an index into the arrays of a
/// [`super::KeyIndex`].
#[derive(Debug, Clone, Default)]
pub struct SharedKeys {
    keys: Ragged<SharedKey>,
    /// Prefix sums of the occurrences by number of the blocking key, followed by the total.
    starts: Array<u32>,
    /// Pairs of documents with a common blocking key, counted once per common blocking key.
    postings: u64,
}

impl SharedKeys {
    /// Reassembles the unchanged arrays of another `SharedKeys` ([`SharedKeys::keys`], [`SharedKeys::starts`]), without
    /// checks.
    pub fn from_parts(keys: Ragged<SharedKey>, starts: Array<u32>) -> Self {
        let mut last = 0;
        let mut postings = 0u64;
        for chunk in starts.chunks() {
            for &start in chunk {
                // The first start is 0. What was not checked may descend.
                let occurrences = u64::from(start.wrapping_sub(std::mem::replace(&mut last, start)));
                postings = postings.wrapping_add(occurrences * occurrences.saturating_sub(1) / 2);
            }
        }
        Self { keys, starts, postings }
    }

    /// The shared blocking keys by document.
    pub fn keys(&self) -> &Ragged<SharedKey> {
        &self.keys
    }

    /// Prefix sums of the occurrences: for each number of a blocking key, the occurrences of all lower numbers; then
    /// the total.
    pub fn starts(&self) -> &Array<u32> {
        &self.starts
    }

    /// Returns whether the shared blocking keys are in memory.
    pub fn is_in_memory(&self) -> bool {
        self.keys.values().is_in_memory()
    }

    /// Returns whether every key has a number, and the prefix sums ascend to the number of occurrences.
    pub fn are_numbered(&self) -> bool {
        let numbers = self.distinct_keys();
        let mut end = 0;
        let ascends = self.starts.chunks().flatten().all(|&start| std::mem::replace(&mut end, start) <= start);
        let is_known = |key: &SharedKey| (key.number as usize) < numbers;
        let total = self.keys.values().len();
        ascends && end as usize == total && self.keys.values().chunks().flatten().all(is_known)
    }

    /// Number of distinct shared blocking keys.
    pub fn distinct_keys(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Number of shared blocking keys of a document; none of them is read.
    pub fn count(&self, document: DocId) -> usize {
        self.keys.size(document.index())
    }

    /// The shared blocking keys of a document.
    pub fn get(&self, document: DocId) -> &[SharedKey] {
        self.keys.get(document.index())
    }

    /// Number of shared blocking keys over all documents.
    pub fn total_keys(&self) -> usize {
        self.keys.values().len()
    }

    /// Number of pairs of documents with a common blocking key, counted once per common blocking key: the postings that
    /// a self-join follows.
    pub fn total_postings(&self) -> u64 {
        self.postings
    }
}

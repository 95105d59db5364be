//! The shingle sets of all documents, one after the other in one array.
//!
//! ```text
//! ends     |  3  |  3  |  7  | ...          document 1 is empty
//! elements | a b c | d e f g | ...          ascending within a document
//! ```

use crate::array::Array;
use crate::document::DocId;
use crate::error::Result;
use crate::hash::mix64;
use std::ops::Range;

/// Sorted sets of element hashes, by document.
#[derive(Debug, Clone, Default)]
pub struct ShingleSets {
    ends: Vec<u64>,
    elements: Array<u64>,
    fingerprints: Vec<u64>,
}

impl ShingleSets {
    /// No documents yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whose elements are kept somewhere: by document where its set ends and the fingerprint it had.
    pub fn from_parts(ends: Vec<u64>, fingerprints: Vec<u64>, elements: Array<u64>) -> Self {
        Self { ends, elements, fingerprints }
    }

    /// By document: where its set ends, and its fingerprint.
    pub fn ends_and_fingerprints(&self) -> (&[u64], &[u64]) {
        (&self.ends, &self.fingerprints)
    }

    /// Appends a document, whose set `fill` appends (strictly ascending) to the array it is given.
    ///
    /// # Errors
    /// [`crate::Error::TooManyDocuments`] when there is no number left for it.
    pub fn push_with<T>(&mut self, fill: impl FnOnce(&mut Vec<u64>) -> T) -> Result<T> {
        DocId::from_index(self.ends.len())?;
        let start = self.elements.len();
        let result = fill(self.elements.to_mut());
        self.end_set(start);
        Ok(result)
    }

    /// Makes room for about so many elements, to spare the growing.
    pub fn reserve(&mut self, elements: usize) {
        self.elements.to_mut().reserve(elements);
    }

    /// Forgets all documents, but not the memory that they had.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.fingerprints.clear();
        self.elements.to_mut().clear();
    }

    fn end_set(&mut self, start: usize) {
        self.fingerprints.push(fingerprint(self.elements.slice(start..self.elements.len())));
        self.ends.push(self.elements.len() as u64);
    }

    /// Appends all documents of `other`, in order.
    ///
    /// # Errors
    /// [`crate::Error::TooManyDocuments`] when there are no numbers left for them.
    pub fn append(&mut self, other: &Self) -> Result<()> {
        DocId::from_index(self.ends.len() + other.ends.len())?;
        let base = self.elements.len() as u64;
        self.elements.to_mut().extend_from_slice(other.all_elements());
        self.ends.extend(other.ends.iter().map(|end| base + end));
        self.fingerprints.extend_from_slice(&other.fingerprints);
        Ok(())
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes of the elements, if they are in memory.
    pub fn memory_bytes(&self) -> usize {
        match &self.elements {
            Array::Owned(elements) => size_of_val(&elements[..]),
            Array::Kept(_) => 0,
        }
    }

    /// Bytes of memory that the elements have, in use or not.
    pub fn reserved_bytes(&self) -> usize {
        self.elements.reserved_bytes()
    }

    /// Number of elements over all documents.
    pub fn total_elements(&self) -> usize {
        self.elements.len()
    }

    /// The elements of all documents, one set after the other.
    pub fn all_elements(&self) -> &[u64] {
        self.elements.slice(0..self.elements.len())
    }

    /// Number of elements of one document, without a look at them.
    pub fn size(&self, document: DocId) -> usize {
        let range = self.range(document);
        range.end - range.start
    }

    fn range(&self, document: DocId) -> Range<usize> {
        let index = document.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        start as usize..self.ends[index] as usize
    }

    /// The set of one document, strictly ascending.
    pub fn get(&self, document: DocId) -> &[u64] {
        self.elements.slice(self.range(document))
    }

    /// A hash of the set of one document: equal sets have equal hashes.
    pub fn fingerprint(&self, document: DocId) -> u64 {
        self.fingerprints[document.index()]
    }

    /// The sets in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u64]> {
        DocId::all(self.len()).map(|document| self.get(document))
    }
}

/// Elements are hashes and a set has each once: their sum tells sets apart, and the processor adds several at a time.
fn fingerprint(set: &[u64]) -> u64 {
    mix64(set.iter().fold(0, |sum: u64, &element| sum.wrapping_add(element)))
}

impl<const N: usize> From<[Vec<u64>; N]> for ShingleSets {
    fn from(sets: [Vec<u64>; N]) -> Self {
        sets.into_iter().collect()
    }
}

impl FromIterator<Vec<u64>> for ShingleSets {
    /// Sorts each set and drops repetitions.
    fn from_iter<I: IntoIterator<Item = Vec<u64>>>(sets: I) -> Self {
        let mut result = Self::new();
        for mut set in sets {
            set.sort_unstable();
            set.dedup();
            let start = result.elements.len();
            result.elements.to_mut().extend(set);
            result.end_set(start);
        }
        result
    }
}

//! The shingle sets of all documents, one after the other in one array.
//!
//! ```text
//! ends     |  3  |  3  |  7  | ...          document 1 is empty
//! elements | a b c | d e f g | ...          ascending within a document
//! ```

use crate::document::DocId;
use crate::error::Result;
use crate::hash::mix64;

/// Sorted sets of element hashes, by document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShingleSets {
    ends: Vec<u64>,
    elements: Vec<u64>,
    fingerprints: Vec<u64>,
}

impl ShingleSets {
    /// No documents yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a document, whose set `fill` appends (strictly ascending) to the array it is given.
    ///
    /// # Errors
    /// [`crate::Error::TooManyDocuments`] when there is no number left for it.
    pub fn push_with<T>(&mut self, fill: impl FnOnce(&mut Vec<u64>) -> T) -> Result<T> {
        DocId::from_index(self.ends.len())?;
        let start = self.elements.len();
        let result = fill(&mut self.elements);
        self.end_set(start);
        Ok(result)
    }

    /// Makes room for about so many elements, to spare the growing.
    pub fn reserve(&mut self, elements: usize) {
        self.elements.reserve(elements);
    }

    fn end_set(&mut self, start: usize) {
        // Elements are hashes and a set has each once: their sum tells sets apart, and the processor adds several at a time.
        let sum = self.elements[start..].iter().fold(0u64, |sum, &element| sum.wrapping_add(element));
        self.fingerprints.push(mix64(sum));
        self.ends.push(self.elements.len() as u64);
    }

    /// Appends all documents of `other`, in order.
    ///
    /// # Errors
    /// [`crate::Error::TooManyDocuments`] when there are no numbers left for them.
    pub fn append(&mut self, other: &Self) -> Result<()> {
        DocId::from_index(self.ends.len() + other.ends.len())?;
        let base = self.elements.len() as u64;
        self.elements.extend_from_slice(&other.elements);
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

    /// Number of elements over all documents.
    pub fn total_elements(&self) -> usize {
        self.elements.len()
    }

    /// The elements of all documents, one set after the other.
    pub fn all_elements(&self) -> &[u64] {
        &self.elements
    }

    /// The set of one document, strictly ascending.
    pub fn get(&self, document: DocId) -> &[u64] {
        let index = document.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.elements[start as usize..self.ends[index] as usize]
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
            result.elements.extend(set);
            result.end_set(start);
        }
        result
    }
}

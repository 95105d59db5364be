//! The element sets of all documents, in one ragged array.

use super::ElementSet;
use crate::ground::hash::mix64;
use crate::ground::{DocId, Ragged, Result};

/// Element sets by document, and a hash of each set.
///
/// Elements come in by three ways, and each keeps them strictly ascending within a document: a [`super::Shingler`] sorts them, an
/// [`ElementSet`] was checked, and [`ElementSets::from_parts`] takes what left another `ElementSets` and did not change since.
#[derive(Debug, Clone, Default)]
pub struct ElementSets {
    elements: Ragged<u64>,
    hashes: Vec<u64>,
}

impl ElementSets {
    /// No documents yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The elements and hashes that other sets had ([`ElementSets::elements`], [`ElementSets::hashes`]), unchanged. Nothing is read:
    /// the elements may be in a file larger than memory.
    pub fn from_parts(elements: Ragged<u64>, hashes: Vec<u64>) -> Self {
        Self { elements, hashes }
    }

    /// Sets whose order is checked and whose hashes are computed now.
    ///
    /// # Errors
    /// [`crate::Error::UnsortedSet`] unless the elements of each set strictly ascend.
    pub fn checked(elements: Ragged<u64>) -> Result<Self> {
        let hashes = elements.iter().map(|set| ElementSet::new(set).map(hash_of_set)).collect::<Result<_>>()?;
        Ok(Self { elements, hashes })
    }

    /// Appends a document.
    ///
    /// # Errors
    /// [`crate::Error::TooManyDocuments`] when there is no number left for it.
    pub fn push(&mut self, set: ElementSet<'_>) -> Result<()> {
        DocId::from_index(self.len())?;
        self.elements.push(&set);
        self.hashes.push(hash_of_set(set));
        Ok(())
    }

    /// Appends a document, whose set `fill` appends, strictly ascending.
    pub(super) fn push_with<R>(&mut self, fill: impl FnOnce(&mut Vec<u64>) -> R) -> Result<R> {
        DocId::from_index(self.len())?;
        let result = self.elements.push_with(fill);
        let set = ElementSet::checked_before(self.elements.get(self.len()));
        self.hashes.push(hash_of_set(set));
        Ok(result)
    }

    /// Allocates room for `elements` more elements.
    pub fn reserve(&mut self, elements: usize) {
        self.elements.reserve(elements);
    }

    /// Removes all documents; allocated memory is kept for the next ones.
    pub fn clear(&mut self) {
        self.elements.clear();
        self.hashes.clear();
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Bytes of the elements, if they are in memory.
    pub fn memory_bytes(&self) -> usize {
        self.elements.values().memory_bytes()
    }

    /// Bytes of memory allocated for elements, in use or not.
    pub fn reserved_bytes(&self) -> usize {
        self.elements.values().reserved_bytes()
    }

    /// Number of elements over all documents.
    pub fn total_elements(&self) -> usize {
        self.elements.values().len()
    }

    /// The elements of all documents.
    pub fn elements(&self) -> &Ragged<u64> {
        &self.elements
    }

    /// By document: a hash of its set; equal sets have equal hashes.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Number of elements of one document; the elements are not touched.
    pub fn size(&self, document: DocId) -> usize {
        self.elements.size(document.index())
    }

    /// The set of one document.
    pub fn get(&self, document: DocId) -> ElementSet<'_> {
        ElementSet::checked_before(self.elements.get(document.index()))
    }

    /// A hash of the set of one document: equal sets have equal hashes.
    pub fn hash(&self, document: DocId) -> u64 {
        self.hashes[document.index()]
    }

    /// The sets in order.
    pub fn iter(&self) -> impl Iterator<Item = ElementSet<'_>> {
        self.elements.iter().map(ElementSet::checked_before)
    }
}

/// Elements are hashes and a set has each once: their sum tells sets apart, and the processor adds several at a time.
fn hash_of_set(set: ElementSet<'_>) -> u64 {
    mix64(set.iter().fold(0, |sum: u64, &element| sum.wrapping_add(element)))
}

impl<const N: usize> From<[Vec<u64>; N]> for ElementSets {
    fn from(sets: [Vec<u64>; N]) -> Self {
        sets.into_iter().collect()
    }
}

impl FromIterator<Vec<u64>> for ElementSets {
    /// Sorts each set and drops repetitions.
    fn from_iter<I: IntoIterator<Item = Vec<u64>>>(sets: I) -> Self {
        let mut elements = Ragged::default();
        let mut hashes = Vec::new();
        for mut set in sets {
            set.sort_unstable();
            set.dedup();
            hashes.push(hash_of_set(ElementSet::checked_before(&set)));
            elements.push(&set);
        }
        Self { elements, hashes }
    }
}

impl From<Vec<Vec<u64>>> for ElementSets {
    fn from(sets: Vec<Vec<u64>>) -> Self {
        sets.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Array, Error};

    #[test]
    fn sets_from_outside_are_checked() {
        let sets = ElementSets::from([vec![3, 1, 3], vec![], vec![7]]);
        assert_eq!(sets.get(DocId(0)).elements(), [1, 3]);
        let back = ElementSets::checked(sets.elements().clone()).unwrap();
        assert_eq!(back.hashes(), sets.hashes());
        let unsorted = Ragged::from_parts(vec![0, 2], Array::Owned(vec![2, 1])).unwrap();
        assert!(matches!(ElementSets::checked(unsorted), Err(Error::UnsortedSet)));
    }
}

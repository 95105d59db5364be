//! The element sets of all documents, in one ragged array.

use super::ElementSet;
use crate::ground::hash::mix64;
use crate::ground::{Array, DocId, Error, Ragged, Result};

/// Element sets by document, with a hash of each set. The hash is order-independent and not cryptographic.
///
/// The elements of a document strictly ascend, whichever way they were added: a [`super::Shingler`] sorts them, an
/// [`ElementSet`] was checked, and [`ElementSets::from_parts`] takes the unchanged arrays of another `ElementSets`.
#[derive(Debug, Clone, Default)]
pub struct ElementSets {
    elements: Ragged<u64>,
    hashes: Vec<u64>,
}

impl ElementSets {
    /// A collection without documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reassembles unchanged arrays of another `ElementSets` ([`ElementSets::elements`], [`ElementSets::hashes`]),
    /// without checks: no element is read, because a mapped file of elements may exceed memory.
    pub fn from_parts(elements: Ragged<u64>, hashes: Vec<u64>) -> Self {
        Self { elements, hashes }
    }

    /// Sets from untrusted elements: checks their order and computes their hashes.
    ///
    /// # Errors
    /// [`crate::Error::UnsortedSet`] unless the elements of each set strictly ascend.
    pub fn checked(elements: Ragged<u64>) -> Result<Self> {
        let hashes = elements.iter().map(|set| ElementSet::new(set).map(hash_of_set)).collect::<Result<_>>()?;
        Ok(Self { elements, hashes })
    }

    /// The set of one document from elements that are read in chunks, because they may exceed memory.
    ///
    /// # Errors
    /// [`crate::Error::UnsortedSet`] unless they strictly ascend.
    pub fn of_one(elements: Array<u64>) -> Result<Self> {
        let (mut sum, mut last) = (0u64, None);
        for chunk in elements.chunks() {
            let set = ElementSet::new(chunk)?;
            if last.is_some_and(|last| set.first().is_some_and(|&first| first <= last)) {
                return Err(Error::UnsortedSet);
            }
            last = set.last().copied();
            sum = sum.wrapping_add(sum_of_set(set));
        }
        let offsets = vec![0, elements.len() as u64];
        Ok(Self { elements: Ragged::from_parts(offsets, elements)?, hashes: vec![mix64(sum)] })
    }

    /// Appends the set of the next document.
    ///
    /// # Errors
    /// [`crate::Error::TooManyDocuments`] if all document numbers are in use.
    pub fn push(&mut self, set: ElementSet<'_>) -> Result<()> {
        DocId::from_index(self.len())?;
        self.elements.push(&set);
        self.hashes.push(hash_of_set(set));
        Ok(())
    }

    /// Appends the next document and returns the result of `fill`, which appends its elements, strictly ascending.
    pub(super) fn push_with<R>(&mut self, fill: impl FnOnce(&mut Vec<u64>) -> R) -> Result<R> {
        DocId::from_index(self.len())?;
        let result = self.elements.push_with(fill);
        let set = ElementSet::checked_before(self.elements.get(self.len()));
        self.hashes.push(hash_of_set(set));
        Ok(result)
    }

    /// Reserves memory for `elements` more elements.
    pub fn reserve(&mut self, elements: usize) {
        self.elements.reserve(elements);
    }

    /// Removes all documents but retains the allocated memory.
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

    /// Size of the elements in bytes if they are in memory, else 0.
    pub fn memory_bytes(&self) -> usize {
        self.elements.values().memory_bytes()
    }

    /// Memory allocated for elements in bytes, used or not.
    pub fn reserved_bytes(&self) -> usize {
        self.elements.values().reserved_bytes()
    }

    /// Number of elements over all documents.
    pub fn total_elements(&self) -> usize {
        self.elements.values().len()
    }

    /// The elements by document.
    pub fn elements(&self) -> &Ragged<u64> {
        &self.elements
    }

    /// The hash of each set, by document; equal sets have equal hashes.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Number of elements of a document; no element is read.
    pub fn size(&self, document: DocId) -> usize {
        self.elements.size(document.index())
    }

    /// The set of a document.
    pub fn get(&self, document: DocId) -> ElementSet<'_> {
        ElementSet::checked_before(self.elements.get(document.index()))
    }

    /// The hash of the set of a document; equal sets have equal hashes.
    pub fn hash(&self, document: DocId) -> u64 {
        self.hashes[document.index()]
    }

    /// The sets in order of documents.
    pub fn iter(&self) -> impl Iterator<Item = ElementSet<'_>> {
        self.elements.iter().map(ElementSet::checked_before)
    }
}

/// The mixed sum of the elements. A sum suffices because elements are hashes and occur once per set; it vectorizes.
fn hash_of_set(set: ElementSet<'_>) -> u64 {
    mix64(sum_of_set(set))
}

fn sum_of_set(set: ElementSet<'_>) -> u64 {
    set.iter().fold(0, |sum: u64, &element| sum.wrapping_add(element))
}

impl<const N: usize> From<[Vec<u64>; N]> for ElementSets {
    fn from(sets: [Vec<u64>; N]) -> Self {
        sets.into_iter().collect()
    }
}

impl FromIterator<Vec<u64>> for ElementSets {
    /// Sorts each set and drops repeated elements.
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

    #[test]
    fn sets_from_outside_are_checked() {
        let sets = ElementSets::from([vec![3, 1, 3], vec![], vec![7]]);
        assert_eq!(sets.get(DocId(0)).elements(), [1, 3]);
        let back = ElementSets::checked(sets.elements().clone()).unwrap();
        assert_eq!(back.hashes(), sets.hashes());
        let unsorted = Ragged::from_parts(vec![0, 2], Array::Owned(vec![2, 1])).unwrap();
        assert!(matches!(ElementSets::checked(unsorted), Err(Error::UnsortedSet)));
    }

    #[test]
    fn a_set_read_in_chunks_is_that_set() {
        let elements: Vec<u64> = (0..20_000).map(|number| number * 3).collect();
        let whole = ElementSets::from([elements.clone()]);
        let one = ElementSets::of_one(Array::Owned(elements.clone())).unwrap();
        assert_eq!((one.get(DocId(0)), one.hashes()), (whole.get(DocId(0)), whole.hashes()));
        assert_eq!(ElementSets::of_one(Array::default()).unwrap().hashes(), ElementSets::from([vec![]]).hashes());
        for place in [1, 4096, 19_999] {
            let mut repeated = elements.clone();
            repeated[place] = repeated[place - 1];
            assert!(matches!(ElementSets::of_one(Array::Owned(repeated)), Err(Error::UnsortedSet)), "{place}");
        }
    }
}

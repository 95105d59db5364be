//! The element sets of all documents, or the words of documents that are no sets, in one ragged array.

use super::set::squared_norm_of;
use super::{ElementSet, Form, WeightedSet};
use crate::base::hash::{hash_occurrence, hash_sequence, mix64};
use crate::base::{Array, DocId, Error, Ragged, Result};

/// Element sets by document, with a hash of each set. The hash is order-independent and not cryptographic.
///
/// The elements of a document strictly ascend, whichever way they were added: a shingler sorts them, an [`ElementSet`]
/// was checked, and [`ElementSets::from_parts`] takes the unchanged arrays of another `ElementSets`. Documents that are
/// vectors have words in no order in their place ([`Form`]); all documents of a collection are of one form, and only
/// measures of vectors look at such.
///
/// Beside each element there may be a positive weight: how often the document has it, or what a measure makes of that.
/// Without weights, all are 1.
#[derive(Debug, Clone, Default)]
pub struct ElementSets {
    elements: Ragged<u64>,
    hashes: Vec<u64>,
    /// One entry for each element; `None` if all are 1.
    weights: Option<Array<u32>>,
    /// One entry for each document: the sum of the squares of the weights; empty if they are not known yet.
    squared_norms: Vec<u64>,
}

impl ElementSets {
    /// A collection without documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reassembles unchanged arrays of another `ElementSets` ([`ElementSets::elements`], [`ElementSets::hashes`]),
    /// without checks: no element is read, because a mapped file of elements may exceed memory.
    pub fn from_parts(elements: Ragged<u64>, hashes: Vec<u64>) -> Self {
        Self { elements, hashes, ..Self::default() }
    }

    /// Returns these sets with the weights of all elements, and the sums of their squares by document if they are
    /// known.
    ///
    /// # Errors
    /// [`Error::Weights`] unless there is one for each element.
    pub fn with_weights(self, weights: Array<u32>, squared_norms: Option<Vec<u64>>) -> Result<Self> {
        let squared_norms = squared_norms.unwrap_or_default();
        let fits = [0, self.len()].contains(&squared_norms.len());
        if weights.len() != self.total_elements() || !fits {
            return Err(Error::Weights { expected: self.total_elements(), found: weights.len() });
        }
        Ok(Self { weights: Some(weights), squared_norms, ..self })
    }

    /// Sets from untrusted elements: checks their order and computes their hashes.
    ///
    /// # Errors
    /// [`crate::Error::UnsortedSet`] unless the elements of each set strictly ascend.
    pub fn checked(elements: Ragged<u64>) -> Result<Self> {
        let hashes = elements.iter().map(|set| ElementSet::new(set).map(hash_of_set)).collect::<Result<_>>()?;
        Ok(Self { elements, hashes, ..Self::default() })
    }

    /// The set of one document from elements that are read in chunks, because they may exceed memory; with their
    /// counts, if those matter.
    ///
    /// # Errors
    /// [`crate::Error::UnsortedSet`] unless they strictly ascend; [`Error::Weights`] unless each has a count.
    pub fn of_one(elements: Array<u64>, counts: Option<Array<u32>>) -> Result<Self> {
        if let Some(counts) = counts {
            let mut one = Self::of_one(elements, None)?.with_weights(counts, None)?;
            let Self { elements, weights: Some(counts), hashes, .. } = &mut one else { return Ok(one) };
            let pairs = elements.values().chunks().flatten().zip(counts.chunks().flatten());
            *hashes = vec![mix64(sum_of_counted(pairs))];
            return Ok(one);
        }
        let mut sum = 0u64;
        let mut last = None;
        for chunk in elements.chunks() {
            let set = ElementSet::new(chunk)?;
            if last.is_some_and(|last| set.first().is_some_and(|&first| first <= last)) {
                return Err(Error::UnsortedSet);
            }
            last = set.last().copied();
            sum = sum.wrapping_add(sum_of_set(set));
        }
        let offsets = vec![0, elements.len() as u64];
        Ok(Self::from_parts(Ragged::from_parts(offsets, elements)?, vec![mix64(sum)]))
    }

    /// Appends the set of the next document.
    ///
    /// # Errors
    /// [`crate::Error::TooManyDocuments`] if all document numbers are in use.
    pub fn push(&mut self, set: ElementSet<'_>) -> Result<()> {
        self.push_with(|elements| elements.extend_from_slice(&set))
    }

    /// Appends the words of the next document, which is no set ([`super::Form`]).
    ///
    /// # Errors
    /// As [`ElementSets::push`].
    pub fn push_words(&mut self, words: &[u64]) -> Result<()> {
        DocId::from_index(self.len())?;
        self.elements.push(words);
        // Unlike elements, equal words in another order are another document.
        self.hashes.push(hash_sequence(0, words.iter().copied()));
        Ok(())
    }

    /// Appends the content of the next document, which [`Form::checked`] has given.
    ///
    /// # Errors
    /// As [`ElementSets::push`].
    pub fn push_as(&mut self, form: Form, content: ElementSet<'_>) -> Result<()> {
        match form {
            Form::Elements => self.push(content),
            Form::Vector => self.push_words(content.elements()),
        }
    }

    /// Appends the set of the next document with the counts of its elements.
    ///
    /// # Errors
    /// [`Error::Weights`] unless each element has a count; as [`ElementSets::push`].
    pub fn push_counted(&mut self, set: ElementSet<'_>, counts: &[u32]) -> Result<()> {
        if set.len() != counts.len() {
            return Err(Error::Weights { expected: set.len(), found: counts.len() });
        }
        self.push_counted_with(|elements, weights| {
            elements.extend_from_slice(&set);
            weights.extend_from_slice(counts);
            Ok(())
        })
    }

    /// Appends a document of other sets as the next one.
    ///
    /// # Errors
    /// As [`ElementSets::push`].
    pub fn push_from(&mut self, other: &Self, document: DocId) -> Result<()> {
        let set = other.get(document);
        match &other.weights {
            None => self.push(set),
            Some(_) => self.push_counted(set, other.weights(document)),
        }
    }

    /// Appends the next document and returns the result of `fill`, which appends its elements, strictly ascending, and
    /// their counts.
    ///
    /// # Errors
    /// [`crate::Error::TooManyDocuments`] if all document numbers are in use; those of `fill`.
    pub fn push_counted_with<R>(&mut self, fill: impl FnOnce(&mut Vec<u64>, &mut Vec<u32>) -> Result<R>) -> Result<R> {
        DocId::from_index(self.len())?;
        let known = self.total_elements();
        let counts = self.weights.get_or_insert_with(|| Array::Owned(vec![1; known])).to_mut();
        let result = self.elements.push_with(|elements| fill(elements, counts));
        // A set that could not be made leaves none.
        counts.resize(self.elements.values().len(), 1);
        let pairs = self.elements.get(self.elements.len() - 1).iter().zip(&counts[known..]);
        self.hashes.push(mix64(sum_of_counted(pairs)));
        self.squared_norms.clear();
        result
    }

    /// Appends the next document and returns the result of `fill`, which appends its elements, strictly ascending.
    pub(crate) fn push_with<R>(&mut self, fill: impl FnOnce(&mut Vec<u64>) -> R) -> Result<R> {
        DocId::from_index(self.len())?;
        let result = self.elements.push_with(fill);
        let set = ElementSet::checked_before(self.elements.get(self.len()));
        self.hashes.push(hash_of_set(set));
        self.weights.iter_mut().for_each(|weights| weights.to_mut().extend(set.iter().map(|_| 1)));
        self.squared_norms.clear();
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
        self.weights.iter_mut().for_each(|weights| weights.to_mut().clear());
        self.squared_norms.clear();
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Size of the elements in bytes if they are in memory, else 0.
    pub fn memory_bytes(&self) -> usize {
        self.elements.values().memory_bytes() + self.weights.as_ref().map_or(0, Array::memory_bytes)
    }

    /// Memory allocated for elements in bytes, used or not.
    pub fn reserved_bytes(&self) -> usize {
        self.elements.values().reserved_bytes() + self.weights.as_ref().map_or(0, Array::reserved_bytes)
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

    /// The weights of all elements, in the order of the elements; `None` if all are 1.
    pub fn all_weights(&self) -> Option<&Array<u32>> {
        self.weights.as_ref()
    }

    /// The weights of the elements of a document; empty if all are 1.
    pub fn weights(&self, document: DocId) -> &[u32] {
        self.weights.as_ref().map_or(&[], |weights| self.of_document(weights, document))
    }

    /// Returns the values beside the elements of a document, of values that stand beside all elements in their order.
    pub fn of_document<'v>(&self, values: &'v Array<u32>, document: DocId) -> &'v [u32] {
        let offsets = self.elements.offsets();
        values.slice(offsets[document.index()] as usize..offsets[document.index() + 1] as usize)
    }

    /// The elements of a document with their weights.
    pub fn weighted(&self, document: DocId) -> WeightedSet<'_> {
        let elements = self.get(document);
        let weights = self.weights(document);
        let known = self.squared_norms.get(document.index()).copied();
        let squared_norm = known.unwrap_or_else(|| squared_norm_of(elements, weights));
        WeightedSet { elements, weights, squared_norm }
    }

    /// Returns whether two documents have the same elements with the same weights.
    pub fn are_equal(&self, a: DocId, b: DocId) -> bool {
        self.get(a) == self.get(b) && self.weights(a) == self.weights(b)
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

/// The sum for elements with their counts: that of the set where all counts are 1.
fn sum_of_counted<'a>(pairs: impl Iterator<Item = (&'a u64, &'a u32)>) -> u64 {
    pairs.fold(0, |sum: u64, (&element, &count)| {
        sum.wrapping_add(if count == 1 { element } else { hash_occurrence(element, count.into()) })
    })
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
        Self { elements, hashes, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    impl ElementSets {
        /// Makes sets of elements with their counts; those of an element that is named twice are added.
        pub(crate) fn of_counted<I: IntoIterator<Item = (u64, u32)>>(sets: impl IntoIterator<Item = I>) -> Self {
            let mut counted = Self { weights: Some(Array::default()), ..Self::default() };
            for set in sets {
                let mut terms = BTreeMap::new();
                let counts = set.into_iter().filter(|&(_, count)| count > 0);
                counts.for_each(|(element, count)| *terms.entry(element).or_insert(0) += count);
                let fill = |elements: &mut Vec<u64>, counts: &mut Vec<u32>| {
                    elements.extend(terms.keys());
                    counts.extend(terms.values());
                    Ok(())
                };
                counted.push_counted_with(fill).unwrap();
            }
            counted
        }
    }

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
        let one = ElementSets::of_one(Array::Owned(elements.clone()), None).unwrap();
        assert_eq!((one.get(DocId(0)), one.hashes()), (whole.get(DocId(0)), whole.hashes()));
        assert_eq!(ElementSets::of_one(Array::default(), None).unwrap().hashes(), ElementSets::from([vec![]]).hashes());
        for place in [1, 4096, 19_999] {
            let mut repeated = elements.clone();
            repeated[place] = repeated[place - 1];
            assert!(matches!(ElementSets::of_one(Array::Owned(repeated), None), Err(Error::UnsortedSet)), "{place}");
        }
    }

    #[test]
    fn counts_belong_to_the_set_and_to_its_hash() {
        let counted = |terms: &[(u64, u32)]| ElementSets::of_counted([terms.to_vec()]);
        let one = counted(&[(7, 2), (3, 1), (7, 1), (9, 0)]);
        let first = one.weighted(DocId(0));
        assert_eq!(first.iter().collect::<Vec<_>>(), [(3, 1), (7, 3)]);
        assert_eq!(first.squared_norm(), 10);
        assert_ne!(one.hashes(), counted(&[(3, 3), (7, 1)]).hashes());
        assert_eq!(counted(&[(3, 1), (7, 1)]).hashes(), ElementSets::from([vec![3, 7]]).hashes());
        let elements = Array::Owned(vec![3, 7]);
        let counts = Array::Owned(vec![1, 3]);
        assert_eq!(ElementSets::of_one(elements.clone(), Some(counts)).unwrap().hashes(), one.hashes());
        assert!(matches!(ElementSets::of_one(elements, Some(Array::default())), Err(Error::Weights { .. })));
    }

    #[test]
    fn sets_without_counts_have_counts_of_one_among_others() {
        let mut sets = ElementSets::from([vec![1, 2]]);
        sets.push_from(&ElementSets::of_counted([[(5, 4)]]), DocId(0)).unwrap();
        sets.push_from(&ElementSets::from([vec![8, 9]]), DocId(0)).unwrap();
        let all: Vec<Vec<_>> = DocId::all(3).map(|document| sets.weighted(document).iter().collect()).collect();
        assert_eq!(all, [vec![(1, 1), (2, 1)], vec![(5, 4)], vec![(8, 1), (9, 1)]]);
    }
}

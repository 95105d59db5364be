//! The exact near-duplicates of a sample of documents, by one pass over all sets: the ground truth for the recall of a
//! method.
//!
//! The prefix elements of the sampled documents fit a table in the cache, in which the elements of all other sets are
//! looked up. The prefix filter (Bayardo, Ma, Srikant 2007) ends the scan of a set early and yields candidates, which
//! are verified. The filter is correct under any order of the elements; here *crowded* elements, those of many sampled
//! documents, such as boilerplate, come last, and the others are ordered by hash:
//!
//! ```text
//! set                      e1 B e2 e3 B B e4 e5 ...        B: crowded
//! in the order             e1 e2 e3 e4 e5 ... B B B
//! prefix, one of which     e1 e2 e3                        the scan ends after e3
//! a partner must share
//! ```
//!
//! A bit map before the table rules out nearly all elements that are in no sampled prefix.

use super::{VerifiedPair, Verifier};
use crate::base::{DocId, random_sample};
use crate::documents::{ElementSet, ElementSets};
use crate::keys::{Bounds, VisitMarks};
use crate::similarity::{CandidatePair, DocumentBlock};
use hashbrown::HashTable;
use std::ops::Range;

/// A random sample of documents, with an inverted index of their prefix elements.
#[derive(Debug, Clone)]
pub struct Sample<'a> {
    verifier: Verifier<'a>,
    sets: &'a ElementSets,
    documents: Vec<DocId>,
    /// A bit map by the upper bits of the elements in `entries`.
    present: Vec<u64>,
    shift: u32,
    entries: HashTable<SampledElement>,
    /// Indices into `documents`, entry by entry.
    owners: Vec<u32>,
}

/// An element that is crowded or in the prefix of a sampled document.
#[derive(Debug, Clone)]
struct SampledElement {
    element: u64,
    is_crowded: bool,
    /// The range of [`Sample::owners`] with the sampled documents whose prefix contains the element.
    owners: Range<u32>,
}

/// Reusable buffers for [`Sample::near`]; create them once per thread.
pub struct SampleBuffers<'a> {
    marks: VisitMarks,
    /// Indices into [`Sample`]'s documents.
    candidates: Vec<u32>,
    crowded: Vec<Range<u32>>,
    /// The sampled documents.
    block: Box<dyn DocumentBlock + 'a>,
    near: Vec<CandidatePair>,
}

/// Bits of the bit map per entry.
const BITS_PER_ELEMENT: usize = 16;
/// Cost of a refused candidate, in elements of a complete intersection of equal duration; typical.
const REFUSED_ELEMENTS: usize = 100;
/// Points of one word that are compared in the time of an element of a complete intersection.
const POINTS_PER_ELEMENT: usize = 32;
/// Elements of all sampled documents together at most, unless the first has more: an element takes some 70 bytes while
/// the index is made. Five hundred documents of a thousand words are not cut by it.
const MAX_ELEMENTS: usize = 500_000;
/// An element is crowded if more than one sampled document, and more than 1 / `CROWD` of them, contain it.
const CROWD: usize = 64;

impl<'a> Sample<'a> {
    /// Draws a sample of `size` of the documents, or all if there are fewer; a function of documents and seed. Of long
    /// documents it has fewer, so that it has 500,000 elements at most, or one document.
    pub fn draw(verifier: Verifier<'a>, documents: &[DocId], size: usize, seed: u64) -> Self {
        let sets = verifier.sets();
        let mut elements = 0;
        let fits = |&document: &DocId| {
            let is_first = elements == 0;
            elements += sets.size(document);
            is_first || elements <= MAX_ELEMENTS
        };
        let mut drawn: Vec<DocId> = random_sample(documents, size, seed).take_while(fits).collect();
        drawn.sort_unstable();
        Self::new(drawn, verifier)
    }

    /// Builds the index of the given sample.
    fn new(documents: Vec<DocId>, verifier: Verifier<'a>) -> Self {
        let sets = verifier.sets();
        let measure = verifier.measure();
        let all_sets = || documents.iter().map(|&document| sets.get(document));
        let mut elements: Vec<u64> = all_sets().flat_map(ElementSet::elements).copied().collect();
        elements.sort_unstable();
        let max_owners = (documents.len() / CROWD).max(1);
        let crowded: Vec<u64> =
            elements.chunk_by(u64::eq).filter(|copies| copies.len() > max_owners).map(|copies| copies[0]).collect();
        let is_crowded = |element: &u64| crowded.binary_search(element).is_ok();
        // Crowded elements are entered even if they are in no prefix.
        let mut prefixes: Vec<(u64, Option<u32>)> = crowded.iter().map(|&element| (element, None)).collect();
        for (set, number) in all_sets().zip(0..) {
            let (last, first): (Vec<u64>, Vec<u64>) = set.iter().partition(|element| is_crowded(element));
            let prefix = first.into_iter().chain(last).take(measure.common_prefix_length(set.len()));
            prefixes.extend(prefix.map(|element| (element, Some(number))));
        }
        prefixes.sort_unstable();
        let bits = (prefixes.len() * BITS_PER_ELEMENT).next_power_of_two().max(64);
        let shift = 64 - bits.trailing_zeros();
        let mut present = vec![0u64; bits / 64];
        let mut owners = Vec::new();
        let mut entries = HashTable::with_capacity(prefixes.len());
        for occurrences in prefixes.chunk_by(|a, b| a.0 == b.0) {
            let element = occurrences[0].0;
            let start = owners.len() as u32;
            owners.extend(occurrences.iter().filter_map(|&(_, owner)| owner));
            let bit = element >> shift;
            present[(bit / 64) as usize] |= 1 << (bit % 64);
            let entry =
                SampledElement { element, is_crowded: is_crowded(&element), owners: start..owners.len() as u32 };
            entries.insert_unique(element, entry, |entry| entry.element);
        }
        Self { verifier, sets, documents, present, shift, entries, owners }
    }

    /// Number of sampled documents.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Returns whether the sample is empty.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Buffers for [`Sample::near`].
    pub fn buffers(&self) -> SampleBuffers<'a> {
        let mut block = self.verifier.block();
        block.fill(&self.documents);
        SampleBuffers {
            marks: VisitMarks::new(self.len()),
            candidates: Vec::new(),
            crowded: Vec::new(),
            block,
            near: Vec::new(),
        }
    }

    /// The entry of an element, if it is crowded or in a sampled prefix.
    fn entry(&self, element: u64) -> Option<&SampledElement> {
        let bit = element >> self.shift;
        if self.present[(bit / 64) as usize] >> (bit % 64) & 1 == 0 {
            return None;
        }
        self.entries.find(element, |entry| entry.element == element)
    }

    /// Finds the sampled documents whose prefix shares an element with the prefix of `document`, in ascending order.
    fn find_candidates(&self, document: DocId, buffers: &mut SampleBuffers<'_>) {
        let SampleBuffers { marks, candidates, crowded, .. } = buffers;
        marks.clear();
        candidates.clear();
        if self.verifier.measure().is_of_points() {
            // Points that are near share no element; all are compared, which takes a nanosecond or some ten each.
            candidates.extend(0..self.documents.len() as u32);
            return;
        }
        crowded.clear();
        let mut add = |owners: &Range<u32>| {
            let owners = &self.owners[owners.start as usize..owners.end as usize];
            candidates.extend(owners.iter().filter(|&&owner| marks.mark(owner)));
        };
        let set = self.sets.get(document);
        let mut left = self.verifier.measure().common_prefix_length(set.len());
        for &element in set.elements() {
            if left == 0 {
                break;
            }
            match self.entry(element) {
                Some(entry) if entry.is_crowded => {
                    crowded.push(entry.owners.clone());
                    continue;
                }
                Some(entry) => add(&entry.owners),
                None => {}
            }
            left -= 1;
        }
        crowded.iter().take(left).for_each(add);
        candidates.sort_unstable();
    }

    /// Estimated number of elements that [`Sample::near`] compares in verification.
    pub fn work(&self, document: DocId, buffers: &mut SampleBuffers<'_>) -> usize {
        if self.verifier.measure().is_of_points() {
            return self.documents.len() * self.sets.size(document) / POINTS_PER_ELEMENT;
        }
        self.find_candidates(document, buffers);
        let verify =
            |&owner: &u32| self.verifier.verify(CandidatePair { a: document, b: self.documents[owner as usize] });
        let both = |pair: VerifiedPair| self.sets.size(pair.a) + self.sets.size(pair.b);
        buffers.candidates.iter().map(|owner| verify(owner).map_or(REFUSED_ELEMENTS, both)).sum()
    }

    /// Appends the near documents of several documents, of which those that are vectors are compared in blocks; in
    /// another order.
    pub fn near_all(&self, documents: &[DocId], buffers: &mut SampleBuffers<'_>, mut visit: impl FnMut(VerifiedPair)) {
        if !self.verifier.measure().is_of_vectors() {
            return documents.iter().for_each(|&document| self.near(document, buffers, &mut visit));
        }
        buffers.block.find_near(documents, &mut buffers.near);
        buffers.near.drain(..).filter_map(|pair| self.verifier.verify(pair)).for_each(visit);
    }

    /// Calls `visit` with `document` as `a` and each sampled near-duplicate other than itself as `b`, in ascending
    /// order.
    pub fn near(&self, document: DocId, buffers: &mut SampleBuffers<'_>, visit: impl FnMut(VerifiedPair)) {
        self.find_candidates(document, buffers);
        let candidates = buffers.candidates.iter().map(|&owner| self.documents[owner as usize]);
        let others = candidates.filter(|&other| other != document);
        others.filter_map(|other| self.verifier.verify(CandidatePair { a: document, b: other })).for_each(visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::mix64;
    use crate::comparison::Measure;
    use crate::kernel::Kernel;
    use crate::similarity::Overlap;
    use proptest::prelude::{prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn near_documents_are_those_of_brute_force(
            sets in proptest::collection::vec(proptest::collection::btree_set(0u64..40, 0..15), 1..30),
            size in 0usize..30, percent in 10u32..=100,
        ) {
            let sets: ElementSets = sets.into_iter().map(|set| set.into_iter().map(mix64).collect()).collect();
            let measure = Measure::jaccard((f64::from(percent) / 100.0).try_into().unwrap());
            let Measure::Jaccard(jaccard) = measure else { unreachable!() };
            let all: Vec<DocId> = DocId::all(sets.len()).collect();
            let space = measure.space(&sets, Kernel::detect());
            let sample = Sample::draw(space.verifier(), &all, size, 7);
            prop_assert_eq!(sample.len(), size.min(sets.len()));
            let mut buffers = sample.buffers();
            for &document in &all {
                let mut found = Vec::new();
                sample.near(document, &mut buffers, |pair| found.push((pair.b, pair.found.overlap().unwrap())));
                let mut expected = Vec::new();
                for &other in sample.documents.iter().filter(|&&other| other != document) {
                    let overlap = Overlap::new(sets.get(document), sets.get(other));
                    if overlap.common > 0 && jaccard.threshold.is_reached_by(overlap.common, overlap.union()) {
                        expected.push((other, overlap));
                    }
                }
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn of_long_documents_fewer_are_drawn() {
        let measure = Measure::jaccard(0.8.try_into().unwrap());
        for (documents, elements, expected) in [(100, 10_000, 50), (3, 300_000, 1), (2, 600_000, 1), (3, 0, 3)] {
            let sets: ElementSets = (0..documents).map(|_| (0..elements).map(mix64).collect()).collect();
            let all: Vec<DocId> = DocId::all(sets.len()).collect();
            let space = measure.space(&sets, Kernel::detect());
            let sample = Sample::draw(space.verifier(), &all, 500, 7);
            assert_eq!(sample.len(), expected, "{documents} documents of {elements} elements");
        }
    }
}

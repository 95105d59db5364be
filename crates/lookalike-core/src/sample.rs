//! The exact near-duplicates of a few documents, by one pass over all sets: the truth that a method is measured against.
//!
//! The elements of the sampled documents are few enough for a table in the cache. Every set is looked up in it, and the
//! overlaps with all sampled documents are counted at once. A bit map in front answers for the elements that no sampled
//! document has, which are nearly all.

use crate::document::DocId;
use crate::hash::{SplitMix64, mix64};
use crate::shingle_sets::ShingleSets;
use crate::similarity::Overlap;
use crate::threshold::Threshold;
use hashbrown::HashTable;

/// Documents that were drawn, and their elements.
#[derive(Debug, Clone)]
pub struct Sample<'a> {
    sets: &'a ShingleSets,
    documents: Vec<DocId>,
    /// One bit for each value of the upper bits of an element.
    present: Vec<u64>,
    shift: u32,
    /// Element, and where its owners begin and end.
    table: HashTable<(u64, u32, u32)>,
    /// Numbers of sampled documents.
    owners: Vec<u32>,
}

/// Counters of the common elements with each sampled document; one a thread.
#[derive(Debug, Clone)]
pub struct SampleCounts {
    common: Vec<u32>,
    touched: Vec<u32>,
}

const BITS_PER_ELEMENT: usize = 16;

impl<'a> Sample<'a> {
    /// Draws `size` of the documents; the same ones for the same seed.
    pub fn draw(sets: &'a ShingleSets, documents: &[DocId], size: usize, seed: u64) -> Self {
        let salt = SplitMix64::new(seed).next_u64();
        let mut ranked: Vec<(u64, DocId)> = documents.iter().map(|&d| (mix64(u64::from(d.0) ^ salt), d)).collect();
        if size < ranked.len() {
            ranked.select_nth_unstable(size);
            ranked.truncate(size);
        }
        let mut drawn: Vec<DocId> = ranked.into_iter().map(|(_, document)| document).collect();
        drawn.sort_unstable();
        Self::of(sets, drawn)
    }

    fn of(sets: &'a ShingleSets, documents: Vec<DocId>) -> Self {
        let with_number = documents.iter().zip(0u32..);
        let mut elements: Vec<(u64, u32)> =
            with_number.flat_map(|(&document, number)| sets.get(document).iter().map(move |&e| (e, number))).collect();
        elements.sort_unstable();
        let bits = (elements.len() * BITS_PER_ELEMENT).next_power_of_two().max(64);
        let shift = 64 - bits.trailing_zeros();
        let mut present = vec![0u64; bits / 64];
        let mut table = HashTable::with_capacity(elements.len());
        let mut start = 0;
        for run in elements.chunk_by(|a, b| a.0 == b.0) {
            let (element, end) = (run[0].0, start + run.len() as u32);
            let bit = element >> shift;
            present[(bit / 64) as usize] |= 1 << (bit % 64);
            table.insert_unique(element, (element, start, end), |&(element, ..)| element);
            start = end;
        }
        let owners = elements.into_iter().map(|(_, number)| number).collect();
        Self { sets, documents, present, shift, table, owners }
    }

    /// Number of sampled documents.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether nothing was sampled.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Counters for [`Sample::near`].
    pub fn counts(&self) -> SampleCounts {
        SampleCounts { common: vec![0; self.len()], touched: Vec::new() }
    }

    /// Number of common elements of a document with all sampled ones: what [`Sample::near`] would have to count.
    pub fn shared_elements(&self, document: DocId) -> u64 {
        let owners = |&element: &u64| self.owners_of(element).len() as u64;
        self.sets.get(document).iter().map(owners).sum()
    }

    /// Numbers of the sampled documents that have an element.
    fn owners_of(&self, element: u64) -> &[u32] {
        let bit = element >> self.shift;
        if self.present[(bit / 64) as usize] >> (bit % 64) & 1 == 0 {
            return &[];
        }
        let found = self.table.find(element, |&(other, ..)| other == element);
        found.map_or(&[], |&(_, start, end)| &self.owners[start as usize..end as usize])
    }

    /// Calls `visit` with each sampled document, other than `document`, that it is a near-duplicate of.
    pub fn near(
        &self,
        document: DocId,
        threshold: Threshold,
        counts: &mut SampleCounts,
        mut visit: impl FnMut(DocId, Overlap),
    ) {
        let set = self.sets.get(document);
        for &element in set {
            for &owner in self.owners_of(element) {
                let common = &mut counts.common[owner as usize];
                if *common == 0 {
                    counts.touched.push(owner);
                }
                *common += 1;
            }
        }
        counts.touched.sort_unstable();
        for owner in counts.touched.drain(..) {
            let common = std::mem::take(&mut counts.common[owner as usize]) as usize;
            let other = self.documents[owner as usize];
            let overlap = Overlap { common, left: set.len(), right: self.sets.get(other).len() };
            if other != document && threshold.reached_by(common, overlap.union()) {
                visit(other, overlap);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn near_documents_are_those_of_brute_force(
            sets in proptest::collection::vec(proptest::collection::btree_set(0u64..40, 0..15), 1..30),
            size in 0usize..30, percent in 10u32..=100,
        ) {
            let sets: ShingleSets = sets.into_iter().map(|set| set.into_iter().map(mix64).collect()).collect();
            let threshold = Threshold::try_from(f64::from(percent) / 100.0).unwrap();
            let all: Vec<DocId> = DocId::all(sets.len()).collect();
            let sample = Sample::draw(&sets, &all, size, 7);
            prop_assert_eq!(sample.len(), size.min(sets.len()));
            let mut counts = sample.counts();
            for &document in &all {
                let mut found = Vec::new();
                sample.near(document, threshold, &mut counts, |other, overlap| found.push((other, overlap)));
                let mut expected = Vec::new();
                for &other in sample.documents.iter().filter(|&&other| other != document) {
                    let overlap = Overlap::of(sets.get(document), sets.get(other));
                    if overlap.common > 0 && threshold.reached_by(overlap.common, overlap.union()) {
                        expected.push((other, overlap));
                    }
                }
                prop_assert_eq!(found, expected);
            }
        }
    }
}

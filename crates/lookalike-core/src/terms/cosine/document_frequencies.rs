//! Numbers of documents in which each term occurs, and the weight that follows from it.
//!
//! ```text
//! idf(term) = ln((1 + N) / (1 + df)) + 1      N documents, of which df have the term
//! weight    = count x round(1024 idf)
//! ```
//!
//! The logarithms are those of integers, computed bit by bit: they are the same on every machine. A term that no
//! document had has df = 0 and so the largest weight; one that all have keeps a weight of 1024 for each occurrence.

use crate::base::{Array, Error, Result, prefix_sums};
use crate::documents::WeightedSet;

/// Numbers of documents by term, over all documents of a job.
#[derive(Debug, Clone, Default)]
pub struct DocumentFrequencies {
    documents: u64,
    /// Strictly ascending.
    terms: Array<u64>,
    counts: Array<u32>,
    /// One entry for each value of the upper bits of a term: the place where those terms begin.
    starts: Vec<u64>,
    shift: u32,
    /// One entry for each number of documents of a term: its inverse frequency. Only of small numbers, which most terms
    /// have.
    idfs: Vec<u32>,
}

/// Units of a weight for 1.
const UNITS: u64 = 1024;
/// ln 2 in units of 2^-32.
const LN_2: u64 = 2_977_044_472;
/// Maximum number of documents of a term whose inverse frequency is computed once.
const MAX_KNOWN: u64 = 1 << 16;
/// Terms that share their upper bits, about: few enough for one search.
const TERMS_PER_START: usize = 8;

impl DocumentFrequencies {
    /// The frequencies of strictly ascending `terms` over `documents` documents.
    ///
    /// # Errors
    /// [`Error::DocumentFrequencies`] unless the terms strictly ascend and each has a count from 1 to `documents`.
    pub fn new(documents: u64, terms: Array<u64>, counts: Array<u32>) -> Result<Self> {
        let bits = (terms.len() / TERMS_PER_START).max(2).ilog2();
        let shift = 64 - bits;
        let mut starts = vec![0u64; (1 << bits) + 1];
        let mut last = None;
        for &term in terms.chunks().flatten() {
            if last.replace(term).is_some_and(|last| last >= term) {
                return Err(Error::DocumentFrequencies);
            }
            starts[(term >> shift) as usize + 1] += 1;
        }
        let is_possible = |&count: &u32| (1..=documents).contains(&u64::from(count));
        if counts.len() != terms.len() || !counts.chunks().flatten().all(is_possible) {
            return Err(Error::DocumentFrequencies);
        }
        prefix_sums(&mut starts);
        let idfs = (0..=documents.min(MAX_KNOWN)).map(|count| idf_of(documents, count) as u32).collect();
        Ok(Self { documents, terms, counts, starts, shift, idfs })
    }

    /// Number of documents.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Returns all terms, strictly ascending.
    pub fn terms(&self) -> &Array<u64> {
        &self.terms
    }

    /// The number of documents that have each term, in the order of the terms.
    pub fn counts(&self) -> &Array<u32> {
        &self.counts
    }

    /// Number of documents that have a term.
    pub fn count(&self, term: u64) -> u32 {
        let bucket = (term >> self.shift) as usize;
        let (Some(&start), Some(&end)) = (self.starts.get(bucket), self.starts.get(bucket + 1)) else { return 0 };
        let terms = self.terms.slice(start as usize..end as usize);
        terms
            .binary_search(&term)
            .map_or(0, |found| self.counts.slice(start as usize + found..start as usize + found + 1)[0])
    }

    /// The inverse document frequency of a term in units of 1 / 1024, rounded to the nearest.
    pub fn idf(&self, term: u64) -> u64 {
        let count = self.count(term);
        self.idfs.get(count as usize).map_or_else(|| idf_of(self.documents, count.into()), |&idf| idf.into())
    }

    /// The weight of a term that a document has `count` times.
    pub fn weight(&self, term: u64, count: u32) -> u64 {
        u64::from(count) * self.idf(term)
    }
}

/// The inverse document frequency of a term that `count` of `documents` documents have.
fn idf_of(documents: u64, count: u64) -> u64 {
    let ratio = log2(1 + documents) - log2(1 + count);
    let logarithm = u128::from(UNITS) * u128::from(LN_2) * u128::from(ratio);
    UNITS + ((logarithm + (1 << 63)) >> 64) as u64
}

/// The binary logarithm of a number of at least 1 in units of 2^-32, rounded down: each squaring gives the next bit.
fn log2(number: u64) -> u64 {
    let whole = number.max(1).ilog2();
    // The mantissa, from 1 to 2, in units of 2^-63.
    let mut mantissa = u128::from(number.max(1) << (63 - whole));
    let mut logarithm = u64::from(whole);
    for _ in 0..32 {
        mantissa = (mantissa * mantissa) >> 63;
        let bit = mantissa >> 64;
        mantissa >>= bit;
        logarithm = (logarithm << 1) | bit as u64;
    }
    logarithm
}

/// Appends the weight of each term of a document, its count or by `frequencies` that times its inverse document
/// frequency, and returns the sum of their squares. `None` if a weight exceeds 32 bits or the sum 64.
pub fn weigh(
    counted: WeightedSet<'_>,
    frequencies: Option<&DocumentFrequencies>,
    weights: &mut Vec<u32>,
) -> Option<u64> {
    counted.iter().try_fold(0u64, |sum, (term, count)| {
        let weight = frequencies.map_or(Some(count), |frequencies| frequencies.weight(term, count).try_into().ok())?;
        weights.push(weight);
        sum.checked_add(u64::from(weight).pow(2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use std::collections::BTreeMap;

    fn frequencies(documents: u64, counts: &BTreeMap<u64, u32>) -> Result<DocumentFrequencies> {
        let (terms, counts) = counts.iter().map(|(&term, &count)| (term, count)).unzip();
        DocumentFrequencies::new(documents, Array::Owned(terms), Array::Owned(counts))
    }

    proptest! {
        #[test]
        fn weights_follow_the_formula(documents in 1u64..1 << 40, count in 1u32..) {
            let count = u64::from(count).min(documents) as u32;
            let found = frequencies(documents, &BTreeMap::from([(7, count)])).unwrap();
            for (term, count) in [(7, count), (8, 0)] {
                let idf = ((1 + documents) as f64 / (1.0 + f64::from(count))).ln() + 1.0;
                prop_assert!((found.idf(term) as f64 - 1024.0 * idf).abs() <= 0.5 + 1e-3, "{idf}");
                prop_assert_eq!(found.weight(term, 3), 3 * found.idf(term));
            }
        }

        #[test]
        fn each_term_has_its_count(counts in proptest::collection::btree_map(0u64.., 1u32..100, 0..200)) {
            let found = frequencies(100, &counts).unwrap();
            for (&term, &count) in &counts {
                prop_assert_eq!(found.count(term), count);
                let beside = counts.get(&(term ^ 1)).copied().unwrap_or(0);
                prop_assert_eq!(found.count(term ^ 1), beside);
            }
        }
    }

    #[test]
    fn what_no_corpus_has_is_refused() {
        for (terms, counts) in [(vec![2, 1], vec![1, 1]), (vec![1], vec![0]), (vec![1], vec![4]), (vec![1], vec![])] {
            let found = DocumentFrequencies::new(3, Array::Owned(terms), Array::Owned(counts));
            assert!(matches!(found, Err(Error::DocumentFrequencies)));
        }
        assert_eq!(frequencies(0, &BTreeMap::new()).unwrap().idf(5), 1024);
    }
}

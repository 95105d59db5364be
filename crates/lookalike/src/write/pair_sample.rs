//! A sample of pairs for people to look at: of each hundredth of similarity those with the smallest hashes of their
//! numbers, so that it is the same for any number of threads.

use crate::decide::SimilarityBins;
use lookalike_core::DocId;
use lookalike_core::hash::mix64;
use lookalike_core::rule::Reason;
use std::collections::BinaryHeap;

/// Pairs of a hundredth of similarity that are kept.
const PAIRS_OF_BIN: usize = 20;

/// A pair of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SampledPair {
    pub(crate) documents: [DocId; 2],
    pub(crate) similarity: f64,
    pub(crate) reason: Reason,
}

/// Some of the pairs that were offered, and how many of all have which similarity.
#[derive(Debug)]
pub(crate) struct PairSample {
    counts: SimilarityBins,
    /// By bin: the smallest hashes, with the numbers of their pairs.
    smallest: Vec<BinaryHeap<(u64, usize)>>,
    pairs: Vec<SampledPair>,
}

impl PairSample {
    pub(crate) fn new() -> Self {
        let smallest = (0..SimilarityBins::BINS).map(|_| BinaryHeap::new()).collect();
        Self { counts: SimilarityBins::default(), smallest, pairs: Vec::new() }
    }

    pub(crate) fn offer(&mut self, pair: SampledPair) {
        let Self { counts, smallest, pairs } = self;
        let bin = SimilarityBins::bin_of(pair.similarity);
        counts.add(pair.similarity);
        let [a, b] = pair.documents.map(|document| u64::from(document.0));
        let hash = mix64(a << 32 | b);
        let heap = &mut smallest[bin];
        if heap.len() < PAIRS_OF_BIN {
            heap.push((hash, pairs.len()));
            pairs.push(pair);
        } else if let Some(mut largest) = heap.peek_mut().filter(|largest| hash < largest.0) {
            pairs[largest.1] = pair;
            largest.0 = hash;
        }
    }

    /// How many of all have which similarity.
    pub(crate) fn counts(&self) -> &SimilarityBins {
        &self.counts
    }

    /// The pairs of the sample, the least similar first; of equal ones by their documents.
    pub(crate) fn into_pairs(self) -> Vec<SampledPair> {
        let mut pairs = self.pairs;
        pairs.sort_by(|a, b| a.similarity.total_cmp(&b.similarity).then(a.documents.cmp(&b.documents)));
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_depends_on_the_pairs_alone() {
        let pair = |number: u32| SampledPair {
            documents: [DocId(number), DocId(number + 1)],
            similarity: 0.8 + f64::from(number % 7) / 100.0,
            reason: Reason::Near,
        };
        let sample = |numbers: &mut dyn Iterator<Item = u32>| {
            let mut sample = PairSample::new();
            numbers.for_each(|number| sample.offer(pair(number)));
            (sample.counts().total(), sample.into_pairs())
        };
        let (count, pairs) = sample(&mut (0..1000));
        assert_eq!((count, pairs.len()), (1000, 7 * PAIRS_OF_BIN));
        assert_eq!(sample(&mut (0..1000).rev()).1, pairs);
        assert!(pairs.is_sorted_by_key(|pair| pair.similarity));
    }
}

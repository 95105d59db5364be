//! Numbers of pairs and candidates by similarity.
//!
//! All pairs are counted when they are listed. Candidates that the exact check has refused are too many for that: their
//! check ends as soon as the threshold is out of reach, and their similarity is never known. A sample of them gets it:
//! those with the smallest hashes of their numbers, which are the same for any number of threads.

use lookalike_core::DocId;
use lookalike_core::comparison::Verifier;
use lookalike_core::hash::{SplitMix64, mix64};
use lookalike_core::similarity::CandidatePair;
use serde::{Deserialize, Serialize};
use std::collections::{BinaryHeap, HashSet};

/// Maximum number of refused candidates whose similarity is computed.
const MAX_SAMPLED: usize = 1 << 14;
/// Number of pairs that are drawn from all.
const MAX_DRAWN: usize = 1 << 14;

/// Counts by similarity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimilarityBins(Vec<u64>);

impl SimilarityBins {
    /// Number of bins: each is a hundredth wide and holds its lower end, the last one also 1.
    pub const BINS: usize = 100;

    /// The counts, from similarity 0 to 1.
    pub fn counts(&self) -> &[u64] {
        &self.0
    }

    /// Number of all.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts a similarity.
    pub(crate) fn add(&mut self, similarity: f64) {
        self.0[Self::bin_of(similarity)] += 1;
    }

    /// The number of the bin of a similarity; larger ones than 1 are in the last one.
    pub(crate) fn bin_of(similarity: f64) -> usize {
        // 0.57 * 100 is less than 57. Similarities are fractions of sizes: none is so near below the end of a bin.
        const ROUNDING: f64 = 1e-9;
        let bin = (similarity * Self::BINS as f64 + ROUNDING) as usize;
        bin.min(Self::BINS - 1)
    }
}

impl Default for SimilarityBins {
    fn default() -> Self {
        Self(vec![0; Self::BINS])
    }
}

/// The candidates of a search that the exact check has refused.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedCandidates {
    /// Their number.
    pub count: u64,
    /// The similarities of all, or of a sample.
    pub sampled: SimilarityBins,
}

impl RefusedCandidates {
    /// The estimated number of refused candidates in a bin; exact if all were sampled.
    pub fn estimated(&self, bin: usize) -> f64 {
        let sampled = self.sampled.total().max(1);
        let of_bin = self.sampled.counts().get(bin).copied().unwrap_or(0);
        of_bin as f64 * self.count as f64 / sampled as f64
    }

    /// Returns whether the counts are estimates.
    pub(crate) fn are_estimated(&self) -> bool {
        self.sampled.total() < self.count
    }
}

/// Treatment of refused candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Forgotten.
    Forgotten,
    /// Counted by similarity, on a sample.
    Sampled,
}

/// Counts of a search by similarity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram {
    /// Pairs that are listed, those of documents with equal features included.
    pub pairs: SimilarityBins,
    /// The candidates that are no pairs. Documents with equal features are one candidate together.
    pub refused: RefusedCandidates,
}

/// The candidates with the smallest hashes among those that were offered.
#[derive(Debug, Default)]
pub(super) struct RefusedSample {
    count: u64,
    smallest: BinaryHeap<(u64, [DocId; 2])>,
}

impl RefusedSample {
    /// The hash that a candidate must not exceed to be taken.
    pub(super) fn max_hash(&self) -> u64 {
        let is_full = self.smallest.len() == MAX_SAMPLED;
        self.smallest.peek().filter(|_| is_full).map_or(u64::MAX, |(hash, _)| *hash)
    }

    /// Counts a candidate, and takes it if its hash is small enough here and at most `max_hash`.
    pub(super) fn offer(&mut self, pair: [DocId; 2], max_hash: u64) {
        self.count += 1;
        let hash = mix64(u64::from(pair[0].0) << 32 | u64::from(pair[1].0));
        if hash <= max_hash {
            self.take(hash, pair);
        }
    }

    fn take(&mut self, hash: u64, pair: [DocId; 2]) {
        if hash < self.max_hash() {
            if self.smallest.len() == MAX_SAMPLED {
                self.smallest.pop();
            }
            self.smallest.push((hash, pair));
        }
    }

    /// Adds the candidates of another part of the search.
    pub(super) fn merge(&mut self, other: Self) {
        self.count += other.count;
        other.smallest.into_iter().for_each(|(hash, pair)| self.take(hash, pair));
    }

    /// Computes the similarities of the sample.
    pub(super) fn finish(self, verifier: &Verifier<'_>) -> RefusedCandidates {
        let mut sampled = SimilarityBins::default();
        for (_, [a, b]) in self.smallest {
            sampled.add(verifier.similarity_of(a, b));
        }
        RefusedCandidates { count: self.count, sampled }
    }
}

/// The pairs below the threshold, `count` in all, where all wanted pairs of `documents` were compared and most of them
/// never verified: all, if they are few, or a sample that is drawn without regard to their similarity.
pub(super) fn sample_of_all(
    count: u64,
    documents: &[DocId],
    is_wanted: impl Fn(DocId, DocId) -> bool,
    verifier: &Verifier<'_>,
) -> RefusedCandidates {
    let mut sampled = SimilarityBins::default();
    let mut add = |[a, b]: [DocId; 2]| {
        let pair = CandidatePair { a: a.min(b), b: a.max(b) };
        if is_wanted(a, b) && verifier.verify(pair).is_none() {
            sampled.add(verifier.similarity_of(a, b));
        }
    };
    let ranks = documents.len() as u64;
    if ranks * ranks.saturating_sub(1) / 2 <= MAX_DRAWN as u64 {
        let earlier = |(rank, &b): (usize, &DocId)| documents[..rank].iter().map(move |&a| [a, b]);
        documents.iter().enumerate().flat_map(earlier).for_each(add);
        return RefusedCandidates { count, sampled };
    }
    let mut random = SplitMix64::new(count);
    let mut drawn = HashSet::new();
    for _ in 0..MAX_DRAWN {
        let [a, b] = [(); 2].map(|()| documents[random.next_below(ranks) as usize]);
        if a != b && drawn.insert([a.min(b), a.max(b)]) {
            add([a, b]);
        }
    }
    RefusedCandidates { count, sampled }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarities_are_counted_from_the_lower_end_of_their_bin_on() {
        let mut bins = SimilarityBins::default();
        for hundredth in 0..=100 {
            bins.add(f64::from(hundredth) / 100.0);
        }
        assert!(bins.counts()[..99].iter().all(|&count| count == 1) && bins.counts()[99] == 2);
        bins.add(0.579_999);
        assert_eq!((bins.counts()[57], bins.total()), (2, 102));
    }

    #[test]
    fn sample_does_not_depend_on_the_order_or_the_parts() {
        let pairs = || (0..200u32).flat_map(|a| (0..200u32).map(move |b| [DocId(a), DocId(b)]));
        let mut whole = RefusedSample::default();
        pairs().for_each(|pair| whole.offer(pair, u64::MAX));
        let mut merged = RefusedSample::default();
        let all: Vec<_> = pairs().collect();
        for part in all.rchunks(7_001) {
            let mut sample = RefusedSample::default();
            let max_hash = merged.max_hash();
            part.iter().for_each(|&pair| sample.offer(pair, max_hash));
            merged.merge(sample);
        }
        assert_eq!((whole.count, merged.count), (40_000, 40_000));
        assert_eq!(whole.smallest.into_sorted_vec(), merged.smallest.into_sorted_vec());
    }

    #[test]
    fn sampled_counts_are_scaled_to_all() {
        let mut refused = RefusedCandidates { count: 8, ..RefusedCandidates::default() };
        refused.sampled.add(0.5);
        refused.sampled.add(0.7);
        assert_eq!((refused.estimated(50), refused.estimated(70), refused.estimated(60)), (4.0, 4.0, 0.0));
        assert!(refused.are_estimated());
        assert_eq!(RefusedCandidates::default().estimated(1), 0.0);
    }
}

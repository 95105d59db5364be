//! Some of many pairs: the most similar ones, and a sample for people to look at: the least similar ones, and of each
//! similarity those with the smallest hashes of their numbers, so that it is the same for any number of threads.

use super::found_pairs::FoundPair;
use crate::decide::SimilarityBins;
use lookalike_core::DocId;
use lookalike_core::hash::mix64;
use lookalike_core::rule::Reason;
use lookalike_core::similarity::Figure;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// A pair of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SampledPair {
    pub(crate) documents: [DocId; 2],
    /// Similarity, or the number of common elements where a measure counts these.
    pub(crate) similarity: f64,
    pub(crate) reason: Reason,
}

impl From<FoundPair> for SampledPair {
    fn from(pair: FoundPair) -> Self {
        Self { documents: [pair.a, pair.b], similarity: pair.verified.similarity, reason: pair.reason }
    }
}

/// The values with the smallest keys of all that were offered, at most `max`. No two keys are equal.
#[derive(Debug)]
struct Smallest<K, V> {
    max: usize,
    values: BTreeMap<K, V>,
}

impl<K: Ord, V> Smallest<K, V> {
    fn new(max: usize) -> Self {
        Self { max, values: BTreeMap::new() }
    }

    fn offer(&mut self, key: K, value: V) {
        if self.values.len() < self.max {
            self.values.insert(key, value);
        } else if let Some(largest) = self.values.last_entry()
            && key < *largest.key()
        {
            largest.remove();
            self.values.insert(key, value);
        }
    }
}

/// The most similar of the pairs that were offered; of equally similar ones the first in input order.
pub(super) struct MostSimilar(Smallest<(Reverse<u64>, DocId, DocId), FoundPair>);

impl MostSimilar {
    /// The `limit` most similar of no pairs yet.
    pub(super) fn new(limit: NonZeroUsize) -> Self {
        Self(Smallest::new(limit.get()))
    }

    pub(super) fn offer(&mut self, pair: FoundPair) {
        self.0.offer((Reverse(in_order(pair.verified.similarity)), pair.a, pair.b), pair);
    }

    /// The pairs, the most similar first.
    pub(super) fn into_sorted(self) -> Vec<FoundPair> {
        self.0.values.into_values().collect()
    }
}

/// Some of the pairs that were offered, and how many of all have which similarity.
#[derive(Debug)]
pub(crate) struct PairSample {
    figure: Figure,
    counts: SimilarityBins,
    /// Smallest hashes, by bin.
    by_bin: Vec<Smallest<u64, SampledPair>>,
    /// Pairs with the smallest similarities, texts that are equal byte for byte not counted.
    nearest: Smallest<(u64, u64), SampledPair>,
}

/// A number that has the order of similarities, which are below 0 if they are distances.
fn in_order(similarity: f64) -> u64 {
    let bits = similarity.to_bits();
    if similarity.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

/// The bin of a distance, a quarter of a doubling wide.
fn bin_of_distance(distance: f64) -> usize {
    let middle = (SimilarityBins::BINS / 2) as f64;
    ((middle + 4.0 * distance.log2()) as usize).min(SimilarityBins::BINS - 1)
}

impl PairSample {
    /// Pairs of a bin that are kept: a hundredth of similarity, or a quarter of a doubling of common elements or of a
    /// distance. Texts that are equal byte for byte have a bin of their own.
    pub(crate) const PAIRS_OF_BIN: usize = 20;
    /// Pairs that are kept because they are the least similar ones.
    pub(crate) const NEAREST: usize = 20;

    pub(crate) fn new(figure: Figure) -> Self {
        let by_bin = (0..=SimilarityBins::BINS).map(|_| Smallest::new(Self::PAIRS_OF_BIN)).collect();
        Self { figure, counts: SimilarityBins::default(), by_bin, nearest: Smallest::new(Self::NEAREST) }
    }

    pub(crate) fn offer(&mut self, pair: SampledPair) {
        self.counts.add(pair.similarity);
        let bin = match (pair.reason, self.figure) {
            (Reason::Identical, _) => SimilarityBins::BINS,
            (_, Figure::VectorDistance(_)) => bin_of_distance(-pair.similarity),
            (_, Figure::Common) => ((4.0 * pair.similarity.max(1.0).log2()) as usize).min(SimilarityBins::BINS - 1),
            (_, Figure::Similarity | Figure::Containment) => SimilarityBins::bin_of(pair.similarity),
            (_, Figure::Distance { .. } | Figure::EstimatedSimilarity) => SimilarityBins::bin_of(pair.similarity),
        };
        let [a, b] = pair.documents.map(|document| u64::from(document.0));
        let hash = mix64(a << 32 | b);
        self.by_bin[bin].offer(hash, pair);
        if pair.reason != Reason::Identical {
            self.nearest.offer((in_order(pair.similarity), hash), pair);
        }
    }

    /// Numbers of all pairs by similarity.
    pub(crate) fn counts(&self) -> &SimilarityBins {
        &self.counts
    }

    /// The pairs of the sample, the least similar first; of equal ones by their hashes.
    pub(crate) fn into_pairs(self) -> Vec<SampledPair> {
        let of_bins = self.by_bin.into_iter().flat_map(|bin| bin.values);
        let of_bins = of_bins.map(|(hash, pair)| ((in_order(pair.similarity), hash), pair));
        let mut pairs: Vec<_> = of_bins.chain(self.nearest.values).collect();
        pairs.sort_by_key(|&(key, _)| key);
        pairs.dedup_by_key(|(_, pair)| pair.documents);
        pairs.into_iter().map(|(_, pair)| pair).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::hash::SplitMix64;
    use lookalike_io::rows::Verified;

    fn pair(number: u32, similarity: f64) -> SampledPair {
        SampledPair { documents: [DocId(number), DocId(number + 1)], similarity, reason: Reason::Near }
    }

    fn sampled(figure: Figure, pairs: impl Iterator<Item = SampledPair>) -> Vec<SampledPair> {
        let mut sample = PairSample::new(figure);
        pairs.for_each(|pair| sample.offer(pair));
        sample.into_pairs()
    }

    #[test]
    fn the_sample_depends_on_the_pairs_alone() {
        let all = |number| pair(number, 0.8 + f64::from(number % 7) / 100.0);
        let pairs = sampled(Figure::Similarity, (0..1000).map(all));
        // The least similar ones are among those of their bin.
        assert_eq!(pairs.len(), 7 * PairSample::PAIRS_OF_BIN);
        assert_eq!(sampled(Figure::Similarity, (0..1000).rev().map(all)), pairs);
        assert!(pairs.is_sorted_by_key(|pair| pair.similarity));
    }

    #[test]
    fn the_least_similar_pairs_are_there() {
        let all: Vec<SampledPair> =
            (0..5000u32).map(|n| pair(n, 0.8 + f64::from(n * 7919 % 5000) / 25_000.0)).collect();
        let mut sorted = all.clone();
        sorted.sort_by(|a, b| a.similarity.total_cmp(&b.similarity));
        let found = sampled(Figure::Similarity, all.into_iter());
        assert_eq!(found[..PairSample::NEAREST], sorted[..PairSample::NEAREST]);
    }

    #[test]
    fn copies_do_not_take_the_places_of_others() {
        let identical = |number| SampledPair { reason: Reason::Identical, ..pair(number, 1.0) };
        let near = (1000..1005).map(|number| pair(number, 0.999));
        let found = sampled(Figure::Similarity, (0..500).map(identical).chain(near));
        assert_eq!(found.iter().filter(|pair| pair.reason == Reason::Near).count(), 5);
    }

    #[test]
    fn numbers_of_common_elements_are_spread() {
        let found = sampled(Figure::Common, (0..5000).map(|number| pair(number, f64::from(number + 26))));
        assert!(found.len() > 8 * PairSample::PAIRS_OF_BIN, "{}", found.len());
    }

    #[test]
    fn the_list_is_the_beginning_of_all_pairs_sorted() {
        let mut random = SplitMix64::new(7);
        for limit in [1, 2, 10, 300, 1000] {
            let mut pairs: Vec<_> = (0..300)
                .map(|number| FoundPair {
                    a: DocId(number / 7),
                    b: DocId(1000 + number),
                    // Few values, so that many pairs are equally similar.
                    verified: Verified::from_similarity(0.5 + random.next_below(5) as f64 / 10.0),
                    reason: Reason::Near,
                })
                .collect();
            let mut list = MostSimilar::new(NonZeroUsize::new(limit).unwrap());
            pairs.iter().for_each(|&pair| list.offer(pair));
            // A stable sort: pairs were made in input order.
            pairs.sort_by(|one, other| other.verified.similarity.total_cmp(&one.verified.similarity));
            pairs.truncate(limit);
            assert_eq!(list.into_sorted(), pairs);
        }
    }
}

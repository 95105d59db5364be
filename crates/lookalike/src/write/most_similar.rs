//! The most similar of many pairs, where a reader wants to see some and not all.

use super::found_pairs::FoundPair;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::num::NonZeroUsize;

/// The most similar of the pairs that were offered; of equally similar ones the first in input order. It never holds
/// more than one pair above its limit.
pub(super) struct MostSimilar {
    limit: NonZeroUsize,
    /// The last of them on top.
    pairs: BinaryHeap<Listed>,
}

impl MostSimilar {
    /// The `limit` most similar of no pairs yet.
    pub(super) fn new(limit: NonZeroUsize) -> Self {
        Self { limit, pairs: BinaryHeap::new() }
    }

    /// Takes a pair into account.
    pub(super) fn offer(&mut self, pair: FoundPair) {
        self.pairs.push(Listed(pair));
        if self.pairs.len() > self.limit.get() {
            self.pairs.pop();
        }
    }

    /// The pairs, the most similar first.
    pub(super) fn into_sorted(self) -> Vec<FoundPair> {
        self.pairs.into_sorted_vec().into_iter().map(|Listed(pair)| pair).collect()
    }
}

/// A pair in the order of the list: the less similar pair is the greater one.
struct Listed(FoundPair);

impl Ord for Listed {
    fn cmp(&self, other: &Self) -> Ordering {
        let Self(pair) = self;
        let Self(other) = other;
        let similarity = |pair: &FoundPair| pair.verified.similarity;
        similarity(other).total_cmp(&similarity(pair)).then_with(|| (pair.a, pair.b).cmp(&(other.a, other.b)))
    }
}

impl PartialOrd for Listed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Listed {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Listed {}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::DocId;
    use lookalike_core::hash::SplitMix64;
    use lookalike_core::rule::Reason;
    use lookalike_io::rows::Verified;

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

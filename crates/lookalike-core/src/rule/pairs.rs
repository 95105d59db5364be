//! Decisions from a complete list of verified pairs, from any source: a join, a file, another engine.

use super::{Cluster, Decision, Reason};
use crate::base::DocId;

/// The rank of each document in `order`, by document; 0 for documents not in `order`.
pub fn ranks(order: &[DocId], documents: usize) -> Vec<u32> {
    let mut rank = vec![0; documents];
    for (document, place) in order.iter().zip(0..) {
        rank[document.index()] = place;
    }
    rank
}

/// A pair of near-duplicates from any source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatedPair {
    /// One document.
    pub a: DocId,
    /// The other document.
    pub b: DocId,
    /// Similarity of the pair: higher is closer.
    pub similarity: f64,
    /// Reason of the pair; [`Reason::Near`] unless their features are known to be equal.
    pub reason: Reason,
}

/// Decides by the keepers rule: in `order`, a document is removed if and only if it is in a pair with an earlier
/// keeper, the most similar of which is named as kept in its place, and of several the first. Documents with equal
/// features share what is kept in their place.
///
/// `order` contains each of `documents` documents once. Pairs come in any order and orientation.
///
/// ```
/// use lookalike_core::{DocId, rule::{Decision, RatedPair, Reason, decide_by_pairs}};
///
/// let order: Vec<DocId> = DocId::all(3).collect();
/// let near = |a, b, similarity| RatedPair { a: DocId(a), b: DocId(b), similarity, reason: Reason::Near };
/// let decisions = decide_by_pairs(3, &order, [near(1, 2, 0.9), near(0, 1, 0.8)]);
/// assert!(decisions[0].is_kept() && decisions[2].is_kept());
/// assert!(matches!(decisions[1], Decision::Removed { kept: DocId(0), .. }));
/// ```
pub fn decide_by_pairs(documents: usize, order: &[DocId], pairs: impl IntoIterator<Item = RatedPair>) -> Vec<Decision> {
    let rank = ranks(order, documents);
    let later_first = |pair: RatedPair| {
        let RatedPair { a, b, .. } = pair;
        if rank[b.index()] < rank[a.index()] { pair } else { RatedPair { a: b, b: a, ..pair } }
    };
    let mut pairs: Vec<RatedPair> = pairs.into_iter().map(later_first).collect();
    pairs.sort_unstable_by_key(|pair| (rank[pair.a.index()], rank[pair.b.index()]));
    let mut decisions = vec![Decision::Kept; documents];
    for candidates in pairs.chunk_by(|left, right| left.a == right.a) {
        let equal = candidates.iter().find(|pair| pair.reason != Reason::Near);
        if let Some(&RatedPair { a: document, b: first, similarity, .. }) = equal {
            decisions[document.index()] = decisions[first.index()].for_equal(first, similarity);
            continue;
        }
        let kept = candidates.iter().filter(|pair| decisions[pair.b.index()].is_kept());
        let decision = kept.fold(Decision::Kept, |decision, pair| decision.with_near(pair.b, pair.similarity));
        decisions[candidates[0].a.index()] = decision;
    }
    decisions
}

/// Keeps the first document in `order` of each cluster and removes the others. `similarity` returns the similarity of a
/// removed and its kept document; the reason is always [`Reason::Near`].
pub fn decide_by_clusters(
    documents: usize,
    order: &[DocId],
    clusters: &[Cluster],
    similarity: impl Fn(DocId, DocId) -> f64,
) -> Vec<Decision> {
    let rank = ranks(order, documents);
    let mut decisions = vec![Decision::Kept; documents];
    for cluster in clusters {
        let Some(&kept) = cluster.members.iter().min_by_key(|member| rank[member.index()]) else { continue };
        for &member in cluster.members.iter().filter(|&&member| member != kept) {
            let similarity = similarity(member, kept);
            decisions[member.index()] = Decision::Removed { kept, similarity, reason: Reason::Near };
        }
    }
    decisions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::clusters;
    use proptest::prelude::{prop_assert_eq, proptest};

    /// The keepers rule by its definition: of each document, the most similar of the keepers before it, the first of
    /// several.
    fn by_definition(order: &[DocId], similarity: impl Fn(DocId, DocId) -> Option<u8>) -> Vec<Option<DocId>> {
        let mut kept: Vec<DocId> = Vec::new();
        let mut witnesses = vec![None; order.len()];
        for &document in order {
            let alike = kept.iter().filter(|&&keeper| similarity(document, keeper).is_some());
            // `max_by_key` takes the last of equal maxima.
            let witness = alike.rev().max_by_key(|&&keeper| similarity(document, keeper)).copied();
            witnesses[document.index()] = witness;
            if witness.is_none() {
                kept.push(document);
            }
        }
        witnesses
    }

    proptest! {
        #[test]
        fn pairs_in_any_order_decide_by_the_definition(
            pairs in proptest::collection::btree_map((0u32..20, 0u32..20), 6u8..10, 0..60),
            turn in 0usize..20,
        ) {
            let mut order: Vec<DocId> = DocId::all(20).collect();
            order.rotate_left(turn);
            order[..10].reverse();
            let pairs = pairs.into_iter().filter(|((a, b), _)| a < b);
            let pairs: Vec<(DocId, DocId, u8)> = pairs.map(|((a, b), tenths)| (DocId(a), DocId(b), tenths)).collect();
            let similarity = |a: DocId, b: DocId| {
                pairs.iter().find(|&&(x, y, _)| (x, y) == (a, b) || (x, y) == (b, a)).map(|&(.., tenths)| tenths)
            };
            let witness = |decision: Decision| match decision {
                Decision::Removed { kept, .. } => Some(kept),
                Decision::Kept => None,
            };
            let rows = pairs.iter().rev().map(|&(a, b, tenths)| RatedPair {
                a,
                b,
                similarity: f64::from(tenths) / 10.0,
                reason: Reason::Near,
            });
            let decisions = decide_by_pairs(20, &order, rows);
            let witnesses: Vec<_> = decisions.into_iter().map(witness).collect();
            prop_assert_eq!(witnesses, by_definition(&order, similarity));
        }
    }

    #[test]
    fn the_first_of_each_cluster_stays() {
        let order: Vec<DocId> = DocId::all(4).collect::<Vec<_>>().into_iter().rev().collect();
        let found = clusters(4, [(DocId(0), DocId(1)), (DocId(1), DocId(3))]);
        let decisions = decide_by_clusters(4, &order, &found, |a, b| f64::from(a.0 + b.0));
        let removed = |similarity| Decision::Removed { kept: DocId(3), similarity, reason: Reason::Near };
        assert_eq!(decisions, [removed(3.0), removed(4.0), Decision::Kept, Decision::Kept]);
    }
}

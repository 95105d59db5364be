//! The order of documents by falling size, as far as saved containments tell it: the whole comes before its parts.
//!
//! With c common elements, the shares are c / |A| and c / |B|, so their quotient is |B| / |A|. That compares each
//! document with those it is paired with, and these with each other; the keepers rule asks for no more. Documents of
//! equal size stand in the given order.

use lookalike_core::DocId;
use lookalike_core::rule::ranks;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Maximum difference of quotients of the same two sizes by rounding, as a share. Those of others differ by more.
const ROUNDING: f64 = 1e-12;

/// Two documents, and how large the second is in sizes of the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct SizedPair {
    pub(super) documents: [DocId; 2],
    pub(super) ratio: f64,
}

impl SizedPair {
    /// The pair with these shares of each document in the other.
    pub(super) fn new(documents: [DocId; 2], [of_first, of_second]: [f64; 2]) -> Self {
        Self { documents, ratio: of_first / of_second }
    }
}

/// The documents by falling size, those of equal size in `order`.
pub(super) fn by_falling_size(pairs: &[SizedPair], order: &[DocId]) -> Vec<DocId> {
    let rank = ranks(order, order.len());
    // A document, the size of another one in sizes of it, and that one: both by rank.
    let mut neighbours: Vec<(u32, f64, u32)> = Vec::with_capacity(2 * pairs.len() + order.len());
    for &SizedPair { documents, ratio } in pairs {
        let [a, b] = documents.map(|document| rank[document.index()]);
        neighbours.extend([(a, ratio, b), (b, 1.0 / ratio, a)]);
    }
    neighbours.extend((0..order.len() as u32).map(|document| (document, 1.0, document)));
    neighbours.sort_unstable_by(|left, right| left.0.cmp(&right.0).then(right.1.total_cmp(&left.1)));
    let mut earlier = Vec::with_capacity(neighbours.len());
    for around in neighbours.chunk_by_mut(|left, right| left.0 == right.0) {
        for same_size in around.chunk_by_mut(|left, right| right.1 >= left.1 * (1.0 - ROUNDING)) {
            same_size.sort_unstable_by_key(|&(.., neighbour)| neighbour);
        }
        earlier.extend(around.windows(2).map(|pair| (DocId(pair[0].2), DocId(pair[1].2))));
    }
    sorted(order.len(), earlier).into_iter().map(|place| order[place.index()]).collect()
}

/// Topological order (Kahn 1962): of the documents that nothing must come before any more, always the lowest number.
pub(super) fn sorted(documents: usize, mut order: Vec<(DocId, DocId)>) -> Vec<DocId> {
    order.sort_unstable();
    let mut waiting_for = vec![0u32; documents];
    order.iter().for_each(|(_, later)| waiting_for[later.index()] += 1);
    let is_free = |document: &DocId| waiting_for[document.index()] == 0;
    let mut free: BinaryHeap<Reverse<DocId>> = DocId::all(documents).filter(is_free).map(Reverse).collect();
    let mut sorted = Vec::with_capacity(documents);
    while let Some(Reverse(document)) = free.pop() {
        sorted.push(document);
        let first = order.partition_point(|&(earlier, _)| earlier < document);
        for (_, later) in order[first..].iter().take_while(|&&(earlier, _)| earlier == document) {
            waiting_for[later.index()] -= 1;
            if waiting_for[later.index()] == 0 {
                free.push(Reverse(*later));
            }
        }
    }
    sorted.extend(DocId::all(documents).filter(|document| waiting_for[document.index()] > 0));
    sorted
}

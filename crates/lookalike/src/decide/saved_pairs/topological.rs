//! An order of documents that agrees with what is known of pairs of them.

use lookalike_core::DocId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

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

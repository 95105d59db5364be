//! Clusters: the connected components of the verified pairs.

use super::UnionFind;
use crate::base::{DocId, Ragged};

/// A connected component of the verified pairs, of two or more documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// The members in input order.
    pub members: Vec<DocId>,
}

/// The clusters of documents 0 to `documents` - 1, ordered by their first member. Pairs may come in any order and
/// repeat.
///
/// A chain of near-duplicates connects any two members of a cluster; the two themselves may be dissimilar.
pub fn clusters(documents: usize, pairs: impl IntoIterator<Item = (DocId, DocId)>) -> Vec<Cluster> {
    let mut sets = UnionFind::new(documents);
    for (a, b) in pairs {
        sets.union(a, b);
    }
    let roots: Vec<DocId> = DocId::all(documents).map(|document| sets.find(document)).collect();
    drop(sets);
    // The root is the first member, so components come in the order of their first members.
    let components = Ragged::group(documents, roots.iter().map(|root| root.index()).zip(DocId::all(documents)));
    let clusters = components.iter().filter(|members| members.len() > 1);
    clusters.map(|members| Cluster { members: members.to_vec() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};

    /// Breadth-first search from each document that no earlier search has reached.
    fn components_by_search(documents: usize, pairs: &[(u32, u32)]) -> Vec<Vec<DocId>> {
        let mut seen = vec![false; documents];
        let mut components = Vec::new();
        for start in 0..documents {
            let mut queue = vec![start];
            let mut at = 0;
            while !seen[start] && at < queue.len() {
                let here = queue[at] as u32;
                at += 1;
                let neighbours = pairs.iter().filter_map(|&(a, b)| match here {
                    _ if a == here => Some(b as usize),
                    _ if b == here => Some(a as usize),
                    _ => None,
                });
                let unseen: Vec<usize> = neighbours.filter(|neighbour| !seen[*neighbour]).collect();
                queue.extend(
                    unseen.into_iter().filter(|&next| next != start && !std::mem::replace(&mut seen[next], true)),
                );
            }
            if queue.len() > 1 && !std::mem::replace(&mut seen[start], true) {
                queue.sort_unstable();
                components.push(queue.into_iter().map(|index| DocId(index as u32)).collect());
            }
        }
        components
    }

    proptest! {
        #[test]
        fn components_equal_breadth_first_search(pairs in proptest::collection::vec((0u32..30, 0u32..30), 0..40)) {
            let found = clusters(30, pairs.iter().map(|&(a, b)| (DocId(a), DocId(b))));
            let found: Vec<Vec<DocId>> = found.into_iter().map(|cluster| cluster.members).collect();
            prop_assert_eq!(found, components_by_search(30, &pairs));
        }
    }
}

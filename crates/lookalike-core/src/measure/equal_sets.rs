//! Documents with equal sets, grouped before anything else.
//!
//! A million identical pages are one page a million times: only the first goes on to the join, and the cost stays linear.
//! Groups are found by a hash of the set and then compared element by element, so no hash decides alone.

use crate::features::ElementSets;
use crate::ground::DocId;
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};

/// What happens to documents without any element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EmptyPolicy {
    /// An empty document is a duplicate of nothing.
    #[default]
    Keep,
    /// All empty documents are equal.
    Duplicate,
}

/// Groups of documents with equal sets, each under its first document in a given order.
#[derive(Debug, Clone)]
pub struct EqualSets {
    /// By document: the representative of its group.
    representative: Vec<DocId>,
    /// Representatives in the given order.
    representatives: Vec<DocId>,
}

impl EqualSets {
    /// Groups the documents named by `order` (each document once). The first of a group in that order represents it.
    pub fn group(sets: &ElementSets, order: impl IntoIterator<Item = DocId>, empty: EmptyPolicy) -> Self {
        // As large as it can get: to grow it would look up the hashes of all documents again.
        let mut table: HashTable<DocId> = HashTable::with_capacity(sets.len());
        let mut representative: Vec<DocId> = DocId::all(sets.len()).collect();
        let mut representatives = Vec::new();
        for document in order {
            if sets.size(document) == 0 && empty == EmptyPolicy::Keep {
                representatives.push(document);
                continue;
            }
            let hash = sets.hash(document);
            let same = |&other: &DocId| sets.hash(other) == hash && sets.get(other) == sets.get(document);
            let entry = table.entry(hash, same, |&other| sets.hash(other)).or_insert(document);
            let first = *entry.get();
            representative[document.index()] = first;
            if first == document {
                representatives.push(document);
            }
        }
        Self { representative, representatives }
    }

    /// The document that stands for all with the same set.
    pub fn representative(&self, document: DocId) -> DocId {
        self.representative[document.index()]
    }

    /// Whether a document stands for its group.
    pub fn is_representative(&self, document: DocId) -> bool {
        self.representative(document) == document
    }

    /// The documents that stand for their group, in the order that was given.
    pub fn representatives(&self) -> &[DocId] {
        &self.representatives
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.representative.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.representative.is_empty()
    }

    /// Members of each group in input order, found by its representative.
    pub fn members(&self) -> Members {
        let mut ends = vec![0u32; self.len() + 1];
        for &first in &self.representative {
            ends[first.index() + 1] += 1;
        }
        for index in 1..ends.len() {
            ends[index] += ends[index - 1];
        }
        let mut next = ends.clone();
        let mut documents = vec![DocId(0); self.len()];
        for (document, first) in DocId::all(self.len()).zip(&self.representative) {
            documents[next[first.index()] as usize] = document;
            next[first.index()] += 1;
        }
        Members { ends, documents }
    }
}

/// The members of every group.
#[derive(Debug, Clone)]
pub struct Members {
    ends: Vec<u32>,
    documents: Vec<DocId>,
}

impl Members {
    /// The documents of the group that `representative` stands for, in input order; none if it stands for no group.
    pub fn of(&self, representative: DocId) -> &[DocId] {
        let index = representative.index();
        &self.documents[self.ends[index] as usize..self.ends[index + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: impl IntoIterator<Item = u32>) -> Vec<DocId> {
        numbers.into_iter().map(DocId).collect()
    }

    #[test]
    fn equal_sets_share_the_first_in_order() {
        let sets = ElementSets::from([vec![1, 2], vec![3], vec![2, 1], vec![], vec![3], vec![]]);
        let groups = EqualSets::group(&sets, ids([5, 4, 3, 2, 1, 0]), EmptyPolicy::Keep);
        assert_eq!(groups.representatives(), ids([5, 4, 3, 2]));
        assert_eq!(ids(0..6).iter().map(|&d| groups.representative(d)).collect::<Vec<_>>(), ids([2, 4, 2, 3, 4, 5]));
        assert_eq!(groups.members().of(DocId(2)), ids([0, 2]));
        assert_eq!(groups.members().of(DocId(0)), []);
    }

    #[test]
    fn empty_documents_are_equal_only_on_request() {
        let sets = ElementSets::from([vec![], vec![1], vec![]]);
        let groups = EqualSets::group(&sets, ids(0..3), EmptyPolicy::Duplicate);
        assert_eq!(groups.representatives(), ids([0, 1]));
        assert_eq!(groups.representative(DocId(2)), DocId(0));
    }
}

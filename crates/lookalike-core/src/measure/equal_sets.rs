//! Groups of documents with equal sets, formed before candidates are searched.
//!
//! Of a group, only a representative takes part in the join, so a million identical pages cost linear instead of
//! quadratic time. Sets with equal hashes are compared element by element, so that hash collisions cannot join
//! different sets.

use crate::features::ElementSets;
use crate::ground::{DocId, Ragged};
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};

/// Whether documents without elements are duplicates. Stored in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EmptyPolicy {
    /// An empty document has no duplicates.
    #[default]
    Keep,
    /// All empty documents are duplicates of each other.
    Duplicate,
}

/// Groups of documents with equal sets. The first document of a group in a given order represents it.
#[derive(Debug, Clone)]
pub struct EqualSets {
    /// The representative of the group of each document, by document.
    representative: Vec<DocId>,
    /// Representatives in the given order.
    representatives: Vec<DocId>,
}

impl EqualSets {
    /// Groups the documents of `order`, which contains each document once. The first of a group in that order
    /// represents it.
    pub fn group(sets: &ElementSets, order: impl IntoIterator<Item = DocId>, empty: EmptyPolicy) -> Self {
        // Allocated for the maximum size: growing would read the hashes of all documents again.
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

    /// The representative of the group of `document`.
    pub fn representative(&self, document: DocId) -> DocId {
        self.representative[document.index()]
    }

    /// Whether a document represents its group.
    pub fn is_representative(&self, document: DocId) -> bool {
        self.representative(document) == document
    }

    /// The representatives of all groups, in the given order.
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

    /// The members of each group in input order, by the index of the representative; no members for a document that
    /// represents no group.
    pub fn members(&self) -> Ragged<DocId> {
        let first_of = |document: DocId| self.representative(document).index();
        Ragged::group(self.len(), DocId::all(self.len()).map(|document| (first_of(document), document)))
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
        assert_eq!(groups.members().get(2), ids([0, 2]));
        assert_eq!(groups.members().get(0), []);
    }

    #[test]
    fn empty_documents_are_equal_only_on_request() {
        let sets = ElementSets::from([vec![], vec![1], vec![]]);
        let groups = EqualSets::group(&sets, ids(0..3), EmptyPolicy::Duplicate);
        assert_eq!(groups.representatives(), ids([0, 1]));
        assert_eq!(groups.representative(DocId(2)), DocId(0));
    }
}

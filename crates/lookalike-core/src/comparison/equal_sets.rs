//! Groups of documents with equal sets, formed before candidates are searched.
//!
//! Of a group, only a representative takes part in the join, so a million identical pages cost linear instead of
//! quadratic time. Sets with equal hashes are compared element by element, so that hash collisions cannot join
//! different sets.
//!
//! Documents without elements are alike only if their texts are equal byte for byte, which their text hashes tell.
//!
//! The hash of a set is a sum, so sets can be made whose hashes collide. After a few of them the others go to a second
//! table, by a hash that depends on the salt of the caller.

use super::Measure;
use crate::base::hash::hash_sequence;
use crate::base::{DocId, Ragged};
use crate::documents::{ElementSets, TextHash};
use crate::similarity::EmptyPolicy;
use hashbrown::HashTable;

/// Groups of documents with equal sets. The first document of a group in a given order represents it.
#[derive(Debug, Clone)]
pub struct EqualSets {
    /// The representative of the group of each document, by document; [`Self::OUTSIDE`] for one that is in no group.
    representative: Vec<DocId>,
    /// Representatives in the given order.
    representatives: Vec<DocId>,
}

/// Different sets with one hash in the first table.
const MAX_COLLISIONS: usize = 8;

/// The first document of each group, by the set.
struct FirstOfGroups<'a> {
    sets: &'a ElementSets,
    salt: u64,
    /// Documents by the hash of the set; at most [`MAX_COLLISIONS`] different sets have the same.
    by_hash: HashTable<DocId>,
    /// The others, by their salted hash.
    by_salted_hash: HashTable<DocId>,
    /// Documents without elements, by the hash of the text.
    by_text: HashTable<(TextHash, DocId)>,
}

impl<'a> FirstOfGroups<'a> {
    fn new(sets: &'a ElementSets, salt: u64) -> Self {
        // Allocated for the maximum size: growing would read the hashes of all documents again.
        let by_hash = HashTable::with_capacity(sets.len());
        Self { sets, salt, by_hash, by_salted_hash: HashTable::new(), by_text: HashTable::new() }
    }

    /// The first document with the set of `document`, which is itself if there was none.
    fn first(&mut self, document: DocId) -> DocId {
        let Self { sets, salt, .. } = *self;
        let hash = sets.hash(document);
        let mut collisions = 0;
        let same = |&other: &DocId| {
            let is_same_hash = sets.hash(other) == hash;
            let is_same = is_same_hash && sets.are_equal(other, document);
            collisions += usize::from(is_same_hash && !is_same);
            is_same
        };
        if let Some(&first) = self.by_hash.find(hash, same) {
            return first;
        }
        if collisions < MAX_COLLISIONS {
            self.by_hash.insert_unique(hash, document, |&other| sets.hash(other));
            return document;
        }
        let salted = |&document: &DocId| {
            let counts = sets.weights(document).iter().map(|&count| u64::from(count));
            hash_sequence(salt, sets.get(document).iter().copied().chain(counts))
        };
        let same = |&other: &DocId| sets.are_equal(other, document);
        *self.by_salted_hash.entry(salted(&document), same, salted).or_insert(document).get()
    }

    /// The first document without elements that has this text.
    fn first_with_text(&mut self, document: DocId, text: TextHash) -> DocId {
        let salt = self.salt;
        let same = |&(other, _): &(TextHash, DocId)| other.is_same(text);
        let entry = self.by_text.entry(text.salted(salt), same, |(other, _)| other.salted(salt));
        entry.or_insert((text, document)).get().1
    }
}

impl EqualSets {
    /// Stands for the representative of a document that is not grouped.
    const OUTSIDE: DocId = DocId(u32::MAX);

    /// Groups the documents of `order`, which contains a document once at most. The first of a group in that order
    /// represents it. A document that is not in `order` is in no group and represents none. Equal sets that are too
    /// small for near-duplicates by `measure` stay apart. `text` gives the text hash of a document; it is asked about
    /// those without elements. The result does not depend on `salt`; a random one keeps the time linear for crafted
    /// sets, too.
    pub fn group(
        sets: &ElementSets,
        order: impl IntoIterator<Item = DocId>,
        text: impl Fn(DocId) -> TextHash,
        measure: Measure,
        salt: u64,
    ) -> Self {
        let mut groups = FirstOfGroups::new(sets, salt);
        let mut representative = vec![Self::OUTSIDE; sets.len()];
        let mut representatives = Vec::new();
        for document in order {
            let size = sets.size(document);
            let first = if size > 0 {
                if measure.is_reached_by_equals(size) { groups.first(document) } else { document }
            } else {
                let text = text(document);
                let is_alone =
                    text == TextHash::UNKNOWN || (text.is_of_nothing() && measure.empty() == EmptyPolicy::Keep);
                if is_alone { document } else { groups.first_with_text(document, text) }
            };
            representative[document.index()] = first;
            if first == document {
                representatives.push(document);
            }
        }
        Self { representative, representatives }
    }

    /// The representative of the group of `document`; the document itself if it is in no group.
    pub fn representative(&self, document: DocId) -> DocId {
        match self.representative[document.index()] {
            Self::OUTSIDE => document,
            representative => representative,
        }
    }

    /// Returns whether a document represents its group.
    pub fn is_representative(&self, document: DocId) -> bool {
        self.representative[document.index()] == document
    }

    /// The representatives of all groups, in the given order.
    pub fn representatives(&self) -> &[DocId] {
        &self.representatives
    }

    /// Takes a document that represents no other out of its group, into one of its own.
    pub fn separate(&mut self, document: DocId) {
        if !self.is_representative(document) {
            self.representative[document.index()] = document;
            self.representatives.push(document);
        }
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.representative.len()
    }

    /// Returns whether there are no documents.
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
    use crate::sets::{CommonElements, Jaccard};
    use crate::similarity::Threshold;

    fn ids(numbers: impl IntoIterator<Item = u32>) -> Vec<DocId> {
        numbers.into_iter().map(DocId).collect()
    }

    #[test]
    fn equal_sets_share_the_first_in_order() {
        let sets = ElementSets::from([vec![1, 2], vec![3], vec![2, 1], vec![], vec![3], vec![]]);
        let groups = EqualSets::group(&sets, ids([5, 4, 3, 2, 1, 0]), |_| TextHash::UNKNOWN, Measure::default(), 1);
        assert_eq!(groups.representatives(), ids([5, 4, 3, 2]));
        assert_eq!(ids(0..6).iter().map(|&d| groups.representative(d)).collect::<Vec<_>>(), ids([2, 4, 2, 3, 4, 5]));
        assert_eq!(groups.members().get(2), ids([0, 2]));
        let some = EqualSets::group(&sets, ids([2, 4]), |_| TextHash::UNKNOWN, Measure::default(), 1);
        assert_eq!(some.representatives(), ids([2, 4]));
        assert!(!some.is_representative(DocId(0)) && some.representative(DocId(0)) == DocId(0));
        assert_eq!(groups.members().get(0), []);
    }

    #[test]
    fn documents_without_elements_are_alike_by_their_texts() {
        let texts = ["", "!!", "", "{};", "!!"].map(|text| TextHash::new(text, 0));
        let sets: ElementSets = std::iter::repeat_n(vec![], 6).collect();
        let with = |empty| Measure::Jaccard(Jaccard { threshold: Threshold::default(), empty });
        let text = |document: DocId| texts.get(document.index()).copied().unwrap_or_default();
        let first = |empty| {
            let groups = EqualSets::group(&sets, ids(0..6), text, with(empty), 1);
            ids(0..6).iter().map(|&document| groups.representative(document)).collect::<Vec<_>>()
        };
        assert_eq!(first(EmptyPolicy::Keep), ids([0, 1, 2, 3, 1, 5]));
        assert_eq!(first(EmptyPolicy::Duplicate), ids([0, 1, 0, 3, 1, 5]));
    }

    #[test]
    fn equal_sets_with_too_few_elements_stay_apart() {
        let sets = ElementSets::from([vec![1, 2], vec![3], vec![1, 2], vec![3]]);
        let measure = Measure::Overlap(CommonElements { min_common: 2, empty: EmptyPolicy::Keep });
        let groups = EqualSets::group(&sets, ids(0..4), |_| TextHash::UNKNOWN, measure, 1);
        assert_eq!(groups.representatives(), ids([0, 1, 3]));
    }

    /// Pairs of elements with one sum, each pair twice: their hashes are all equal.
    #[test]
    fn sets_whose_hashes_collide_are_grouped_in_linear_time() {
        let sum = u64::MAX / 2;
        let pair = |number: u64| vec![number, sum - number];
        let sets: ElementSets = (1..20_000).flat_map(|number| [pair(number), pair(number)]).collect();
        assert!(sets.hashes().iter().all(|&hash| hash == sets.hashes()[0]));
        // Not in linear time, this would take 20,000^2 comparisons of sets.
        for salt in [0, 77] {
            let groups =
                EqualSets::group(&sets, DocId::all(sets.len()), |_| TextHash::UNKNOWN, Measure::default(), salt);
            let expected = |document: DocId| DocId(document.0 / 2 * 2);
            assert!(DocId::all(sets.len()).all(|document| groups.representative(document) == expected(document)));
        }
    }
}

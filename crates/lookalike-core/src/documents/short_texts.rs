//! Short texts inside others, for containment.
//!
//! A text of m tokens, fewer than the n of a shingle, has one shingle of all its tokens. No other text has that one,
//! because its shingles have n tokens. So for containment a short text is looked up among the runs of m tokens of all
//! texts: where it stands inside another one as a whole, it is contained in it.

use super::ElementSets;
use crate::base::hash::mix64;
use crate::base::{Array, DocId, Ragged};
use hashbrown::HashTable;

/// The elements of sets of one element, which may be those of short texts.
#[derive(Debug, Clone)]
pub struct LoneElements {
    elements: HashTable<u64>,
    /// A bit map by hash before the table.
    filter: Vec<u64>,
}

/// Bits of the map per element.
const BITS_PER_ELEMENT: usize = 16;

impl LoneElements {
    /// Collects the given documents that have one element.
    pub fn new(sets: &ElementSets, documents: impl Iterator<Item = DocId>) -> Self {
        let lone = documents.filter(|&document| sets.size(document) == 1);
        let all: Vec<u64> = lone.filter_map(|document| sets.get(document).first().copied()).collect();
        let mut filter = vec![0; (all.len() * BITS_PER_ELEMENT).next_power_of_two().max(64) / 64];
        let mut elements = HashTable::with_capacity(all.len());
        for element in all {
            let hash = mix64(element);
            let (word, bit) = place(&filter, hash);
            filter[word] |= bit;
            elements.entry(hash, |&other| other == element, |&other| mix64(other)).or_insert(element);
        }
        Self { elements, filter }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Returns whether this is one of them.
    #[inline]
    pub(crate) fn contains(&self, element: u64) -> bool {
        let hash = mix64(element);
        let (word, bit) = place(&self.filter, hash);
        self.filter[word] & bit != 0 && self.elements.find(hash, |&other| other == element).is_some()
    }
}

/// The word and the bit of a hash; the number of words is a power of two.
fn place(filter: &[u64], hash: u64) -> (usize, u64) {
    ((hash >> 6) as usize & (filter.len() - 1), 1 << (hash % 64))
}

/// Short texts that stand inside other texts.
#[derive(Debug, Clone, Default)]
pub struct ShortTexts {
    /// One entry for each document: the elements of the short texts inside it, ascending.
    inside: Ragged<u64>,
    /// The short documents with their numbers of tokens, by document.
    tokens: Vec<(DocId, u32)>,
}

impl ShortTexts {
    /// Joins the elements inside each document, ascending, and the short documents with their numbers of tokens, by
    /// document.
    ///
    /// # Errors
    /// [`crate::Error::Offsets`] unless the offsets ascend to the number of elements.
    pub fn from_parts(offsets: Vec<u64>, inside: Array<u64>, tokens: Vec<(DocId, u32)>) -> crate::base::Result<Self> {
        Ok(Self { inside: Ragged::from_parts(offsets, inside)?, tokens })
    }

    /// The elements of the short texts inside a document, ascending.
    pub fn inside(&self, document: DocId) -> &[u64] {
        self.inside.get(document.index())
    }

    /// Returns for each document the elements of the short texts inside it.
    pub fn all_inside(&self) -> &Ragged<u64> {
        &self.inside
    }

    /// The short documents with their numbers of tokens, by document.
    pub fn tokens(&self) -> &[(DocId, u32)] {
        &self.tokens
    }

    /// Number of tokens of a short document; `None` if it is not short.
    pub fn tokens_of(&self, document: DocId) -> Option<u32> {
        self.tokens.binary_search_by_key(&document, |&(short, _)| short).ok().map(|place| self.tokens[place].1)
    }

    /// Returns whether a short text with this element stands inside a document.
    pub fn is_inside(&self, element: u64, document: DocId) -> bool {
        self.inside(document).binary_search(&element).is_ok()
    }
}

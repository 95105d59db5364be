//! Documents that can be searched.

use super::{CarriedRows, Ids, PreparedData, TextCheck};
use crate::base::Result;
use lookalike_core::comparison::Features;
use lookalike_core::documents::{ElementSets, TextHash};
use lookalike_core::hash::{hash_sequence, hash_token};
use lookalike_core::kernel::Kernel;
use lookalike_core::{Array, DocId};
use lookalike_io::{
    DocumentContent,
    base::{Extracted, Score},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Numbers of texts with fewer tokens than a shingle has, but some. Those of snapshots and indexes are not among them:
/// their tokens are not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ShortCounts {
    pub(crate) inputs: u64,
    pub(crate) references: u64,
}

/// Documents by name: enough to order them and to write about them, not to compare them. References come first.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Ids by document.
    pub(crate) ids: Ids,
    /// Lengths of the texts in characters, by document; empty if the texts were never seen.
    pub(crate) characters: Array<u64>,
    /// Scores by document: one for each field that is needed.
    pub(crate) scores: Vec<Option<Score>>,
    /// Number of documents that are references: compared against, never removed or written.
    pub(crate) references: usize,
}

impl Listing {
    /// Ids by document.
    pub fn ids(&self) -> &Ids {
        &self.ids
    }

    /// Number of documents, references included.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Number of documents that are no references.
    pub(crate) fn inputs(&self) -> usize {
        self.len() - self.references
    }

    /// Length of the text of a document in characters.
    pub(crate) fn characters(&self, document: DocId) -> u64 {
        self.characters.slice(document.index()..document.index() + 1)[0]
    }

    /// The score of a document in a field, by the number of the field; `None` if it has none.
    pub(crate) fn score(&self, document: DocId, field: usize) -> Option<&Score> {
        let fields = self.scores.len().checked_div(self.len())?;
        let scores = self.scores.get(document.index() * fields..)?;
        scores.get(field).filter(|_| field < fields).and_then(Option::as_ref)
    }

    /// Returns whether a document is a reference.
    pub fn is_reference(&self, document: DocId) -> bool {
        document.index() < self.references
    }

    /// Documents in input order.
    pub fn documents(&self) -> impl ExactSizeIterator<Item = DocId> + Clone + use<> {
        DocId::all(self.len())
    }
}

/// Documents that can be searched: a listing with the element sets.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    /// The documents.
    pub(crate) listing: Listing,
    /// Elements by document.
    pub(crate) sets: ElementSets,
    /// Hashes of the texts by document.
    pub(crate) text_hashes: Array<TextHash>,
    /// Number of tokens of all documents.
    pub(crate) tokens: u64,
    /// Number of documents without elements, references aside.
    pub(crate) empty: u64,
    /// Numbers of short texts.
    pub(crate) short_counts: ShortCounts,
    /// Checksum of its arrays, by which checkpoints know it; constant for a corpus that was read without a work folder.
    pub(crate) checksum: u64,
    /// Data for the kind of search that follows.
    pub(crate) prepared: PreparedData,
    /// The texts on which a job asks for answers to be checked.
    pub(crate) texts: Option<Arc<TextCheck>>,
    /// Fields and texts by input, for an index that stores them.
    pub(crate) carried: Option<Arc<CarriedRows>>,
}

impl Corpus {
    /// A corpus of texts, or of sets of items in their stored form, each behind its id.
    ///
    /// # Errors
    /// [`crate::Error::Parameters`] if the features do not fit each other, or for too many documents.
    pub fn from_texts<'a>(features: &Features, texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        features.check()?;
        let mut extractor = features.extractor(Kernel::detect());
        let mut corpus = Self::default();
        let mut characters = Vec::new();
        let mut text_hashes = Vec::new();
        for (id, text) in texts {
            corpus.listing.ids.push(id);
            let content = DocumentContent::from(features.content_of_stored(text));
            characters.push(content.length());
            let Extracted { counts, text_hash } = content.extract(&mut extractor, &mut corpus.sets)?;
            text_hashes.push(text_hash);
            corpus.tokens += counts.tokens as u64;
            corpus.short_counts.inputs += u64::from(extractor.is_short(counts.tokens));
            corpus.empty += u64::from(counts.elements == 0);
        }
        corpus.text_hashes = Array::Owned(text_hashes);
        corpus.recount_empty(features);
        let ids = corpus.listing.ids.iter().map(|id| hash_token(id.as_bytes()));
        corpus.checksum =
            hash_sequence(0, ids.chain(corpus.sets.hashes().iter().copied()).chain(characters.iter().copied()));
        corpus.listing.characters = Array::Owned(characters);
        Ok(corpus)
    }

    /// Counts whole texts of zero bytes as empty, references excepted: whole texts have no elements.
    pub(crate) fn recount_empty(&mut self, features: &Features) {
        if *features == Features::WholeText {
            let hashes = self.text_hashes.chunks().flat_map(|chunk| chunk.to_vec()).skip(self.listing.references);
            self.empty = hashes.filter(|hash| hash.is_of_nothing()).count() as u64;
        }
    }

    /// The documents without their sets.
    pub fn listing(&self) -> &Listing {
        &self.listing
    }

    /// Elements by document.
    pub fn sets(&self) -> &ElementSets {
        &self.sets
    }

    /// Counts of the elements of a document; empty if the features have no counts.
    pub(crate) fn counts_of(&self, document: DocId) -> &[u32] {
        match self.prepared.weighed().and_then(|weighed| weighed.counts.as_ref()) {
            Some(counts) if counts.is_empty() => &[],
            Some(counts) => self.sets.of_document(counts, document),
            None => self.sets.weights(document),
        }
    }

    /// The hash of the text of a document.
    pub(crate) fn text_hash(&self, document: DocId) -> TextHash {
        self.text_hashes.slice(document.index()..document.index() + 1).first().copied().unwrap_or_default()
    }

    /// The name that a document has in an index by its content; `None` if its record has an id.
    pub(crate) fn content_name(&self, document: DocId) -> Option<&str> {
        let row = document.index().checked_sub(self.listing.references)?;
        self.carried.as_ref()?.name(row)
    }

    /// Returns whether the texts of two documents are known to be equal byte for byte.
    pub(crate) fn is_same_text(&self, [a, b]: [DocId; 2]) -> bool {
        self.text_hash(a).is_same(self.text_hash(b))
    }

    /// Number of answers that the texts have refused; `None` if texts are not checked.
    pub(crate) fn refused_by_texts(&self) -> Option<u64> {
        self.texts.as_ref().map(|texts| texts.refused())
    }

    /// Number of documents that have fewer than `elements` elements, but some; references aside.
    pub(crate) fn smaller_than(&self, elements: usize) -> u64 {
        let inputs = self.documents().skip(self.listing.references);
        inputs.filter(|&document| (1..elements).contains(&self.sets.size(document))).count() as u64
    }

    /// Number of documents, references included.
    pub fn len(&self) -> usize {
        self.listing.len()
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.listing.is_empty()
    }

    /// Documents in input order.
    pub fn documents(&self) -> impl ExactSizeIterator<Item = DocId> + Clone + use<> {
        self.listing.documents()
    }
}

//! Documents that can be searched.

use super::Listing;
use crate::ground::Result;
use lookalike_core::features::{ElementSets, Features};
use lookalike_core::kernel::Kernel;
use lookalike_core::{Array, DocId};

/// Documents that can be searched: a listing with the element sets.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    /// The documents.
    pub listing: Listing,
    /// By document: its elements.
    pub sets: ElementSets,
    /// Number of tokens of all documents.
    pub tokens: u64,
    /// Number of documents without elements, references aside.
    pub empty: u64,
    /// Checksum of all arrays in a work folder; the same constant for every corpus without one.
    pub(crate) checksum: u64,
}

impl Corpus {
    /// A corpus of texts in memory; `ids` names them.
    ///
    /// # Errors
    /// [`crate::Error::Parameters`] if the features do not fit each other, or for too many documents.
    pub fn from_texts<'a>(features: &Features, texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        features.check()?;
        let mut shingler = features.shingler(Kernel::detect());
        let (mut corpus, mut characters) = (Self::default(), Vec::new());
        for (id, text) in texts {
            corpus.listing.ids.push(id);
            characters.push(text.chars().count() as u64);
            let counts = shingler.push(text, &mut corpus.sets)?;
            corpus.tokens += counts.tokens as u64;
            corpus.empty += u64::from(counts.elements == 0);
        }
        corpus.listing.characters = Array::Owned(characters);
        Ok(corpus)
    }

    /// Number of documents, references included.
    pub fn len(&self) -> usize {
        self.listing.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.listing.is_empty()
    }

    /// All documents in input order.
    pub fn documents(&self) -> impl ExactSizeIterator<Item = DocId> + Clone + use<> {
        self.listing.documents()
    }
}

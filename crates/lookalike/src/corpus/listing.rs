//! What is known of documents beside their elements.

use super::Ids;
use lookalike_core::{Array, DocId};
use lookalike_io::Score;

/// Documents by name: enough to order them and to write about them, not to compare them. References come first.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// By document: its id.
    pub(crate) ids: Ids,
    /// By document: the length of its text in characters; empty if the texts were never seen.
    pub(crate) characters: Array<u64>,
    /// By document: a score for each field that was asked for.
    pub(crate) scores: Vec<Option<Score>>,
    /// Number of documents that are references: compared against, never removed or written.
    pub(crate) references: usize,
}

impl Listing {
    /// Documents of which only the ids are known.
    pub(crate) fn of_ids(ids: Ids) -> Self {
        Self { ids, ..Self::default() }
    }

    /// By document: its id.
    pub fn ids(&self) -> &Ids {
        &self.ids
    }

    /// Number of documents, references included.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no documents.
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

    /// Whether a document is a reference.
    pub fn is_reference(&self, document: DocId) -> bool {
        document.index() < self.references
    }

    /// All documents in input order.
    pub fn documents(&self) -> impl ExactSizeIterator<Item = DocId> + Clone + use<> {
        DocId::all(self.len())
    }
}

//! A document that is near to a query, of a corpus that was read.

use super::answer::{Content, FoundAnswer, Queries};
use lookalike_core::DocId;
use lookalike_core::rule::Near;
use lookalike_core::similarity::Agreement;
use lookalike_index::Finding;

/// A document that is near to a query.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbour {
    pub(super) document: DocId,
    pub(super) found: Agreement,
    pub(super) similarity: f64,
}

impl Near for Neighbour {
    type Place = DocId;

    fn similarity(&self) -> f64 {
        self.similarity
    }

    fn place(&self) -> DocId {
        self.document
    }
}

/// What is told of it as an answer.
pub(super) fn answer(queries: &Queries<'_>, query: DocId, neighbour: Neighbour) -> FoundAnswer<DocId> {
    let Neighbour { document, found, similarity } = neighbour;
    let content = |document| {
        let sets = &queries.corpus.sets;
        let (elements, counts) = (sets.get(document), sets.weights(document));
        Content { elements, counts, text: queries.corpus.text_hash(document) }
    };
    let reason = content(query).reason(content(document), found);
    FoundAnswer { document, found: Finding::Verified(found), similarity, reason }
}

//! A space: the documents of one kind, their measure, and the filters that refuse pairs before the exact check.
//!
//! Searches, joins and decisions ask a space and do not know what its documents are. Four implementations serve five
//! kinds: sets ([`crate::sets::SetSpace`], signatures among them, whose components are elements), weighted terms, bits,
//! and vectors. [`crate::comparison::Measure::space`] chooses one, once for a search. It is called through a pointer:
//! the program is built once and not once a space, and a check reads hundreds of elements for one indirect call.

use super::{Agreement, CandidatePair};
use crate::base::DocId;
use crate::documents::{ElementSets, ShortTexts};
use std::fmt;

/// The documents of one kind with their measure, as far as an exact search needs them.
pub(crate) trait Space: fmt::Debug + Send + Sync {
    /// The documents.
    fn sets(&self) -> &ElementSets;

    /// The agreement of two near-duplicates; `None` for others. Filters may refuse first, never a near-duplicate.
    fn verify(&self, pair: CandidatePair) -> Option<Agreement>;

    /// The agreement of two documents, near-duplicates or not.
    fn compare(&self, pair: CandidatePair) -> Agreement;

    /// Returns whether a filter would refuse a pair if it were made, for an estimate of the work.
    fn would_refuse(&self, _pair: [DocId; 2]) -> bool {
        false
    }

    /// The sort key of a document by size: number of elements, then of tokens of a short text (`u32::MAX` for others).
    fn extent(&self, document: DocId) -> (usize, u32) {
        (self.sets().size(document), u32::MAX)
    }

    /// Elements of other documents that stand inside this one without being elements of it.
    fn inside(&self, _document: DocId) -> &[u64] {
        &[]
    }

    /// The memory of one thread for the comparison of documents with all others.
    fn block(&self) -> Box<dyn DocumentBlock + '_>;
}

/// Filters of a search of many pairs, before the exact check.
#[derive(Debug, Clone, Copy, Default)]
pub struct SearchFilters<'a> {
    /// Memory for sketches that refuse candidates before they are read; `None` for none.
    pub max_sketch_bytes: Option<usize>,
    /// Short texts that stand inside documents, and are contained in them.
    pub short: Option<&'a ShortTexts>,
}

/// A block of documents that one thread compares with many others, [`MANY`] consecutive ones at a time.
pub trait DocumentBlock: Send {
    /// Takes these documents in place of the ones before.
    fn fill(&mut self, documents: &[DocId]);

    /// Appends candidate pairs: `a` is another document, `b` one of the block. No near-duplicate among `others`, which
    /// lie within one range of [`MANY`] consecutive documents, is missing; other documents of that range may be among
    /// them, so callers filter.
    fn find_near(&mut self, others: &[DocId], near: &mut Vec<CandidatePair>);

    /// Removes pairs that a more expensive filter refuses. The first documents of all lie within one range of [`MANY`].
    fn retain_near(&self, _near: &mut Vec<CandidatePair>) {}

    /// Leaves documents of less than this similarity to the `place`-th document of the block out of what is found, as
    /// far as a filter tells.
    fn raise(&mut self, _place: usize, _similarity: f64) {}

    /// Calls `found` with each of `others` that is a near-duplicate of `document`, and their agreement; `document` is
    /// the second of the two.
    fn verify(&mut self, document: DocId, others: &[DocId], found: &mut dyn FnMut(DocId, Agreement));
}

/// Consecutive documents that are compared with a block at a time: their small sketches stay in the cache.
pub const MANY: usize = 256;

/// A block of a space without a filter for all pairs: every pair is verified.
pub(crate) struct PlainBlock<'a> {
    space: &'a dyn Space,
    documents: Vec<DocId>,
}

impl<'a> PlainBlock<'a> {
    pub(crate) fn new(space: &'a dyn Space) -> Self {
        Self { space, documents: Vec::new() }
    }
}

impl DocumentBlock for PlainBlock<'_> {
    fn fill(&mut self, documents: &[DocId]) {
        self.documents.clear();
        self.documents.extend_from_slice(documents);
    }

    fn find_near(&mut self, others: &[DocId], near: &mut Vec<CandidatePair>) {
        let documents = &self.documents;
        near.extend(others.iter().flat_map(|&a| documents.iter().map(move |&b| CandidatePair { a, b })));
    }

    fn verify(&mut self, document: DocId, others: &[DocId], found: &mut dyn FnMut(DocId, Agreement)) {
        verify_each(self.space, document, others, found);
    }
}

/// [`DocumentBlock::verify`] pair by pair.
pub(crate) fn verify_each(
    space: &dyn Space,
    document: DocId,
    others: &[DocId],
    found: &mut dyn FnMut(DocId, Agreement),
) {
    for &other in others {
        if let Some(agreement) = space.verify(CandidatePair { a: other, b: document }) {
            found(other, agreement);
        }
    }
}

//! Chunks: consecutive documents that one thread works on at a time, limited by documents and by elements.
//!
//! Long documents stand together in many corpora. If chunks were cut by the number of documents alone, the other
//! threads would wait for the one that has them.

use lookalike_core::DocId;
use lookalike_core::documents::ElementSets;
use std::ops::Range;

/// The chunks of all documents, in order.
#[derive(Debug, Clone)]
pub(crate) struct DocumentChunks<'a> {
    sets: &'a ElementSets,
    max_documents: usize,
    max_elements: usize,
    left: Range<usize>,
}

impl<'a> DocumentChunks<'a> {
    /// Elements after which a chunk ends by default, though it may have fewer documents than others.
    pub(crate) const MAX_ELEMENTS: usize = 1 << 16;

    /// Chunks of `max_documents` documents at most.
    pub(crate) fn new(sets: &'a ElementSets, max_documents: usize) -> Self {
        Self { sets, max_documents, max_elements: Self::MAX_ELEMENTS, left: 0..sets.len() }
    }

    /// Copy with another limit of elements in a chunk.
    pub(crate) fn with_elements(self, max_elements: usize) -> Self {
        Self { max_elements, ..self }
    }

    /// Chunks of some of the documents.
    pub(crate) fn within(self, documents: Range<usize>) -> Self {
        Self { left: documents, ..self }
    }

    /// Elements after which a chunk ends.
    pub(crate) fn max_elements(&self) -> usize {
        self.max_elements
    }

    /// Maximum number of chunks.
    pub(crate) fn max_count(&self) -> usize {
        self.left.len().div_ceil(self.max_documents) + self.sets.total_elements() / self.max_elements
    }
}

impl Iterator for DocumentChunks<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let first = self.left.start;
        let mut elements = 0;
        let max = self.left.len().min(self.max_documents);
        let is_full = |&index: &usize| {
            elements += self.sets.size(DocId(index as u32));
            elements >= self.max_elements
        };
        let end = (first..first + max).find(is_full).map_or(first + max, |last| last + 1);
        self.left.start = end;
        (first < end).then_some(first..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_ELEMENTS: usize = DocumentChunks::MAX_ELEMENTS;

    #[test]
    fn chunks_cover_all_documents_and_end_where_there_is_enough() {
        let long = |first: u64| (first..first + MAX_ELEMENTS as u64).collect::<Vec<_>>();
        let sets = ElementSets::from([vec![1], vec![2], vec![3], long(0), long(9), vec![], vec![4]]);
        assert_eq!(DocumentChunks::new(&sets, 2).collect::<Vec<_>>(), [0..2, 2..4, 4..5, 5..7]);
        assert_eq!(DocumentChunks::new(&sets, 9).collect::<Vec<_>>(), [0..4, 4..5, 5..7]);
        assert_eq!(DocumentChunks::new(&ElementSets::new(), 9).count(), 0);
        let larger = DocumentChunks::new(&sets, 9).with_elements(2 * MAX_ELEMENTS);
        assert_eq!(larger.clone().collect::<Vec<_>>(), [0..5, 5..7]);
        let within = DocumentChunks::new(&sets, 2).within(1..6);
        assert_eq!(within.collect::<Vec<_>>(), [1..3, 3..4, 4..5, 5..6]);
        for chunks in [larger, DocumentChunks::new(&sets, 2), DocumentChunks::new(&sets, 9)] {
            assert!(chunks.max_count() >= chunks.count());
        }
    }
}

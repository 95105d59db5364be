//! The space of vectors.

use super::vector_blocks::VectorBlock;
use super::vector_blocks::VectorMeasure;
use crate::base::DocId;
use crate::documents::ElementSets;
use crate::kernel::Kernel;
use crate::similarity::{Agreement, CandidatePair, DocumentBlock, Space, verify_each};

/// Vectors with a measure of them.
#[derive(Debug)]
pub(crate) struct VectorSpace<'a, M> {
    sets: &'a ElementSets,
    measure: M,
    kernel: Kernel,
}

impl<'a, M: VectorMeasure> VectorSpace<'a, M> {
    pub(crate) fn new(sets: &'a ElementSets, measure: M, kernel: Kernel) -> Self {
        Self { sets, measure, kernel }
    }
}

impl<M: VectorMeasure> Space for VectorSpace<'_, M> {
    fn sets(&self) -> &ElementSets {
        self.sets
    }

    fn verify(&self, pair: CandidatePair) -> Option<Agreement> {
        self.measure.verify(self.kernel, self.sets.get(pair.a), self.sets.get(pair.b))
    }

    fn compare(&self, pair: CandidatePair) -> Agreement {
        self.measure.compare(self.kernel, self.sets.get(pair.a), self.sets.get(pair.b))
    }

    fn block(&self) -> Box<dyn DocumentBlock + '_> {
        Box::new(VectorsOfBlock { space: self, vectors: VectorBlock::new(self.sets, self.measure, self.kernel) })
    }
}

/// The vectors of a block, of which products refuse most pairs.
struct VectorsOfBlock<'a, M> {
    space: &'a VectorSpace<'a, M>,
    vectors: VectorBlock<'a, M>,
}

impl<M: VectorMeasure> DocumentBlock for VectorsOfBlock<'_, M> {
    fn fill(&mut self, documents: &[DocId]) {
        self.vectors.fill(documents);
    }

    fn find_near(&mut self, others: &[DocId], near: &mut Vec<CandidatePair>) {
        self.vectors.find_near(others, near);
    }

    fn raise(&mut self, place: usize, similarity: f64) {
        self.vectors.raise(place, similarity);
    }

    fn verify(&mut self, document: DocId, others: &[DocId], found: &mut dyn FnMut(DocId, Agreement)) {
        verify_each(self.space, document, others, found);
    }
}

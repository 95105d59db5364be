//! The exact check of candidate pairs of a search, by the space of its documents.

use super::Measure;
use crate::documents::ElementSets;
use crate::ground::DocId;
use crate::kernel::Kernel;
use crate::similarity::{Agreement, Block, CandidatePair, SearchFilters, Space};
use crate::vectors::PlaneBits;

/// Two documents whose exact similarity is at least the threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerifiedPair {
    /// One document.
    pub a: DocId,
    /// The other document.
    pub b: DocId,
    /// What the exact check has found; the first document is `a`.
    pub found: Agreement,
}

/// Documents with the measure by which they are compared, and with the filters of one search.
#[derive(Debug)]
pub struct MeasuredSpace<'a> {
    measure: Measure,
    space: Box<dyn Space + 'a>,
}

impl Measure {
    /// The space of these documents for the exact check of few pairs; its results do not depend on the kernel.
    pub fn space(self, sets: &ElementSets, kernel: Kernel) -> MeasuredSpace<'_> {
        self.space_with(sets, kernel, SearchFilters::default())
    }

    /// The space of these documents for a search.
    pub fn space_with<'a>(
        self,
        sets: &'a ElementSets,
        kernel: Kernel,
        filters: SearchFilters<'a>,
    ) -> MeasuredSpace<'a> {
        MeasuredSpace { measure: self, space: self.new_space(sets, kernel, filters) }
    }
}

impl MeasuredSpace<'_> {
    /// A verifier of pairs of these documents.
    pub fn verifier(&self) -> Verifier<'_> {
        Verifier { measure: self.measure, space: &*self.space, planes: None }
    }
}

/// Verifies candidate pairs by their exact similarity.
#[derive(Debug, Clone, Copy)]
pub struct Verifier<'a> {
    measure: Measure,
    space: &'a dyn Space,
    /// Sides of planes by which the method refuses candidates.
    planes: Option<&'a PlaneBits>,
}

impl<'a> Verifier<'a> {
    /// This verifier for candidates of projections: it refuses those on other sides of these planes, and with a small
    /// probability, which the recall accounts for, a near-duplicate.
    #[must_use]
    pub fn with_plane_bits(self, planes: Option<&'a PlaneBits>) -> Self {
        Self { planes, ..self }
    }

    /// The sides of planes by which it refuses candidates.
    pub fn plane_bits(&self) -> Option<&'a PlaneBits> {
        self.planes
    }

    /// Whether a pair is refused by the sides of planes.
    #[inline]
    pub fn is_refused_by_planes(&self, pair: [DocId; 2]) -> bool {
        self.planes.is_some_and(|planes| planes.refuse(pair))
    }

    /// This verifier for the vectors of every pair.
    #[must_use]
    pub fn without_plane_bits(self) -> Self {
        Self { planes: None, ..self }
    }

    /// The sets whose pairs are verified.
    pub fn sets(&self) -> &'a ElementSets {
        self.space.sets()
    }

    /// The measure by which pairs are verified.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// Number of elements of a document.
    pub fn size(&self, document: DocId) -> usize {
        self.sets().size(document)
    }

    /// The sort key of a document by size: number of elements, then of tokens of a short text (`u32::MAX` for others).
    pub fn extent(&self, document: DocId) -> (usize, u32) {
        self.space.extent(document)
    }

    /// Elements of short texts that stand inside a document: further blocking keys of it.
    pub fn inside(&self, document: DocId) -> &'a [u64] {
        self.space.inside(document)
    }

    /// The verified pair; `None` if its similarity is below the threshold.
    pub fn verify(&self, pair: CandidatePair) -> Option<VerifiedPair> {
        let CandidatePair { a, b } = pair;
        if self.is_refused_by_planes([a, b]) {
            return None;
        }
        self.space.verify(pair).map(|found| VerifiedPair { a, b, found })
    }

    /// The memory of one thread for the comparison of documents with all others.
    pub fn block(&self) -> Box<dyn Block + 'a> {
        self.space.block()
    }

    /// Whether sketches would refuse a pair, if they were made; false without sketches.
    pub fn would_refuse(&self, pair: [DocId; 2]) -> bool {
        self.space.would_refuse(pair)
    }

    /// The exact similarity of a verified pair: higher is closer.
    pub fn similarity(&self, pair: &VerifiedPair) -> f64 {
        self.measure.similarity(pair.found)
    }

    /// The similarity of a document and one with equal features.
    pub fn similarity_of_equals(&self, document: DocId) -> f64 {
        self.measure.similarity_of_equals(self.size(document))
    }

    /// The exact similarity of two arbitrary documents: higher is closer.
    pub fn similarity_of(&self, a: DocId, b: DocId) -> f64 {
        self.measure.similarity(self.space.compare(CandidatePair { a, b }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::hash::mix64;
    use crate::similarity::Overlap;

    #[test]
    fn long_sets_are_verified_in_pieces_as_a_whole() {
        let hashes = |range: std::ops::Range<u64>| range.map(mix64).collect::<Vec<_>>();
        // 150,000 common elements of 250,000 have a Jaccard similarity of 0.6; one less is less. Then a short set, and
        // sets that are refused before their end.
        let pairs = [
            (0..200_000, 50_000..250_000),
            (0..200_000, 50_001..250_000),
            (0..200_000, 50_001..250_001),
            (0..200_000, 0..130_000),
            (0..200_000, 0..50),
            (0..200_000, 300_000..500_000),
        ];
        for (left, right) in pairs {
            let sets = ElementSets::from([hashes(left.clone()), hashes(right.clone())]);
            let pair = CandidatePair { a: DocId(0), b: DocId(1) };
            for percent in [0.3, 0.6, 0.65, 0.9] {
                let measure = Measure::jaccard(percent.try_into().unwrap());
                let overlap = Overlap::of(sets.get(pair.a), sets.get(pair.b));
                let expected = measure.is_reached(overlap).then_some(Agreement::Sets(overlap));
                for &kernel in Kernel::available() {
                    let found = measure.space(&sets, kernel).verifier().verify(pair).map(|pair| pair.found);
                    assert_eq!(found, expected, "{left:?} {right:?} {percent} {kernel:?}");
                }
            }
        }
    }
}

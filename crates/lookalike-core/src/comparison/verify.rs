//! The decision about a pair of documents: one function, whatever has found the pair.
//!
//! ```text
//! candidates of keys, blocks of all pairs --Verifier::verify--> filters and exact check of the Space --+
//! joins that count agreements in bulk     --Agreement--------------------------------------------------+--> accept
//! a query and a document of an index      --PairCheck::verify--> exact check of the two ---------------+
//! ```
//!
//! The measure is applied where the agreement is computed, because there it ends the work early. Conditions on a pair
//! that do not depend on the agreement belong into [`PairCheck::accept`], and hold for every search, join and query
//! then: nothing else makes a [`VerifiedPair`].

use super::Measure;
use crate::base::DocId;
use crate::documents::{ElementSets, WeightedSet};
use crate::kernel::Kernel;
use crate::similarity::{Agreement, CandidatePair, DocumentBlock, SearchFilters, Space};
use crate::vectors::PlaneBits;

/// Two documents whose exact similarity is at least the threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct VerifiedPair {
    /// One document.
    pub a: DocId,
    /// The other document.
    pub b: DocId,
    /// Result of the exact check; the first document is `a`.
    pub found: Agreement,
}

impl VerifiedPair {
    /// A pair that an earlier search has accepted, from where it was saved.
    pub fn from_saved(a: DocId, b: DocId, found: Agreement) -> Self {
        Self { a, b, found }
    }

    /// Pair with the two documents exchanged.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { a: self.b, b: self.a, found: self.found.turned() }
    }
}

/// The check that makes a pair of documents an answer. Callers number the documents as they like.
#[derive(Debug, Clone, Copy)]
pub struct PairCheck {
    measure: Measure,
}

impl PairCheck {
    /// The check by a measure.
    pub fn new(measure: Measure) -> Self {
        Self { measure }
    }

    /// Decides about two documents at hand, whose weights only measures of weighted sets look at; `None` unless they
    /// are near-duplicates. The intersection stops as soon as the remaining elements cannot suffice.
    pub fn verify(
        self,
        kernel: Kernel,
        pair: CandidatePair,
        [left, right]: [WeightedSet<'_>; 2],
    ) -> Option<VerifiedPair> {
        let found = self.measure.algebra().verify_weighted(kernel, left, right)?;
        self.accept(pair, found)
    }

    /// Decides about a pair whose agreement was computed, and reaches the threshold of the measure.
    #[inline]
    pub fn accept(self, CandidatePair { a, b }: CandidatePair, found: Agreement) -> Option<VerifiedPair> {
        Some(VerifiedPair { a, b, found })
    }
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
        Verifier { check: PairCheck::new(self.measure), space: &*self.space, planes: None }
    }
}

/// The decision about pairs of the documents of a space.
#[derive(Debug, Clone, Copy)]
pub struct Verifier<'a> {
    check: PairCheck,
    space: &'a dyn Space,
    /// Sides of planes by which the method refuses candidates.
    planes: Option<&'a PlaneBits>,
}

impl<'a> Verifier<'a> {
    /// Copy for candidates of projections: it refuses those on other sides of these planes, and with a small
    /// probability, which the recall accounts for, a near-duplicate.
    #[must_use]
    pub fn with_plane_bits(self, planes: Option<&'a PlaneBits>) -> Self {
        Self { planes, ..self }
    }

    /// The sides of planes by which it refuses candidates.
    pub fn plane_bits(&self) -> Option<&'a PlaneBits> {
        self.planes
    }

    /// Returns whether a pair is refused by the sides of planes.
    #[inline]
    pub fn is_refused_by_planes(&self, pair: [DocId; 2]) -> bool {
        self.planes.is_some_and(|planes| planes.refuse(pair))
    }

    /// Copy that looks at the vectors of every pair.
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
        self.check.measure
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

    /// Decides about a candidate pair; `None` unless it is one of near-duplicates.
    pub fn verify(&self, pair: CandidatePair) -> Option<VerifiedPair> {
        if self.is_refused_by_planes([pair.a, pair.b]) {
            return None;
        }
        self.check.accept(pair, self.space.verify(pair)?)
    }

    /// Decides about a pair of which a join has computed the agreement, as [`PairCheck::accept`].
    #[inline]
    pub fn accept(&self, pair: CandidatePair, found: Agreement) -> Option<VerifiedPair> {
        self.check.accept(pair, found)
    }

    /// The memory of one thread for the comparison of documents with all others.
    pub fn block(&self) -> Box<dyn DocumentBlock + 'a> {
        self.space.block()
    }

    /// Returns whether sketches would refuse a pair, if they were made; false without sketches.
    pub fn would_refuse(&self, pair: [DocId; 2]) -> bool {
        self.space.would_refuse(pair)
    }

    /// The exact similarity of a verified pair: higher is closer.
    pub fn similarity(&self, pair: &VerifiedPair) -> f64 {
        self.check.measure.similarity(pair.found)
    }

    /// The similarity of a document and one with equal features.
    pub fn similarity_of_equals(&self, document: DocId) -> f64 {
        self.check.measure.similarity_of_equals(self.size(document))
    }

    /// The exact similarity of two arbitrary documents: higher is closer.
    pub fn similarity_of(&self, a: DocId, b: DocId) -> f64 {
        self.check.measure.similarity(self.space.compare(CandidatePair { a, b }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::mix64;
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
                let overlap = Overlap::new(sets.get(pair.a), sets.get(pair.b));
                let expected = measure.is_reached(overlap).then_some(Agreement::Sets(overlap));
                for &kernel in Kernel::available() {
                    let found = measure.space(&sets, kernel).verifier().verify(pair).map(|pair| pair.found);
                    assert_eq!(found, expected, "{left:?} {right:?} {percent} {kernel:?}");
                }
            }
        }
    }
}

//! The exact check of candidate pairs, which every reported pair passes, whichever method found it.

use super::Measure;
use crate::documents::{ElementSet, ElementSets, ShortTexts, SideBySide, WeightedSet};
use crate::ground::DocId;
use crate::kernel::Kernel;
use crate::keys::Bounds;
use crate::sets::OddSketches;
use crate::similarity::{Agreement, CandidatePair, Overlap};
use crate::terms::{Cosine, NormSketches, SketchedDocument, WeightTable, cosine, dot_product_at_least};
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

/// Verifies candidate pairs by their exact similarity.
#[derive(Debug, Clone, Copy)]
pub struct Verifier<'a> {
    sets: &'a ElementSets,
    measure: Measure,
    kernel: Kernel,
    sketches: Option<&'a OddSketches>,
    norms: Option<&'a NormSketches>,
    planes: Option<&'a PlaneBits>,
    short: Option<&'a ShortTexts>,
}

impl<'a> Verifier<'a> {
    /// A verifier of pairs of documents of `sets`; its results do not depend on the kernel.
    pub fn new(sets: &'a ElementSets, measure: Measure, kernel: Kernel) -> Self {
        Self { sets, measure, kernel, sketches: None, norms: None, planes: None, short: None }
    }

    /// The same verifier with sketches of the same sets and measure, which refuse candidates before they are read.
    #[must_use]
    pub fn with_sketches(self, sketches: &'a OddSketches) -> Self {
        // They bound numbers of elements, not sums of weights; points have none.
        let are_plain_sets = self.measure.weighted().is_none() && !self.measure.is_of_points();
        let sketches = are_plain_sets.then_some(sketches);
        Self { sketches, ..self }
    }

    /// The same verifier with norm sketches of the same sets, which refuse candidates of cosines before they are read.
    #[must_use]
    pub fn with_norm_sketches(self, norms: &'a NormSketches) -> Self {
        Self { norms: Some(norms), ..self }
    }

    /// The same verifier with the sides of planes of the same vectors, by which it refuses candidates, and with a small
    /// probability, which the recall accounts for, a near-duplicate.
    #[must_use]
    pub fn with_plane_bits(self, planes: Option<&'a PlaneBits>) -> Self {
        Self { planes, ..self }
    }

    /// The sides of planes by which it refuses candidates, if there are such.
    pub fn plane_bits(&self) -> Option<&'a PlaneBits> {
        self.planes
    }

    /// Whether a pair is refused by the sides of planes, if there are such.
    #[inline]
    pub fn is_refused_by_planes(&self, pair: [DocId; 2]) -> bool {
        self.planes.is_some_and(|planes| planes.refuse(pair))
    }

    /// The same verifier, which looks at the vectors of every pair.
    #[must_use]
    pub fn without_plane_bits(self) -> Self {
        Self { planes: None, ..self }
    }

    /// The same verifier, which knows which short texts stand inside which documents: those are contained in them.
    #[must_use]
    pub fn with_short_texts(self, short: Option<&'a ShortTexts>) -> Self {
        Self { short, ..self }
    }

    /// Which short texts stand inside which documents, if that is known.
    pub fn short_texts(&self) -> Option<&'a ShortTexts> {
        self.short
    }

    /// The overlap of a short text and a document that it stands in: it is one more element there.
    fn short_overlap(&self, a: DocId, b: DocId) -> Option<Overlap> {
        let short = self.short?;
        let (left, right) = (self.sets.get(a), self.sets.get(b));
        let is_inside = |text: ElementSet<'_>, document| {
            text.len() == 1 && text.first().is_some_and(|&element| short.is_inside(element, document))
        };
        if is_inside(left, b) {
            return Some(Overlap { common: 1, left: 1, right: right.len() + 1 });
        }
        is_inside(right, a).then(|| Overlap { common: 1, left: left.len() + 1, right: 1 })
    }

    /// The sets whose pairs are verified.
    pub fn sets(&self) -> &'a ElementSets {
        self.sets
    }

    /// The measure by which pairs are verified.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// The version of the inner loops.
    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Number of elements of a document.
    pub fn size(&self, document: DocId) -> usize {
        self.sets.size(document)
    }

    /// What orders documents by how much they may contain: number of elements, and of tokens of short texts, which have
    /// one element.
    pub fn extent(&self, document: DocId) -> (usize, u32) {
        let tokens = self.short.and_then(|short| short.tokens_of(document));
        (self.size(document), tokens.unwrap_or(u32::MAX))
    }

    /// The verified pair; `None` if its similarity is below the threshold.
    pub fn verify(&self, pair: CandidatePair) -> Option<VerifiedPair> {
        let CandidatePair { a, b } = pair;
        if self.is_refused_by_planes([a, b]) {
            return None;
        }
        if let Some(overlap) = self.short_overlap(a, b) {
            return self.measure.is_reached(overlap).then_some(VerifiedPair { a, b, found: Agreement::Sets(overlap) });
        }
        if let Some(cosine) = self.measure.weighted() {
            return self.verify_weighted(cosine, pair);
        }
        let sketches = self.sketches.filter(|sketches| sketches.are_in_use());
        if sketches.is_some_and(|sketches| sketches.refuse(self.sets, (self.measure, self.kernel), [a, b])) {
            return None;
        }
        let sizes = [a, b].map(|document| self.size(document));
        let found = match SideBySide::is_for(sizes) && !self.measure.is_of_points() {
            true => self.verify_pieces([a, b]),
            false => self.measure.verify(self.kernel, self.sets.get(a), self.sets.get(b)),
        };
        if found.is_none() && sketches.is_none() {
            self.sketches.iter().for_each(|sketches| sketches.note_refusal(sizes[0] + sizes[1]));
        }
        Some(VerifiedPair { a, b, found: found? })
    }

    /// [`Measure::verify`] for long sets, of which pieces are read.
    fn verify_pieces(&self, pair: [DocId; 2]) -> Option<Agreement> {
        let [left, right] = pair.map(|document| self.size(document));
        let required = self.measure.required_overlap(left, right);
        let (mut both, mut common) = (SideBySide::of(self.sets, pair), 0);
        while let Some([a, b]) = both.next_pieces() {
            let required_here = required.saturating_sub(common + both.max_common());
            common += self.kernel.count_common_at_least(a, b, required_here)?;
        }
        let is_near = common > 0 && common >= required;
        is_near.then_some(Agreement::Sets(Overlap { common, left, right }))
    }

    /// Calls `found` with the verified pairs of `others`, which are not refused by sketches, and `document`, the second
    /// one of each.
    pub fn verify_all(
        &self,
        document: DocId,
        others: &[DocId],
        table: &mut WeightTable,
        found: impl FnMut(VerifiedPair),
    ) {
        let pairs = others.iter().map(|&a| CandidatePair { a, b: document });
        match self.measure.weighted() {
            Some(cosine) => {
                let mut tabled = table.of(self.sets.weighted(document));
                let mut product = |a: WeightedSet<'_>, _: WeightedSet<'_>, min| tabled.dot_product_at_least(a, min);
                pairs.filter_map(|pair| self.compare_weighted(cosine, pair, &mut product)).for_each(found);
            }
            None => pairs.filter_map(|pair| self.verify(pair)).for_each(found),
        }
    }

    fn verify_weighted(&self, measure: Cosine, pair: CandidatePair) -> Option<VerifiedPair> {
        let documents = [pair.a, pair.b];
        let sketches = self.norms.filter(|sketches| sketches.are_in_use());
        if sketches.is_some_and(|sketches| sketches.refuse(self.sets, (measure, self.kernel), documents)) {
            return None;
        }
        let found = self.compare_weighted(measure, pair, dot_product_at_least);
        if found.is_none() {
            let elements = documents.map(|document| self.size(document)).iter().sum();
            self.norms.iter().for_each(|sketches| sketches.note_refusal(elements));
        }
        found
    }

    /// The exact check of weighted sets, whatever sketches say.
    fn compare_weighted(
        &self,
        measure: Cosine,
        CandidatePair { a, b }: CandidatePair,
        dot_product_at_least: impl FnOnce(WeightedSet<'a>, WeightedSet<'a>, u64) -> Option<u64>,
    ) -> Option<VerifiedPair> {
        let (left, right) = (self.sets.weighted(a), self.sets.weighted(b));
        let norms = [left.squared_norm(), right.squared_norm()];
        let dot = dot_product_at_least(left, right, measure.min_dot(norms));
        let dot = dot.filter(|&dot| measure.reaches(dot, norms))?;
        Some(VerifiedPair { a, b, found: Agreement::Cosine(cosine(dot, norms)) })
    }

    /// A document that [`Verifier::find_near`] compares with many.
    pub fn sketched(&self, document: DocId) -> SketchedDocument {
        match self.norms.filter(|sketches| sketches.can_be_made()) {
            Some(sketches) => sketches.sketched(self.sets, document),
            None => SketchedDocument::unsketched(document),
        }
    }

    /// Calls `found` with documents that may be near-duplicates of the first or the second of `two` by a cosine of
    /// weights, as far as small sketches tell, and with 0 or 1 for which of them; with 0 only if both are the same.
    /// They are of the `number`-th [`NormSketches::MANY`] consecutive documents; all such without sketches.
    pub fn find_near(&self, two: [&SketchedDocument; 2], number: usize, mut found: impl FnMut(usize, DocId)) {
        let first = number * NormSketches::MANY;
        let others = first..self.sets.len().min(first + NormSketches::MANY);
        let documents = two.map(|one| one.document);
        let mut found_one = |which: usize, other: DocId| {
            let (document, is_again) = (documents[which], which == 1 && documents[0] == documents[1]);
            if other != document && !is_again {
                found(which, other);
            }
        };
        match (self.measure.weighted(), self.norms.filter(|sketches| sketches.can_be_made())) {
            (Some(cosine), Some(sketches)) => {
                sketches.find(self.sets, (cosine, self.kernel), (two, others), found_one);
            }
            _ => {
                let all = others.flat_map(|other| [(0, DocId(other as u32)), (1, DocId(other as u32))]);
                all.for_each(|(which, other)| found_one(which, other));
            }
        }
    }

    /// Removes pairs that larger sketches refuse; none without sketches. The first document of each is of the
    /// `number`-th [`NormSketches::MANY`] consecutive ones.
    pub fn retain_near(&self, number: usize, pairs: &mut Vec<CandidatePair>) {
        let sketches = self.norms.filter(|sketches| sketches.can_be_made());
        if let (Some(cosine), Some(sketches)) = (self.measure.weighted(), sketches) {
            sketches.retain_near(self.sets, (cosine, self.kernel), (number, pairs));
        }
    }

    /// Whether sketches would refuse a pair, if they were made; false without sketches.
    pub fn would_refuse(&self, pair: [DocId; 2]) -> bool {
        self.sketches.is_some_and(|sketches| sketches.would_refuse(self.sets, self.measure, pair))
    }

    /// The exact similarity of a verified pair: higher is closer.
    pub fn similarity(&self, pair: &VerifiedPair) -> f64 {
        self.measure.similarity(pair.found)
    }

    /// The similarity of a document and one with equal features.
    pub fn similarity_of_equals(&self, document: DocId) -> f64 {
        self.measure.similarity_of_equals(self.size(document))
    }

    /// The exact similarity of two arbitrary documents, from 0 to 1.
    pub fn similarity_of(&self, a: DocId, b: DocId) -> f64 {
        if self.measure.weighted().is_some() {
            let (left, right) = (self.sets.weighted(a), self.sets.weighted(b));
            let dot = dot_product_at_least(left, right, 0).unwrap_or(0);
            return cosine(dot, [left.squared_norm(), right.squared_norm()]);
        }
        let of_sets = || self.measure.compare(self.kernel, self.sets.get(a), self.sets.get(b));
        self.measure.similarity(self.short_overlap(a, b).map_or_else(of_sets, Agreement::Sets))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::hash::mix64;

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
                    let found = Verifier::new(&sets, measure, kernel).verify(pair).map(|pair| pair.found);
                    assert_eq!(found, expected, "{left:?} {right:?} {percent} {kernel:?}");
                }
            }
        }
    }
}

//! The space of sets of elements: shingles, items, words of a binary cosine, components of signatures.

use super::OddSketches;
use crate::base::DocId;
use crate::documents::{ElementSet, ElementSets, ShortTexts, SideBySide};
use crate::kernel::Kernel;
use crate::similarity::{Agreement, Algebra, CandidatePair, DocumentBlock, Overlap, PlainBlock, Space};

/// Sets with a measure of them.
#[derive(Debug)]
pub(crate) struct SetSpace<'a, M> {
    sets: &'a ElementSets,
    measure: M,
    kernel: Kernel,
    /// `None` where few pairs are checked.
    sketches: Option<OddSketches>,
    /// Short texts that stand inside others, if containment looks for them.
    short: Option<&'a ShortTexts>,
}

impl<'a, M: Algebra> SetSpace<'a, M> {
    pub(crate) fn new(
        sets: &'a ElementSets,
        measure: M,
        kernel: Kernel,
        sketches: Option<OddSketches>,
        short: Option<&'a ShortTexts>,
    ) -> Self {
        Self { sets, measure, kernel, sketches, short }
    }

    /// The overlap of a short text and a document that it stands in: it is one more element there.
    fn short_overlap(&self, pair: CandidatePair) -> Option<Overlap> {
        let short = self.short?;
        let left = self.sets.get(pair.a);
        let right = self.sets.get(pair.b);
        let is_inside = |text: ElementSet<'_>, document| {
            text.len() == 1 && text.first().is_some_and(|&element| short.is_inside(element, document))
        };
        if is_inside(left, pair.b) {
            return Some(Overlap { common: 1, left: 1, right: right.len() + 1 });
        }
        is_inside(right, pair.a).then(|| Overlap { common: 1, left: left.len() + 1, right: 1 })
    }

    /// [`Algebra::verify`] for long sets, of which pieces are read.
    fn verify_pieces(&self, pair: [DocId; 2]) -> Option<Agreement> {
        let [left, right] = pair.map(|document| self.sets.size(document));
        let required = self.measure.required_overlap(left, right);
        if required > left.min(right) {
            return None;
        }
        let mut both = SideBySide::new(self.sets, pair);
        let mut common = 0;
        while let Some([a, b]) = both.next_pieces() {
            let required_here = required.saturating_sub(common + both.max_common());
            common += self.kernel.count_common_at_least(a, b, required_here)?;
        }
        let is_near = common > 0 && common >= required;
        is_near.then_some(Agreement::Sets(Overlap { common, left, right }))
    }
}

impl<M: Algebra> Space for SetSpace<'_, M> {
    fn sets(&self) -> &ElementSets {
        self.sets
    }

    fn verify(&self, pair: CandidatePair) -> Option<Agreement> {
        if let Some(overlap) = self.short_overlap(pair) {
            return self.measure.is_reached(overlap).then_some(Agreement::Sets(overlap));
        }
        let documents = [pair.a, pair.b];
        let in_use = self.sketches.as_ref().filter(|sketches| sketches.are_in_use());
        if in_use.is_some_and(|sketches| sketches.refuse(self.sets, &self.measure, self.kernel, documents)) {
            return None;
        }
        let sizes = documents.map(|document| self.sets.size(document));
        let found = if SideBySide::is_for(sizes) {
            self.verify_pieces(documents)
        } else {
            self.measure.verify(self.kernel, self.sets.get(pair.a), self.sets.get(pair.b))
        };
        if let (None, None, Some(sketches)) = (found, in_use, &self.sketches) {
            sketches.note_refusal(sizes[0] + sizes[1]);
        }
        found
    }

    fn compare(&self, pair: CandidatePair) -> Agreement {
        let compare = || self.measure.compare(self.kernel, self.sets.get(pair.a), self.sets.get(pair.b));
        self.short_overlap(pair).map_or_else(compare, Agreement::Sets)
    }

    fn would_refuse(&self, pair: [DocId; 2]) -> bool {
        self.sketches.as_ref().is_some_and(|sketches| sketches.would_refuse(self.sets, &self.measure, pair))
    }

    fn extent(&self, document: DocId) -> (usize, u32) {
        let tokens = self.short.and_then(|short| short.tokens_of(document));
        (self.sets.size(document), tokens.unwrap_or(u32::MAX))
    }

    fn inside(&self, document: DocId) -> &[u64] {
        self.short.map_or(&[], |short| short.inside(document))
    }

    fn block(&self) -> Box<dyn DocumentBlock + '_> {
        Box::new(PlainBlock::new(self))
    }
}

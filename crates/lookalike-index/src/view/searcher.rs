//! Answers questions. Owns reusable buffers: one for each thread.

use super::view::{Answer, Place, View};
use crate::ground::{Error, Result, SetBuffer};
use crate::segment::{Part, decode_extent, weigh_by};
use lookalike_core::features::{ElementSet, WeightedSet};
use lookalike_core::kernel::Kernel;
use lookalike_core::measure::{DocumentFrequencies, Extent, Measure};
use lookalike_core::method::{BlockingKey, ElementOrder, StoredKeys};
use lookalike_core::rule::Nearest;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// What is asked: which documents are near to these elements?
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The elements, strictly ascending, made by the features of the index.
    pub elements: &'a [u64],
    /// How often there is each; empty if once.
    pub counts: &'a [u32],
    /// The measure of the index, with its threshold or a higher one.
    pub measure: Measure,
    /// How many answers are wanted at most, the best first; `None` for all.
    pub limit: Option<NonZeroUsize>,
}

/// What all questions to an index need.
#[derive(Debug, Clone)]
pub(crate) struct Asking {
    pub(crate) measure: Measure,
    pub(crate) keys: StoredKeys,
    pub(crate) frequencies: Option<Arc<DocumentFrequencies>>,
}

impl Asking {
    /// Checks that questions by a measure are answered.
    pub(crate) fn check_measure(&self, measure: Measure) -> Result<()> {
        match self.measure.serves(measure) {
            true => Ok(()),
            false => Err(Error::OtherMeasure { stored: described(self.measure), asked: described(measure) }),
        }
    }
}

/// Answers questions to one index.
#[derive(Debug, Clone)]
pub struct Searcher {
    asking: Asking,
    kernel: Kernel,
    keys: Vec<BlockingKey>,
    candidates: Vec<u32>,
    /// Of the question, and of a candidate.
    weights: [Vec<u32>; 2],
    set: SetBuffer,
}

impl Searcher {
    pub(crate) fn new(asking: Asking) -> Self {
        let (kernel, set) = (Kernel::detect(), SetBuffer::default());
        Self { asking, kernel, keys: Vec::new(), candidates: Vec::new(), weights: Default::default(), set }
    }

    /// The documents of a view that are near to a question, the most similar first; of equally similar ones those that
    /// were put first. All that there are, or as many as are asked for; by the exact method none is missing.
    ///
    /// # Errors
    /// [`Error::NoElements`]; [`Error::OtherMeasure`] if the index was made for another measure or a higher threshold;
    /// if the question is no set, or a stored document is damaged.
    pub fn search(&mut self, view: &View, question: &Question<'_>) -> Result<Vec<Answer>> {
        let measure = question.measure;
        self.asking.check_measure(measure)?;
        if question.elements.is_empty() {
            return Err(Error::NoElements);
        }
        let mut weights = std::mem::take(&mut self.weights[0]);
        weigh_by((question.elements, question.counts), measure, self.asking.frequencies.as_deref(), &mut weights)
            .ok_or_else(|| Error::WeightsTooLarge { id: "the question".to_owned() })?;
        let asked = WeightedSet::new(ElementSet::new(question.elements)?, &weights)?;
        let answers = self.search_weighted(view, asked, question);
        self.weights[0] = weights;
        answers
    }

    fn search_weighted(&mut self, view: &View, asked: WeightedSet<'_>, question: &Question<'_>) -> Result<Vec<Answer>> {
        let (mut measure, mut nearest) = (question.measure, Nearest::new(question.limit));
        let mut order: Option<&Arc<ElementOrder>> = None;
        // Segments of one order stand side by side, for the most part: their keys are made once.
        for (number, part) in view.parts.iter().enumerate().rev() {
            if order.is_none_or(|order| !Arc::ptr_eq(order, part.segment.order())) {
                let new = part.segment.order();
                order = Some(new);
                self.keys.clear();
                self.asking.keys.append_asked(new, asked, measure, &mut self.keys);
            }
            self.find_candidates(part, asked.elements().len() as u32, measure);
            for index in 0..self.candidates.len() {
                let document = self.candidates[index];
                if !part.has(document, view.now) {
                    continue;
                }
                let place = Place { part: number as u32, document };
                if let Some(answer) = self.verify(part, place, (asked, measure))?
                    && let Some(worst) = nearest.push(answer)
                {
                    measure = measure.raised_to(worst);
                }
            }
        }
        Ok(nearest.into_sorted())
    }

    /// Puts the documents of a part that may be near in place of the candidates, ascending.
    fn find_candidates(&mut self, part: &Part, size: u32, measure: Measure) {
        let Self { asking, keys, candidates, .. } = self;
        let segment = &part.segment;
        candidates.clear();
        if !asking.keys.are_there() {
            return candidates.extend(0..segment.len() as u32);
        }
        let (are_shares, sizes) = (asking.keys.positions_are_shares(), segment.sizes());
        // The processor fetches what is touched while the next is touched.
        std::hint::black_box(keys.iter().map(|key| segment.touch(key.hash)).fold(0, |sum: u32, rest| sum ^ rest));
        for key in keys.iter() {
            let probing = Extent { size, position: key.position };
            for entry in segment.postings(key.hash) {
                let size_of_it = || sizes.get(entry.document as usize).copied().unwrap_or(0);
                if measure.may_reach(probing, decode_extent(entry.extent, are_shares, size_of_it)) {
                    candidates.push(entry.document);
                }
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        // Numbers of a damaged table that are none.
        candidates.truncate(candidates.partition_point(|&document| (document as usize) < sizes.len()));
    }

    fn verify(
        &mut self,
        part: &Part,
        place: Place,
        (asked, measure): (WeightedSet<'_>, Measure),
    ) -> Result<Option<Answer>> {
        let Self { asking, set, weights: [_, weights], kernel, .. } = self;
        part.segment.read_set(place.document as usize, set)?;
        weigh_by((&set.elements, &set.counts), measure, asking.frequencies.as_deref(), weights)
            .ok_or(Error::DocumentDamaged { what: "its counts" })?;
        let elements = ElementSet::new(&set.elements).map_err(|_| Error::DocumentDamaged { what: "its elements" })?;
        let found = measure.verify_weighted(*kernel, asked, WeightedSet::new(elements, weights)?);
        Ok(found.map(|found| Answer { place, found, similarity: measure.similarity(found) }))
    }
}

/// A measure with its limit, for messages.
fn described(measure: Measure) -> String {
    format!("{} {}", measure.kind(), measure.limit())
}

//! Answers questions. Owns reusable buffers: one for each thread.

use super::view::{Answer, DocAddress, Finding, View};
use crate::base::details::DocumentPart;
use crate::base::{Error, Result, SetBuffer};
use crate::segment::{Part, Scheme, SetForm, decode_extent};
use lookalike_core::DocId;
use lookalike_core::comparison::{Measure, PairCheck, VerifiedPair};
use lookalike_core::documents::{ElementSet, Form, Vector, WeightedSet};
use lookalike_core::kernel::Kernel;
use lookalike_core::keys::{BlockingKey, Bounds, ElementOrder, Extent};
use lookalike_core::rule::Nearest;
use lookalike_core::sets::OddSketches;
use lookalike_core::signatures::JaccardEstimate;
use lookalike_core::similarity::CandidatePair;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Question for the documents that are near to some elements.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The elements, strictly ascending, made by the features of the index.
    pub elements: &'a [u64],
    /// Counts of the elements; empty if all are 1.
    pub counts: &'a [u32],
    /// The measure of the index, with its threshold or a higher one.
    pub measure: Measure,
    /// Maximum number of answers, the best first; `None` for all.
    pub limit: Option<NonZeroUsize>,
}

/// A document that is worth verifying.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// Elements that only it or only the question has, at least.
    min_difference: u32,
    document: u32,
}

/// Choice of candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lookup {
    /// Documents that share a key with the question.
    ByKeys,
    /// Every document.
    Every,
}

/// Answers questions to one index.
#[derive(Debug, Clone)]
pub struct Searcher {
    scheme: Scheme,
    kernel: Kernel,
    keys: Vec<BlockingKey>,
    /// Ascending; of the documents of one part.
    candidates: Vec<Candidate>,
    /// The odd sketch of the question, or nothing.
    sketch: Vec<u64>,
    /// The signature of the question, if signatures are stored.
    signature: Vec<u8>,
    /// The number of equal bytes from which on the interval of an estimate reaches the threshold of this measure.
    min_equal: Option<(Measure, usize)>,
    /// Weights of the question, and of a candidate.
    weights: [Vec<u32>; 2],
    set: SetBuffer,
}

impl Searcher {
    pub(crate) fn new(scheme: Scheme) -> Self {
        let kernel = Kernel::detect();
        let set = SetBuffer::default();
        let keys = Vec::new();
        let candidates = Vec::new();
        let weights = Default::default();
        let sketch = Vec::new();
        let signature = Vec::new();
        Self { scheme, kernel, keys, candidates, sketch, signature, min_equal: None, weights, set }
    }

    /// The documents of a view that are near to a question, the most similar first; of equally similar ones those that
    /// were put first. All that there are, or up to the limit; by the exact method none is missing.
    ///
    /// # Errors
    /// [`Error::NoElements`]; [`Error::OtherMeasure`] if the index was made for another measure or a higher threshold;
    /// if the question is no set, or a stored document is damaged.
    pub fn search(&mut self, view: &View, question: &Question<'_>) -> Result<Vec<Answer>> {
        self.answer(view, question, Lookup::ByKeys)
    }

    /// Compares a question with every document: by any method no answer is missing. Sizes and sketches refuse most
    /// documents in some nanoseconds.
    ///
    /// # Errors
    /// As [`Searcher::search`].
    pub fn search_every(&mut self, view: &View, question: &Question<'_>) -> Result<Vec<Answer>> {
        self.answer(view, question, Lookup::Every)
    }

    fn answer(&mut self, view: &View, question: &Question<'_>, lookup: Lookup) -> Result<Vec<Answer>> {
        let measure = question.measure;
        self.scheme.check_measure(measure)?;
        if question.elements.is_empty() {
            return Err(Error::NoElements);
        }
        let mut weights = std::mem::take(&mut self.weights[0]);
        self.scheme
            .weigh(question.elements, question.counts, &mut weights)
            .ok_or_else(|| Error::WeightsTooLarge { id: "the question".to_owned() })?;
        self.check_dimensions(view, question.elements)?;
        let query = WeightedSet::new(self.scheme.form.words().checked(question.elements)?, &weights)?;
        let answers = self.search_weighted(view, query, question, lookup);
        self.weights[0] = weights;
        answers
    }

    /// Checks that a question that is a vector has as many dimensions as those of the index: it would find none.
    fn check_dimensions(&mut self, view: &View, words: &[u64]) -> Result<()> {
        if self.scheme.form.words() == Form::Elements {
            return Ok(());
        }
        let Some(expected) = view.dimensions(&mut self.set)? else { return Ok(()) };
        let found = Vector::from_words(words).map_or(0, Vector::dimensions);
        if found == expected {
            return Ok(());
        }
        Err(Error::OtherDimensions { id: "the question".to_owned(), expected, found })
    }

    /// Puts the sketch of a question, and its signature if signatures are stored, in place of those of the last one.
    fn summarize(&mut self, set: ElementSet<'_>) {
        let Self { scheme, sketch, signature, .. } = self;
        sketch.clear();
        signature.clear();
        match &mut scheme.form {
            SetForm::Signature(signatures) => signatures.append(set.elements(), signature),
            SetForm::Elements(measure) if measure.is_of_vectors() => {}
            SetForm::Elements(measure) => {
                sketch.resize(OddSketches::words_of(*measure, set.len()), 0);
                if !sketch.is_empty() {
                    OddSketches::toggle(sketch, set);
                }
            }
        }
    }

    /// Learns from how many equal bytes on stored signatures are answers; false if sets are stored.
    fn learn_min_equal(&mut self, measure: Measure) -> bool {
        let SetForm::Signature(signatures) = &self.scheme.form else { return false };
        if self.min_equal.is_none_or(|(known, _)| known != measure) {
            let threshold = measure.min_similarity().unwrap_or(0.0);
            self.min_equal = Some((measure, JaccardEstimate::min_equal(signatures.num_perm(), threshold)));
        }
        true
    }

    fn search_weighted(
        &mut self,
        view: &View,
        query: WeightedSet<'_>,
        question: &Question<'_>,
        lookup: Lookup,
    ) -> Result<Vec<Answer>> {
        let mut measure = question.measure;
        let mut nearest = Nearest::new(question.limit);
        let size = query.elements().len();
        self.summarize(query.elements());
        // Sizes bound similarities, and not estimates.
        let are_estimates = self.learn_min_equal(measure);
        let mut order: Option<&Arc<ElementOrder>> = None;
        // Segments of one order stand side by side, for the most part: their keys are made once.
        for (number, part) in view.parts.iter().enumerate().rev() {
            if order.is_none_or(|order| !Arc::ptr_eq(order, &part.segment.order)) {
                let new = &part.segment.order;
                order = Some(new);
                self.keys.clear();
                self.scheme.keys.append_query(new, query, measure, &mut self.keys);
            }
            self.find_candidates(part, size, measure, lookup);
            self.refuse_candidates(part, view.now, size, measure);
            for index in 0..self.candidates.len() {
                let Candidate { min_difference, document } = self.candidates[index];
                // The measure has risen, perhaps, since candidates were found.
                if !may_differ(measure, [size, part.segment.size(document as usize)], min_difference) {
                    continue;
                }
                let place = DocAddress { part: number as u32, document };
                if let Some(answer) = self.verify(part, place, query, measure)?
                    && let Some(worst) = nearest.push(answer)
                    && !are_estimates
                {
                    measure = measure.raised_to(worst);
                }
            }
        }
        Ok(nearest.into_sorted())
    }

    /// Puts the documents of a part that share a key with a question of this size, or all, in place of the candidates.
    fn find_candidates(&mut self, part: &Part, size: usize, measure: Measure, lookup: Lookup) {
        let Self { scheme, keys, candidates, .. } = self;
        let segment = &part.segment;
        candidates.clear();
        let of = |document: u32| Candidate { min_difference: 0, document };
        let are_shares = scheme.keys.positions_are_shares();
        let sizes = &*segment.sizes;
        if lookup == Lookup::Every || !scheme.keys.are_there() {
            candidates.extend((0..segment.len() as u32).map(of));
        } else {
            // The processor fetches what is touched while the next is touched.
            std::hint::black_box(keys.iter().map(|key| segment.touch(key.hash)).fold(0, |sum: u32, rest| sum ^ rest));
            for key in keys.iter() {
                let probing = Extent { size: size as u32, position: key.position };
                for entry in segment.postings(key.hash) {
                    let size_of_it = || sizes.get(entry.document as usize).copied().unwrap_or(0);
                    if measure.may_reach(probing, decode_extent(entry.extent, are_shares, size_of_it)) {
                        candidates.push(of(entry.document));
                    }
                }
            }
            candidates.sort_unstable();
            candidates.dedup();
            // Numbers of a damaged table that are none.
            candidates.truncate(candidates.partition_point(|candidate| (candidate.document as usize) < sizes.len()));
        }
    }

    /// Leaves the candidates that may be near, those first that can be most alike: what they leave to be found is less.
    fn refuse_candidates(&mut self, part: &Part, now: u64, size: usize, measure: Measure) {
        let Self { candidates, sketch, kernel, .. } = self;
        let segment = &part.segment;
        let sizes = &*segment.sizes;
        candidates.retain_mut(|candidate| {
            let document = candidate.document as usize;
            let both = [size, sizes[document] as usize];
            if !may_differ(measure, both, 0) {
                return false;
            }
            let other = if sketch.is_empty() { &[] } else { segment.sketch(document) };
            if !other.is_empty() {
                candidate.min_difference = OddSketches::min_difference(*kernel, [sketch, other]);
            }
            may_differ(measure, both, candidate.min_difference) && part.has(candidate.document, now)
        });
        candidates.sort_unstable();
    }

    fn verify(
        &mut self,
        part: &Part,
        place: DocAddress,
        query: WeightedSet<'_>,
        measure: Measure,
    ) -> Result<Option<Answer>> {
        let Self { scheme, set, weights: [_, weights], kernel, signature, min_equal, .. } = self;
        if let SetForm::Signature(_) = scheme.form {
            let stored = part.segment.signature(place.document as usize)?;
            let estimated = min_equal.and_then(|(_, least)| estimate(signature, stored, least));
            return Ok(estimated.map(|(found, similarity)| Answer { place, found, similarity }));
        }
        part.segment.read_set(place.document as usize, set)?;
        scheme
            .weigh(&set.elements, &set.counts, weights)
            .ok_or(Error::DocumentDamaged { part: DocumentPart::Counts })?;
        let words = scheme.form.words().as_stored(&set.elements);
        let elements = words.map_err(|_| Error::DocumentDamaged { part: DocumentPart::Elements })?;
        // The question is no document of the index.
        let pair = CandidatePair { a: DocId(u32::MAX), b: DocId(place.document) };
        let verified = PairCheck::new(measure).verify(*kernel, pair, [query, WeightedSet::new(elements, weights)?]);
        Ok(verified.map(|VerifiedPair { found, .. }| {
            let similarity = measure.similarity(found);
            Answer { place, found: Finding::Verified(found), similarity }
        }))
    }
}

/// The estimated similarity of a question and a document, if its interval reaches the threshold: so many bytes are
/// equal at least.
fn estimate(query: &[u8], stored: &[u8], min_equal: usize) -> Option<(Finding, f64)> {
    let estimate = JaccardEstimate::new(query, stored);
    let jaccard = estimate.estimated_jaccard();
    let is_near = !stored.is_empty() && jaccard > 0.0 && estimate.equal() >= min_equal;
    is_near.then(|| (Finding::Estimated(estimate.interval()), jaccard))
}

/// Returns whether documents of these sizes may be near if they differ in `min_difference` elements or more.
fn may_differ(measure: Measure, [query, other]: [usize; 2], min_difference: u32) -> bool {
    let max_difference = || measure.max_difference(query, other);
    measure.weighted().is_some()
        || measure.is_of_vectors()
        || max_difference().is_some_and(|most| min_difference as usize <= most)
}

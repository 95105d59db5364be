//! Queries, and what is near to them.

use crate::corpus::Corpus;
use lookalike_core::DocId;
use lookalike_core::comparison::Measure;
use lookalike_core::documents::{ElementSet, ShortTexts, TextHash};
use lookalike_core::rule::Reason;
use lookalike_core::signatures::estimate_interval;
use lookalike_core::similarity::{Agreement, Overlap};
use lookalike_index::{Finding, Place, Settings, View};
use lookalike_io::{AnswerFields, AnswerRow, Figures, StoredFields, Verified};
use std::num::NonZeroUsize;

/// What is asked of each query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queries<'a> {
    /// The queries, among other documents.
    pub(crate) corpus: &'a Corpus,
    /// Which of these are queries.
    pub(crate) documents: &'a [DocId],
    /// From which similarity on a document is an answer.
    pub(crate) measure: Measure,
    /// How many answers a query has at most; `None` for all.
    pub(crate) limit: Option<NonZeroUsize>,
}

impl Queries<'_> {
    /// What a query and a document have in common of which one has fewer tokens than a shingle and stands in the other
    /// as a whole, if that was looked up: it is one more element of that one. `None` also if the measure asks for more.
    pub(super) fn whole_in(&self, query: DocId, document: DocId) -> Option<Agreement> {
        let found = match (self.is_inside(query, document), self.is_inside(document, query)) {
            (true, _) => contained_in(self.corpus.sets.size(document)),
            (false, true) => {
                let Overlap { common, left, right } = contained_in(self.corpus.sets.size(query));
                Overlap { common, left: right, right: left }
            }
            (false, false) => return None,
        };
        self.measure.is_reached(found).then_some(Agreement::Sets(found))
    }

    fn is_inside(&self, text: DocId, other: DocId) -> bool {
        let Some(short) = self.corpus.short.as_ref().filter(|_| self.corpus.sets.size(text) == 1) else { return false };
        self.corpus.sets.get(text).first().is_some_and(|&element| short.is_inside(element, other))
    }

    /// Whether a query is shorter than a shingle, or a text inside it that was looked up: keys of shingles lead to
    /// neither.
    pub(crate) fn have_short_texts(&self) -> bool {
        let has =
            |short: &ShortTexts, query: DocId| short.tokens_of(query).is_some() || !short.inside(query).is_empty();
        self.corpus.short.as_ref().is_some_and(|short| self.documents.iter().any(|&query| has(short, query)))
    }
}

/// The overlap of a query of one element with a document that contains it as a whole, and has so many others.
pub(super) fn contained_in(elements: usize) -> Overlap {
    Overlap { common: 1, left: 1, right: elements + 1 }
}

/// A document that is near to a query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundAnswer<T> {
    /// The document.
    pub(crate) document: T,
    /// What is known of the two; the query is the first document.
    pub(crate) found: Finding,
    /// The similarity: exact, or estimated.
    pub(crate) similarity: f64,
    /// What they have in common.
    pub(crate) reason: Reason,
}

impl<T> FoundAnswer<T> {
    /// The row that tells it, as the answer of a rank to a query; `id` is that of the document. An estimate below the
    /// threshold of `measure` is marked.
    pub(crate) fn row<'r>(&self, query: &'r str, rank: u64, id: &'r str, measure: Measure) -> AnswerRow<'r> {
        let containments = self.found.overlap().map(Overlap::containments);
        let of_signatures = || self.found.overlap().filter(|_| measure.is_estimate()).map(estimate_interval);
        let interval = self.found.interval().or_else(of_signatures);
        let is_uncertain = self.reason == Reason::Near && interval.is_some() && !measure.is_reached_by(self.similarity);
        let reason = if is_uncertain { Reason::Uncertain } else { self.reason };
        let verified = Verified { similarity: self.similarity, containments, interval };
        AnswerRow::new(query, rank, id, Figures::new(measure.figure(), verified), reason)
    }
}

/// Whether rows tell the fields of documents: if the index stores some.
pub(crate) fn told_fields(settings: &Settings) -> AnswerFields {
    if settings.fields.is_empty() { AnswerFields::Absent } else { AnswerFields::Told }
}

/// The fields that an index stores of a document, if rows tell them.
pub(crate) fn stored_fields(view: &View, place: Place, fields: AnswerFields) -> Option<StoredFields<'static>> {
    match fields {
        AnswerFields::Absent => None,
        AnswerFields::Told => Some(StoredFields::new(view.fields(place).to_owned())),
    }
}

/// The features and the text of a document, to tell why it is an answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content<'a> {
    pub(super) elements: ElementSet<'a>,
    /// Counts or weights; empty if all are 1.
    pub(super) counts: &'a [u32],
    pub(super) text: TextHash,
}

impl Content<'_> {
    /// What two documents have in common whose similarity is above the threshold.
    pub(super) fn reason(self, other: Content<'_>, found: Agreement) -> Reason {
        let are_equal = found.may_be_of_equals() && self.elements == other.elements && self.counts == other.counts;
        if are_equal { Reason::of_equal(self.text.is_same(other.text)) } else { Reason::Near }
    }
}

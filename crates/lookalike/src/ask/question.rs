//! Questions: which documents are asked about, of what, and how many answers are wanted from which similarity on.

use crate::corpus::{Corpus, Records};
use crate::job::Job;
use lookalike_core::DocId;
use lookalike_core::comparison::Measure;
use lookalike_core::documents::{ShortTexts, TextHash};
use lookalike_core::rule::Reason;
use lookalike_core::sets::Side;
use lookalike_core::similarity::{Agreement, Overlap, Threshold};
use lookalike_index::Index;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// A document as it is compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query<'a> {
    pub(crate) elements: &'a [u64],
    /// Counts or weights; empty if all are 1.
    pub(crate) counts: &'a [u32],
    pub(crate) text_hash: TextHash,
}

impl Query<'_> {
    /// What two documents have in common whose similarity is above the threshold.
    pub(super) fn reason(self, other: Query<'_>, found: Agreement) -> Reason {
        let are_equal = found.may_be_of_equals() && self.elements == other.elements && self.counts == other.counts;
        if are_equal { Reason::of_equal(self.text_hash.is_same(other.text_hash)) } else { Reason::Near }
    }
}

/// From which similarity on documents are answers, and how many.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) measure: Measure,
    /// How many answers a query has at most; `None` for all.
    pub(crate) limit: Option<NonZeroUsize>,
}

/// Queries that were read, and what is asked of each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queries<'a> {
    /// The queries, among other documents.
    pub(crate) corpus: &'a Corpus,
    pub(crate) records: &'a Records,
    /// Which of these are queries.
    pub(crate) documents: &'a [DocId],
    pub(crate) wanted: Wanted,
}

impl<'a> Queries<'a> {
    /// A document of the corpus.
    pub(super) fn get(&self, document: DocId) -> Query<'a> {
        let Self { corpus, .. } = self;
        let elements = corpus.sets.get(document).elements();
        Query { elements, counts: corpus.sets.weights(document), text_hash: corpus.text_hash(document) }
    }

    /// The queries that have elements: to others nothing is near.
    pub(super) fn with_elements(&self) -> Vec<DocId> {
        self.documents.iter().copied().filter(|&document| self.corpus.sets.size(document) > 0).collect()
    }

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
        self.wanted.measure.is_reached(found).then_some(Agreement::Sets(found))
    }

    fn is_inside(&self, text: DocId, other: DocId) -> bool {
        let Some(short) = self.corpus.prepared.short().filter(|_| self.corpus.sets.size(text) == 1) else {
            return false;
        };
        self.corpus.sets.get(text).first().is_some_and(|&element| short.is_inside(element, other))
    }

    /// Whether a query is shorter than a shingle, or a text inside it that was looked up: keys of shingles lead to
    /// neither.
    pub(super) fn have_short_texts(&self) -> bool {
        let has =
            |short: &ShortTexts, query: DocId| short.tokens_of(query).is_some() || !short.inside(query).is_empty();
        self.corpus.prepared.short().is_some_and(|short| self.documents.iter().any(|&query| has(short, query)))
    }
}

/// The overlap of a query of one element with a document that contains it as a whole, beside `elements` elements.
pub(super) fn contained_in(elements: usize) -> Overlap {
    Overlap { common: 1, left: 1, right: elements + 1 }
}

/// Which answers of an open index are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct IndexQuestion {
    /// The minimum similarity (>=); `None` for the lowest that the index was made for.
    pub threshold: Option<Threshold>,
    /// By containment, which of the two is in the other; `None` for what the index was made for.
    pub contained: Option<Side>,
    /// How many answers at most, the most similar first; `None` for all.
    pub limit: Option<NonZeroUsize>,
}

/// A search: queries, and where their neighbours are looked for.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// The queries are its inputs; features, measure and method are those of the search, its rows the answers.
    pub job: Job,
    /// Inputs of any kind; none if the documents are in memory.
    pub corpus: Vec<PathBuf>,
    /// An index that is open, in place of the corpus.
    pub index: Option<Index>,
    /// Documents of the corpus that are asked about, by their ids; they are no answers to themselves.
    pub ids: Vec<String>,
    /// How many answers a query has at most; `None` for all.
    pub limit: Option<NonZeroUsize>,
    /// Whether the recall of a method that is not complete is measured. A sample of the queries is compared with every
    /// document, which may take longer than the search itself.
    pub recall: RecallMeasurement,
    /// The lowest similarity of answers.
    pub from: AnswersFrom,
    /// Which nouns of the job were given.
    pub given: Given,
}

/// Which nouns of a search were given: an index is asked by its own where none was, and answers by no other. One that
/// is not the default was given in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Given {
    /// What a document becomes.
    pub features: bool,
    /// What "alike" means, beside the threshold.
    pub measure: bool,
    /// How candidates are found.
    pub method: bool,
}

/// The lowest similarity of answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnswersFrom {
    /// The threshold of the measure.
    Threshold,
    /// The lowest that can be asked for: of an index the one that it was made for, else anything in common.
    #[default]
    Lowest,
}

/// Whether the recall of a search is measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RecallMeasurement {
    /// It is expected, and not measured.
    #[default]
    Omitted,
    /// It is measured on a sample of the queries, if they are many enough.
    Sampled,
}

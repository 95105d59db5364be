//! Questions: which documents are queried, of what, and how many answers are wanted from which similarity on.

use crate::corpus::{Corpus, Records};
use crate::job::Job;
use lookalike_core::DocId;
use lookalike_core::comparison::Measure;
use lookalike_core::documents::{ShortTexts, TextHash};
use lookalike_core::rule::Reason;
use lookalike_core::sets::Side;
use lookalike_core::similarity::{Agreement, Threshold};
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
    /// Reason of a pair whose similarity is above the threshold.
    pub(super) fn reason(self, other: Query<'_>, found: Agreement) -> Reason {
        let are_equal = found.may_be_of_equals() && self.elements == other.elements && self.counts == other.counts;
        if are_equal { Reason::of_equal(self.text_hash.is_same(other.text_hash)) } else { Reason::Near }
    }
}

/// Limits of answers: the measure with its threshold, and the number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnswerLimits {
    pub(crate) measure: Measure,
    /// Maximum number of answers to a query; `None` for all.
    pub(crate) limit: Option<NonZeroUsize>,
}

/// Queries that were read, and their limits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queries<'a> {
    /// The queries, among other documents.
    pub(crate) corpus: &'a Corpus,
    pub(crate) records: &'a Records,
    /// Documents that are queries.
    pub(crate) documents: &'a [DocId],
    pub(crate) wanted: AnswerLimits,
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

    /// Returns whether a query is shorter than a shingle, or a text inside it that was looked up: keys of shingles lead
    /// to neither.
    pub(super) fn have_short_texts(&self) -> bool {
        let has =
            |short: &ShortTexts, query: DocId| short.tokens_of(query).is_some() || !short.inside(query).is_empty();
        self.corpus.prepared.short().is_some_and(|short| self.documents.iter().any(|&query| has(short, query)))
    }
}

/// Parameters of a query to an open index.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct IndexQuestion {
    /// The minimum similarity (>=); `None` for the lowest that the index was made for.
    pub threshold: Option<Threshold>,
    /// Contained side of a pair, by containment; `None` for what the index was made for.
    pub contained: Option<Side>,
    /// Maximum number of answers, the most similar first; `None` for all.
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
    /// Documents of the corpus that are queried, by their ids; they are no answers to themselves.
    pub ids: Vec<String>,
    /// Maximum number of answers to a query; `None` for all.
    pub limit: Option<NonZeroUsize>,
    /// Measurement of the recall of a method that is not complete. A sample of the queries is compared with every
    /// document, which may take longer than the search itself.
    pub recall: RecallMeasurement,
    /// The lowest similarity of answers.
    pub from: AnswersFrom,
    /// Parameters of the job that were given.
    pub explicit: ExplicitParameters,
}

/// Parameters of a search that were given: an index is queried by its own where none was, and by no other. One that
/// is not the default was given in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExplicitParameters {
    /// Features of documents.
    pub features: bool,
    /// Measure, beside the threshold.
    pub measure: bool,
    /// Method that finds candidates.
    pub method: bool,
}

/// The lowest similarity of answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnswersFrom {
    /// The threshold of the measure.
    Threshold,
    /// The lowest that can be requested: of an index the one that it was made for, else anything in common.
    #[default]
    Lowest,
}

/// Measurement of the recall of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RecallMeasurement {
    /// Expected recall only.
    #[default]
    Omitted,
    /// Recall measured on a sample of the queries, if they are many enough.
    Sampled,
}

//! Queries of a job and their answers: rows, and what is counted of them.

use super::answer::FoundAnswer;
use super::compare_all::compare_all;
use super::look::look_into_texts;
use super::open_index::OpenIndex;
use super::question::{Queries, RecallMeasurement, Search};
use super::recall::measure_recall;
use crate::base::{Error, Result};
use crate::corpus::{Records, may_be_short};
use crate::job::{Data, Job};
use crate::jobs::Running;
use crate::report::{CorpusCounts, Found, QueryState, Report, SearchCounts};
use crate::run::Session;
use crate::write::AnswerOutput;
use lookalike_core::DocId;
use lookalike_core::comparison::Measure;
use lookalike_core::sets::Side;
use lookalike_core::similarity::Figure;
use lookalike_io::rows::{AnswerFields, AnswerRow};
use std::collections::HashSet;

/// Target of queries. All targets give the same answers in the same order: the most similar first, of
/// equally similar ones the first.
pub(super) enum QueryTarget<'a> {
    /// The first documents of the corpus of the queries: each is compared.
    Documents(usize),
    /// The documents of an index, by its keys.
    Index(OpenIndex<'a>),
    /// The texts that an index stores, for queries that are shorter than a shingle.
    Texts(OpenIndex<'a>),
}

/// Whose texts of one shingle are counted: they may have fewer tokens, and the search does not look for such inside
/// longer ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shortness {
    /// Texts of this side of a containment.
    Counted(Side),
    Harmless,
}

impl Shortness {
    fn new(job: &Job, measure: Measure) -> Self {
        match measure.contained().filter(|_| may_be_short(&job.inputs, &job.features)) {
            Some(containment) => Self::Counted(containment.contained),
            None => Self::Harmless,
        }
    }

    /// Returns whether queries are counted.
    fn is_of_queries(self) -> bool {
        matches!(self, Self::Counted(Side::Either | Side::InReference))
    }

    /// Returns whether documents are counted.
    fn is_of_documents(self) -> bool {
        matches!(self, Self::Counted(Side::Either | Side::OfReference))
    }
}

/// Rows of answers, and what is counted of them.
pub(super) struct AnswerCollector {
    pub(super) output: AnswerOutput,
    pub(super) counts: SearchCounts,
    measure: Measure,
    /// The name of the first query that was read.
    pub(super) first: Option<String>,
    /// Queries with an answer; those that arrive by their numbers in their batches.
    answered: HashSet<DocId>,
    figure: Figure,
    /// Presence in rows of the fields that an index stores.
    fields: AnswerFields,
    pub(super) shortness: Shortness,
    recall: RecallMeasurement,
}

impl AnswerCollector {
    /// Begins the rows of a job, with figures and fields as it tells them.
    pub(super) fn begin(
        running: &Running<'_>,
        search: &Search,
        measure: Measure,
        figure: Figure,
        fields: AnswerFields,
    ) -> Result<Self> {
        let Running { job, session, .. } = running;
        let rows = running.rows_or_report();
        let output = AnswerOutput::create(rows, &job.outputs, figure, fields, &session.staging())?;
        let shortness = Shortness::new(job, measure);
        let counts = SearchCounts::default();
        let answered = HashSet::new();
        let recall = search.recall;
        Ok(Self { output, counts, measure, first: None, answered, figure, fields, shortness, recall })
    }

    /// Adds the answers to a query, which has a row or none, as its answers have.
    pub(super) fn add(&mut self, query: &str, query_row: Option<u64>, answers: Vec<FoundAnswer>) -> Result<()> {
        self.counts.answered += u64::from(!answers.is_empty());
        self.counts.answers += answers.len() as u64;
        for (rank, answer) in (1..).zip(answers) {
            let row = answer.into_row(query, rank, self.measure);
            self.output.add(AnswerRow { rows: [query_row, row.rows[1]], ..row })?;
        }
        Ok(())
    }

    /// Adds the answers to a query that was read.
    fn add_read(&mut self, queries: &Queries<'_>, query: DocId, answers: Vec<FoundAnswer>) -> Result<()> {
        let Queries { corpus, records, .. } = queries;
        if !answers.is_empty() {
            self.answered.insert(query);
        }
        // One that is queried by its id stands in no row of the queries.
        let row = records.row(query).filter(|_| !records.is_reference(query));
        self.add(corpus.listing.ids.get(query), row, answers)
    }

    /// Looks for the answers to queries, and adds them.
    pub(super) fn answer(
        &mut self,
        target: &QueryTarget<'_>,
        queries: &Queries<'_>,
        session: &Session<'_>,
    ) -> Result<()> {
        match target {
            QueryTarget::Documents(among) => {
                compare_all(queries, *among, session, |query, answers| self.add_read(queries, query, answers))
            }
            QueryTarget::Index(index) => {
                self.measure_recall(queries, index, session)?;
                index.answer(queries, session, |query, answers| self.add_read(queries, query, answers))
            }
            QueryTarget::Texts(index) => {
                look_into_texts(queries, index, session, |query, answers| self.add_read(queries, query, answers))
            }
        }
    }

    /// Measures the recall once, if that is wanted and it is not promised to be complete.
    fn measure_recall(&mut self, queries: &Queries<'_>, target: &OpenIndex<'_>, session: &Session<'_>) -> Result<()> {
        let is_wanted = self.recall == RecallMeasurement::Sampled;
        if is_wanted && self.counts.expected_recall < 1.0 && self.counts.measured_recall.is_none() {
            self.counts.measured_recall = measure_recall(queries, target, session)?;
        }
        Ok(())
    }

    /// Counts queries.
    pub(super) fn count(&mut self, queries: &Queries<'_>) {
        let sizes = queries.documents.iter().map(|&document| queries.corpus.sets.size(document));
        self.counts.queries += queries.documents.len() as u64;
        self.counts.without_elements += sizes.clone().filter(|&size| size == 0).count() as u64;
        if self.shortness.is_of_queries() {
            self.counts.of_one_shingle += sizes.filter(|&size| size == 1).count() as u64;
        }
        if let (None, Some(&first)) = (&self.first, queries.documents.first()) {
            self.first = Some(queries.corpus.listing.ids.get(first).to_owned());
        }
    }

    /// Counts documents by their numbers of elements, where short ones are not looked for.
    pub(super) fn count_documents(&mut self, sizes: impl Iterator<Item = usize>) {
        if self.shortness.is_of_documents() {
            self.counts.not_looked_up = sizes.filter(|&size| size == 1).count() as u64;
        }
    }

    /// Checks that some query has elements.
    pub(super) fn check_elements(&self) -> Result<()> {
        let SearchCounts { queries: count, without_elements, .. } = self.counts;
        match self.first.clone().filter(|_| without_elements == count) {
            Some(id) => Err(Error::NoElements { id, count }),
            None => Ok(()),
        }
    }

    /// The report of the job, with its outputs published. Of rows in memory there is a state for each.
    pub(super) fn finish(
        mut self,
        running: Running<'_>,
        corpus: CorpusCounts,
        records: &Records,
        data: &Data,
    ) -> Result<Report> {
        self.counts.short = if self.measure.contained().is_none() { corpus.short } else { 0 };
        self.output.show(running.session.stages.progress)?;
        let Self { output, counts, answered, figure, fields, .. } = self;
        let (file, listed) = output.finish()?;
        let state = |document: Option<DocId>| match document {
            None => QueryState::LeftOut,
            Some(document) if answered.contains(&document) => QueryState::Answered,
            Some(_) => QueryState::Unanswered,
        };
        let documents = data.inputs.as_ref().map(|inputs| records.documents_of_rows(inputs.rows()));
        let rows = documents.map(|documents| documents.into_iter().map(state).collect());
        let found = Found::Search { counts, listed, rows, figure, fields };
        running.finish(file.into_iter().collect(), found, corpus)
    }
}

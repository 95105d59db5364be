//! An index as it is at a moment, to which queries are put: one by one, or many by all threads.

use super::answer::FoundAnswer;
use super::question::{AnswerLimits, Queries, Query};
use crate::base::{Result, Stage};
use crate::corpus::Records;
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::DocId;
use lookalike_core::rule::Reason;
use lookalike_index::{Answer, DocAddress, Finding, Index, Question, Searcher, SetBuffer, Settings, View};
use lookalike_io::rows::{AnswerFields, StoredFields};

/// Queries that a thread asks at a time.
const CHUNK_QUERIES: usize = 16;

/// Source of what rows have of documents beside their ids.
#[derive(Clone, Copy)]
pub(super) enum Naming<'a> {
    /// The fields that it stores, if it stores some.
    Stored(AnswerFields),
    /// The numbers of their rows: the index was made of the first of these records.
    Read(&'a Records),
}

/// Presence of fields in rows: if the index stores some.
pub(super) fn answer_fields(settings: &Settings) -> AnswerFields {
    if settings.fields.is_empty() { AnswerFields::Absent } else { AnswerFields::Present }
}

/// An index, as it is at a moment.
#[derive(Clone, Copy)]
pub(super) struct OpenIndex<'a> {
    pub(super) index: &'a Index,
    pub(super) view: &'a View,
    pub(super) naming: Naming<'a>,
}

impl<'a> OpenIndex<'a> {
    /// A stored index.
    pub(super) fn stored(index: &'a Index, view: &'a View) -> Self {
        Self { index, view, naming: Naming::Stored(answer_fields(index.settings())) }
    }

    /// The documents that are near to a query.
    pub(super) fn ask(
        &self,
        searcher: &mut Searcher,
        query: Query<'_>,
        wanted: AnswerLimits,
    ) -> Result<Vec<FoundAnswer>> {
        let Query { elements, counts, .. } = query;
        let AnswerLimits { measure, limit } = wanted;
        let answers = searcher.search(self.view, &Question { elements, counts, measure, limit })?;
        answers.into_iter().map(|answer| self.found(query, answer)).collect()
    }

    /// The documents that are near to one of the index itself.
    pub(super) fn ask_stored(
        &self,
        searcher: &mut Searcher,
        queried: DocAddress,
        wanted: AnswerLimits,
    ) -> Result<Vec<FoundAnswer>> {
        let mut set = SetBuffer::default();
        self.view.read_set(queried, &mut set)?;
        let text_hash = self.view.facts(queried).text_hash;
        let query = Query { elements: &set.elements, counts: &set.counts, text_hash };
        // One more, because it finds itself.
        let limit = wanted.limit.and_then(|limit| limit.checked_add(1));
        let Query { elements, counts, .. } = query;
        let question = Question { elements, counts, measure: wanted.measure, limit };
        let mut others = searcher.search(self.view, &question)?;
        others.retain(|answer| answer.place != queried);
        if let Some(limit) = limit {
            others.truncate(limit.get() - 1);
        }
        others.into_iter().map(|answer| self.found(query, answer)).collect()
    }

    /// Calls `visit` with each query that has elements, and the documents that are near to it, which all threads look
    /// for.
    pub(super) fn answer(
        &self,
        queries: &Queries<'_>,
        session: &Session<'_>,
        mut visit: impl FnMut(DocId, Vec<FoundAnswer>) -> Result<()> + Send,
    ) -> Result<()> {
        let queried = queries.with_elements();
        session.stage(Stage::over_documents(Stage::SEARCHING, queried.len()), || {
            let work = |searcher: &mut Searcher, some: &[DocId]| {
                session.stages.check()?;
                let answer = |&query: &DocId| Ok((query, self.ask(searcher, queries.get(query), queries.wanted)?));
                let all = some.iter().map(answer).collect::<Result<Vec<_>>>();
                session.stages.progress.advance(some.len() as u64);
                all
            };
            let chunks = queried.chunks(CHUNK_QUERIES);
            // A thread that has nothing to do takes longer to start than a query to be answered.
            let pace = session.pace_for(1 << 20).with_threads(chunks.len());
            let take = |answered: Result<Vec<(DocId, Vec<FoundAnswer>)>>| {
                answered?.into_iter().try_for_each(|(query, answers)| visit(query, answers))
            };
            ordered_map(chunks, pace, || self.index.searcher(), work, take)
        })
    }

    /// An answer with what it has in common with the query.
    fn found(&self, query: Query<'_>, answer: Answer) -> Result<FoundAnswer> {
        let reason = self.view.reason(query.elements, query.counts, query.text_hash, &answer)?;
        let Answer { place, found, similarity } = answer;
        Ok(self.answer_at(place, found, similarity, reason))
    }

    /// The document at a place as an answer.
    pub(super) fn answer_at(&self, place: DocAddress, found: Finding, similarity: f64, reason: Reason) -> FoundAnswer {
        let row = match self.naming {
            Naming::Stored(_) => None,
            Naming::Read(records) => self.view.ordinal(place).and_then(|ordinal| records.row(DocId(ordinal))),
        };
        let fields = match self.naming {
            Naming::Stored(AnswerFields::Present) => Some(StoredFields::new(self.view.fields(place).to_owned())),
            Naming::Stored(AnswerFields::Absent) | Naming::Read(_) => None,
        };
        FoundAnswer { id: self.view.id(place).to_owned(), row, fields, found, similarity, reason }
    }
}

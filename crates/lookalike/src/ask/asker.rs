//! Questions to an index that is open.

use super::answer::FoundAnswer;
use super::contents::{DocumentMaker, NewDocument, RawContent};
use super::open_index::OpenIndex;
use super::question::{AnswerLimits, IndexQuestion};
use crate::base::details::IndexParameter;
use crate::base::{Error, Progress, Result};
use lookalike_core::comparison::Measure;
use lookalike_core::sets::Containment;
use lookalike_index::{Index, IndexDocument, Searcher};
use lookalike_io::rows::AnswerRow;
use std::collections::{HashSet, VecDeque};
use std::num::NonZeroUsize;

/// Asks an index. Owns reusable buffers: create one per thread.
#[derive(Debug, Clone)]
pub struct Asker {
    index: Index,
    searcher: Searcher,
    maker: DocumentMaker,
}

impl Asker {
    /// Asks this index.
    pub fn new(index: &Index) -> Self {
        Self { index: index.clone(), searcher: index.searcher(), maker: DocumentMaker::new(index.settings()) }
    }

    /// The index that it asks.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The measure by which a question is answered.
    ///
    /// # Errors
    /// [`Error::OfIndex`] for a threshold where the measure has none, or a side where it is no containment; if the
    /// threshold is below that of the index.
    pub fn measure_of(&self, question: &IndexQuestion) -> Result<Measure> {
        let stored = self.index.settings().measure;
        let refused = |parameter| Error::OfIndex { parameter, path: self.index.path().to_owned() };
        let raised = match question.threshold {
            None => stored,
            Some(threshold) => stored.with_threshold(threshold).ok_or_else(|| refused(IndexParameter::Threshold))?,
        };
        let measure = match (question.contained, raised) {
            (None, _) => raised,
            (Some(contained), Measure::Containment(mine)) => Measure::Containment(Containment { contained, ..mine }),
            (Some(_), _) => return Err(refused(IndexParameter::Side)),
        };
        self.index.check_measure(measure)?;
        Ok(measure)
    }

    /// A document as the index stores it.
    ///
    /// # Errors
    /// As [`DocumentMaker::document`].
    pub fn document(&mut self, given: NewDocument) -> Result<IndexDocument> {
        self.maker.document(given)
    }

    /// Number of elements of a text or items: without any, they are near to nothing.
    ///
    /// # Errors
    /// As [`DocumentMaker::document`].
    pub fn size(&mut self, content: &RawContent) -> Result<usize> {
        let content = self.maker.content_of(content)?;
        Ok(self.maker.make(content)?.elements.len())
    }

    /// The documents that are near to a text or items, which the answers call `query`; none if it has no elements.
    ///
    /// # Errors
    /// As [`DocumentMaker::document`] and [`Asker::measure_of`]; if a stored document is damaged.
    pub fn search(
        &mut self,
        query: &str,
        content: &RawContent,
        question: &IndexQuestion,
    ) -> Result<Vec<AnswerRow<'static>>> {
        let wanted = self.wanted(question)?;
        let view = self.index.view();
        let content = self.maker.content_of(content)?;
        let queried = self.maker.make(content)?;
        if queried.elements.is_empty() {
            return Ok(Vec::new());
        }
        let found = OpenIndex::stored(&self.index, &view).ask(&mut self.searcher, queried, wanted)?;
        Ok(rows(query, found, wanted.measure))
    }

    /// The documents that are near to one of the index, itself aside; `None` if there is none with this id.
    ///
    /// # Errors
    /// As [`Asker::measure_of`]; [`lookalike_index::Error::SignaturesOnly`]; if a stored document is damaged.
    pub fn search_id(&mut self, id: &str, question: &IndexQuestion) -> Result<Option<Vec<AnswerRow<'static>>>> {
        let wanted = self.wanted(question)?;
        let view = self.index.view();
        let Some(place) = view.find(id) else { return Ok(None) };
        if view.size(place) == 0 {
            return Ok(Some(Vec::new()));
        }
        let found = OpenIndex::stored(&self.index, &view).ask_stored(&mut self.searcher, place, wanted)?;
        Ok(Some(rows(id, found, wanted.measure)))
    }

    /// The family of a document, of which at most `max_members` are named; `None` if there is no document with this id.
    /// Documents that come and go meanwhile may be missing, and those that were not found when it is cancelled.
    ///
    /// # Errors
    /// As [`Asker::search_id`].
    pub fn family(
        &mut self,
        id: &str,
        question: &IndexQuestion,
        max_members: usize,
        progress: &dyn Progress,
    ) -> Result<Option<ConnectedFamily>> {
        if self.index.view().find(id).is_none() {
            return Ok(None);
        }
        let mut members = vec![FamilyMember { id: id.to_owned(), found_by: None }];
        let mut known = HashSet::from([id.to_owned()]);
        let mut to_ask = VecDeque::from([id.to_owned()]);
        // Of so many at least one is new, or all that are near are known.
        let question = IndexQuestion { limit: NonZeroUsize::new(max_members + 1), ..*question };
        while let Some(next) = to_ask.pop_front() {
            if progress.is_cancelled() {
                return Ok(Some(ConnectedFamily { members, is_whole: false }));
            }
            for answer in self.search_id(&next, &question)?.unwrap_or_default() {
                if !known.insert(answer.id.to_string()) {
                    continue;
                }
                if members.len() >= max_members {
                    return Ok(Some(ConnectedFamily { members, is_whole: false }));
                }
                to_ask.push_back(answer.id.to_string());
                members.push(FamilyMember { id: answer.id.to_string(), found_by: Some(answer) });
            }
        }
        Ok(Some(ConnectedFamily { members, is_whole: true }))
    }

    fn wanted(&self, question: &IndexQuestion) -> Result<AnswerLimits> {
        Ok(AnswerLimits { measure: self.measure_of(question)?, limit: question.limit })
    }
}

/// Answers to a query as rows, the most similar first.
fn rows(query: &str, found: Vec<FoundAnswer>, measure: Measure) -> Vec<AnswerRow<'static>> {
    (1..).zip(found).map(|(rank, answer)| answer.into_row(query, rank, measure).into_owned()).collect()
}

/// Documents that near-duplicates connect.
#[derive(Debug, Clone, PartialEq)]
pub struct ConnectedFamily {
    /// Members in the order in which they were found, the queried document first.
    pub members: Vec<FamilyMember>,
    /// True if no member is missing.
    pub is_whole: bool,
}

/// A document of a family.
#[derive(Debug, Clone, PartialEq)]
pub struct FamilyMember {
    /// Its id.
    pub id: String,
    /// The answer by which it was found, to an earlier member; `None` for the document that was queried.
    pub found_by: Option<AnswerRow<'static>>,
}

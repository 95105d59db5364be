//! Questions to an index that is open.

use super::maker::{DocumentMaker, GivenContent, Made, NewDocument};
use crate::ground::details::IndexParameter;
use crate::ground::{Error, Result};
use crate::search::{FoundAnswer, ask_for_stored, stored_fields, told_fields, with_reasons};
use lookalike_core::comparison::Measure;
use lookalike_core::sets::{Containment, Side};
use lookalike_core::similarity::Threshold;
use lookalike_index::{Document, Index, Place, Question, Searcher, View};
use lookalike_io::AnswerRow;
use std::num::NonZeroUsize;

/// Which answers are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LiveQuestion {
    /// The minimum similarity (>=); `None` for the lowest that the index was made for.
    pub threshold: Option<Threshold>,
    /// By containment, which of the two is in the other; `None` for what the index was made for.
    pub contained: Option<Side>,
    /// How many answers at most, the most similar first; `None` for all.
    pub limit: Option<NonZeroUsize>,
}

/// Asks an index. Owns reusable buffers: create one per thread.
#[derive(Debug, Clone)]
pub struct Asker {
    pub(super) index: Index,
    pub(super) searcher: Searcher,
    pub(super) maker: DocumentMaker,
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
    pub fn measure_of(&self, question: &LiveQuestion) -> Result<Measure> {
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
    pub fn document(&mut self, given: NewDocument) -> Result<Document> {
        self.maker.document(given)
    }

    /// Number of elements of a text or items: without any, they are near to nothing.
    ///
    /// # Errors
    /// As [`DocumentMaker::document`].
    pub fn size(&mut self, content: &GivenContent) -> Result<usize> {
        let content = self.maker.content_of(content)?;
        Ok(self.maker.make(content)?.elements.len())
    }

    /// The documents that are near to a text or items, which the answers call `query`; none if it has no elements.
    ///
    /// # Errors
    /// As [`DocumentMaker::document`] and [`Asker::measure_of`]; if a stored document is damaged.
    pub fn search(
        &mut self,
        (query, content): (&str, &GivenContent),
        question: &LiveQuestion,
    ) -> Result<Vec<AnswerRow<'static>>> {
        let measure = self.measure_of(question)?;
        let view = self.index.view();
        let content = self.maker.content_of(content)?;
        let Made { elements, counts, text_hash } = self.maker.make(content)?;
        if elements.is_empty() {
            return Ok(Vec::new());
        }
        let asked = Question { elements, counts, measure, limit: question.limit };
        let found = self.searcher.search(&view, &asked)?;
        let found = with_reasons(&view, (elements, counts, text_hash), found)?;
        Ok(self.rows(&view, (query, measure), &found))
    }

    /// The documents that are near to one of the index, itself aside; `None` if there is none with this id.
    ///
    /// # Errors
    /// As [`Asker::measure_of`]; [`lookalike_index::Error::SignaturesOnly`]; if a stored document is damaged.
    pub fn search_id(&mut self, id: &str, question: &LiveQuestion) -> Result<Option<Vec<AnswerRow<'static>>>> {
        let measure = self.measure_of(question)?;
        let view = self.index.view();
        let Some(place) = view.find(id) else { return Ok(None) };
        if view.size(place) == 0 {
            return Ok(Some(Vec::new()));
        }
        let found = ask_for_stored((&mut self.searcher, &view), place, (measure, question.limit))?;
        Ok(Some(self.rows(&view, (id, measure), &found)))
    }

    fn rows(
        &self,
        view: &View,
        (query, measure): (&str, Measure),
        found: &[FoundAnswer<Place>],
    ) -> Vec<AnswerRow<'static>> {
        let fields = told_fields(self.index.settings());
        let row = |(rank, answer): (u64, &FoundAnswer<Place>)| {
            let place = answer.document;
            let row = answer.row(query, rank, view.id(place), measure);
            AnswerRow { fields: stored_fields(view, place, fields), ..row }.into_owned()
        };
        (1..).zip(found).map(row).collect()
    }
}

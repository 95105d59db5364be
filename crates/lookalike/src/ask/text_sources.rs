//! The sources of a text among the documents of an index that are near to it.
//!
//! The index finds which documents are near, by its own measure and threshold; in their stored texts the passages are
//! looked for. So a source that shares less with the text than the index was made for is not among them: an index by
//! containment, with a low threshold, finds also those of which little was taken.

use super::asker::Asker;
use super::contents::RawContent;
use super::question::IndexQuestion;
use crate::base::{Error, Progress, Result};
use crate::job::Job;
use crate::jobs::{SourceSearch, check_features};
use crate::passages::{Attribution, SharedSource, attribute_text};
use crate::report::{TextSource, TextSources};
use crate::run::Session;
use crate::write::passage_rows;
use lookalike_core::comparison::Features;
use lookalike_core::kernel::Kernel;
use lookalike_core::sets::ShingleSize;
use lookalike_core::{DocId, Resources};
use lookalike_io::{read::compared_content, rows::AnswerRow};
use std::num::NonZeroUsize;

/// Parameters of a search for passages of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassageQuestion {
    /// Parameters of the search for documents near to the text.
    pub near: IndexQuestion,
    /// The shortest passage.
    pub min_match: ShingleSize,
    /// Other tokens inside what is reported as one passage, at most; they are not counted.
    pub gap: usize,
}

impl Default for PassageQuestion {
    fn default() -> Self {
        let near = IndexQuestion { limit: NonZeroUsize::new(20), ..IndexQuestion::default() };
        Self { near, min_match: SourceSearch::MIN_MATCH, gap: SourceSearch::GAP }
    }
}

impl Asker {
    /// The sources of a text. Each run of as many tokens as the shortest passage, or more, that stands in both is
    /// found.
    ///
    /// # Errors
    /// [`Error::PassagesWithoutTexts`] if the index stores none; as [`Asker::search`];
    /// [`crate::details::Contradiction::NoPassages`];
    /// [`Error::Interrupted`] if it is cancelled.
    pub fn sources(&mut self, text: &str, question: &PassageQuestion, progress: &dyn Progress) -> Result<TextSources> {
        let settings = self.index().settings();
        if !settings.texts {
            return Err(Error::PassagesWithoutTexts { path: self.index().path().to_owned() });
        }
        let features = settings.features.with_shingle_size(question.min_match);
        let near = self.search("text", &RawContent::Text(text.to_owned()), &question.near)?;
        check_features(&Job { features: features.clone(), ..Job::default() })?;
        let view = self.index().view();
        let mut sources = Vec::with_capacity(near.len());
        for answer in near {
            // One that went meanwhile is no source.
            if let Some(place) = view.find(&answer.id) {
                sources.push(NearText { text: compared_text(&view.text(place)?, &features), answer });
            }
        }
        let text = compared_text(text, &features);
        let texts: Vec<&str> = sources.iter().map(|source| &source.text[..]).collect();
        let resources = Resources { threads: NonZeroUsize::new(1), ..Resources::default() };
        let session = Session::new(&resources, progress)?;
        let found = attribute_text(&text, &texts, &features, question.gap, &session)?;
        let tokenizer = features.tokenizer(Kernel::detect());
        let visible = |text: &str| tokenizer.visible_text(text).into_owned();
        let source = |(rank, source): (u64, &SharedSource)| {
            let NearText { answer, text } = &sources[source.source.index()];
            source_of_text(&found, source, AnswerRow { rank, ..answer.clone() }, visible(text))
        };
        Ok(TextSources {
            text: visible(&text),
            tokens: found.tokens as u64,
            covered_tokens: found.covered as u64,
            sources: (1..).zip(&found.sources).map(source).collect(),
        })
    }
}

/// A document that is near to a text.
struct NearText {
    answer: AnswerRow<'static>,
    /// Text that is compared.
    text: String,
}

/// Text that is compared: the article of a page, where articles are.
fn compared_text(text: &str, features: &Features) -> String {
    compared_content(text.into(), features.text()).compared().stored().into_owned()
}

fn source_of_text(
    found: &Attribution,
    source: &SharedSource,
    document: AnswerRow<'static>,
    text: String,
) -> TextSource {
    let id = document.id.clone();
    let name_of = |named: DocId| if named == found.document { "text" } else { &id };
    let passages = passage_rows(found, document.rank, source, name_of).map(|row| row.into_owned()).collect();
    TextSource { share: source.covered as f64 / found.tokens.max(1) as f64, passages, text, document }
}

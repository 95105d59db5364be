//! The sources of a text among the documents of an index that are near to it.
//!
//! The index finds which documents are near, by its own measure and threshold; in their stored texts the passages are
//! looked for. So a source that shares less with the text than the index was made for is not among them: an index by
//! containment, with a low threshold, finds also those of which little was taken.

use super::asker::{Asker, LiveQuestion};
use super::maker::GivenContent;
use crate::ground::{Error, Progress, Result};
use crate::job::{Data, Job};
use crate::jobs::{Found, SourceSearch, sources};
use lookalike_core::Resources;
use lookalike_core::kernel::Kernel;
use lookalike_core::rule::Rule;
use lookalike_core::sets::ShingleSize;
use lookalike_io::{AnswerRow, InMemory, MemoryTexts, PassageRow, SourceRow, TextList};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Which passages of a text are looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassageQuestion {
    /// In which documents: those near to the text.
    pub near: LiveQuestion,
    /// The shortest passage.
    pub min_match: ShingleSize,
    /// Other tokens inside what is told as one passage, at most; they are not counted.
    pub gap: usize,
}

impl Default for PassageQuestion {
    fn default() -> Self {
        let near = LiveQuestion { limit: NonZeroUsize::new(20), ..LiveQuestion::default() };
        Self { near, min_match: SourceSearch::MIN_MATCH, gap: SourceSearch::GAP }
    }
}

/// A text and its sources.
#[derive(Debug, Clone, PartialEq)]
pub struct TextSources {
    /// The text as its tokens stand in it: without markup, if the index drops that.
    pub text: String,
    /// Number of its tokens.
    pub tokens: u64,
    /// Number of those that stand in any source.
    pub covered_tokens: u64,
    /// Those with the largest shares first.
    pub sources: Vec<TextSource>,
}

/// A source of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextSource {
    /// The document, as an answer to the text.
    pub document: AnswerRow<'static>,
    /// The share of the tokens of the text that stand in it.
    pub share: f64,
    /// Its text as its tokens stand in it.
    pub text: String,
    /// In the order of the text.
    pub passages: Vec<PassageRow<'static>>,
}

impl Asker {
    /// The sources of a text. Each run of as many tokens as the shortest passage, or more, that stands in both is
    /// found.
    ///
    /// # Errors
    /// [`Error::PassagesWithoutTexts`] if the index stores none; as [`Asker::search`];
    /// [`crate::Contradiction::NoPassages`];
    /// [`Error::Interrupted`] if it is cancelled.
    pub fn sources(&mut self, text: &str, question: &PassageQuestion, progress: &dyn Progress) -> Result<TextSources> {
        let settings = self.index.settings();
        if !settings.texts {
            return Err(Error::PassagesWithoutTexts { path: self.index.path().to_owned() });
        }
        let features = settings.features.with_shingle_size(question.min_match);
        let content = GivenContent::Text(text.to_owned());
        let mut near = self.search(("text", &content), &question.near)?;
        let view = self.index.view();
        let mut texts = Vec::with_capacity(near.len());
        for answer in &near {
            // One that went meanwhile is no source.
            texts.push(view.find(&answer.id).map(|place| view.text(place)).transpose()?);
        }
        let mut present = texts.iter().map(Option::is_some);
        near.retain(|_| present.next().unwrap_or(false));
        let texts: Arc<Vec<String>> = Arc::new(texts.into_iter().flatten().collect());
        let numbers: Vec<String> = (0..texts.len()).map(|number| number.to_string()).collect();
        let references = MemoryTexts::with_ids(Arc::clone(&texts) as Arc<dyn TextList>, Arc::new(numbers));
        let data = Data {
            inputs: Some(InMemory::Texts(MemoryTexts::new(Arc::new(vec![text.to_owned()])))),
            references: references.map(InMemory::Texts),
        };
        let job = Job { features: features.clone(), rule: Rule::Against, ..Job::default() };
        let search = SourceSearch { job, gap: question.gap, max_documents: u32::MAX, ignore: Vec::new() };
        let resources = Resources { threads: NonZeroUsize::new(1), ..Resources::default() };
        let report = sources(&search, &data, &resources, progress)?;
        let tokenizer = features.tokenizer(Kernel::detect());
        let visible = |text: &str| tokenizer.visible_text(text).into_owned();
        let mut found =
            TextSources { text: visible(text), tokens: 0, covered_tokens: 0, sources: Vec::with_capacity(texts.len()) };
        let Found::Sources { counts, listed, .. } = report.found else { return Ok(found) };
        (found.tokens, found.covered_tokens) = (counts.tokens, counts.covered_tokens);
        let passages = listed.into_iter().filter_map(|row| match row {
            SourceRow::Passage(passage) => Some(passage),
            SourceRow::Unsourced(_) => None,
        });
        let passages: Vec<PassageRow<'static>> = passages.collect();
        for passages in passages.chunk_by(|a, b| a.rank == b.rank) {
            let number: usize = passages[0].source.parse().unwrap_or(usize::MAX);
            let (Some(document), Some(text)) = (near.get(number), texts.get(number)) else { continue };
            found.sources.push(TextSource {
                document: AnswerRow { rank: passages[0].rank, ..document.clone() },
                share: passages[0].share,
                text: visible(text),
                passages: passages.to_vec(),
            });
        }
        Ok(found)
    }
}

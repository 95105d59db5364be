//! The sources of one text.

use lookalike_io::rows::{AnswerRow, PassageRow};

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

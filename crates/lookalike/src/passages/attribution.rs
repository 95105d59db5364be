//! What of a document stands in which sources.

use lookalike_core::DocId;
use lookalike_core::passages::TokenSpan;

/// What of a document stands in which sources.
#[derive(Debug)]
pub(crate) struct Attribution {
    pub(crate) document: DocId,
    /// Number of its tokens.
    pub(crate) tokens: usize,
    /// Number of those that stand in a source.
    pub(crate) covered: usize,
    /// Number of the others that stand in more documents than a source may.
    pub(crate) common: usize,
    /// Those with the largest shares first; of equal ones, the first that was read.
    pub(crate) sources: Vec<SharedSource>,
}

/// A source of a document.
#[derive(Debug)]
pub(crate) struct SharedSource {
    pub(crate) source: DocId,
    /// Number of tokens of the document that stand in it.
    pub(crate) covered: usize,
    /// In the order of the document.
    pub(crate) passages: Vec<SharedPassage>,
}

/// A passage, or several with small edits between, on both sides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SharedPassage {
    /// Number of tokens of the document that stand in the source, what lies between not counted.
    pub(crate) tokens: usize,
    /// Where it stands in the document.
    pub(crate) here: TokenSpan,
    /// Where it stands in the source.
    pub(crate) there: TokenSpan,
}

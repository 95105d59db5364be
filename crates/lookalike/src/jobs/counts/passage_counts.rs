//! What a search for sources counts.

use crate::passages::Attribution;
use serde::Serialize;

/// Counts of `sources`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct PassageCounts {
    /// Documents whose sources were looked for.
    pub documents: u64,
    /// Documents that have a source.
    pub with_sources: u64,
    /// Sources of all documents; one that has passages of several counts for each.
    pub sources: u64,
    /// Passages, as they are shown.
    pub passages: u64,
    /// Tokens of all documents.
    pub tokens: u64,
    /// Those that stand in a source.
    pub covered_tokens: u64,
    /// Those of the others that stand in too many documents, or in what is ignored.
    pub common_tokens: u64,
    /// Documents with fewer tokens than the shortest passage.
    pub short: u64,
    /// Those of the references.
    pub short_references: u64,
    /// The largest share of a document that stands in sources.
    pub highest_share: f64,
}

/// A passage that too many documents have, so that it counts for none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommonPassage {
    /// Number of its tokens.
    pub tokens: u64,
    /// Number of documents that have it.
    pub documents: u64,
    /// Id of the first document that has it.
    pub id: String,
    /// Its first line there, from 1.
    pub line: u64,
    /// Its last line there.
    pub end_line: u64,
    /// How it begins.
    pub text: String,
}

impl PassageCounts {
    pub(in crate::jobs) fn add(&mut self, found: &Attribution, min_match: usize) {
        self.documents += 1;
        self.with_sources += u64::from(!found.sources.is_empty());
        self.sources += found.sources.len() as u64;
        self.passages += found.sources.iter().map(|source| source.passages.len() as u64).sum::<u64>();
        self.tokens += found.tokens as u64;
        self.covered_tokens += found.covered as u64;
        self.common_tokens += found.common as u64;
        self.short += u64::from(found.tokens < min_match);
        let share = found.covered as f64 / found.tokens.max(1) as f64;
        self.highest_share = self.highest_share.max(share);
    }
}

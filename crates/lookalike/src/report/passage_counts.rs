//! Counts of the jobs over passages.

use crate::corpus::Listing;
use crate::passages::{Attribution, Cuts, Fate};
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
    pub(crate) fn add(&mut self, found: &Attribution, min_match: usize) {
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

/// Counts of `cut`; references are not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CutCounts {
    /// Documents.
    pub documents: u64,
    /// Those that stay without some of their tokens.
    pub cut: u64,
    /// Those of which too little would be left.
    pub removed: u64,
    /// Runs of tokens that are cut: those of documents that go as a whole, and those between two cuts, among them.
    pub passages: u64,
    /// Tokens of all documents.
    pub tokens: u64,
    /// Those that are cut.
    pub cut_tokens: u64,
    /// Those that occurred before and stay, because they are too few to be cut.
    pub spared_tokens: u64,
}

impl CutCounts {
    pub(crate) fn new(listing: &Listing, cuts: &Cuts) -> Self {
        let mut counts = Self::default();
        for document in listing.documents().skip(listing.references) {
            let fate = cuts.fate(document);
            counts.documents += 1;
            counts.cut += u64::from(fate == Fate::Cut);
            counts.removed += u64::from(fate == Fate::Dropped);
            counts.passages += cuts.pieces(document).count() as u64;
            counts.tokens += u64::from(cuts.tokens(document));
            counts.cut_tokens += u64::from(cuts.cut_tokens(document));
            counts.spared_tokens += cuts.spared_tokens(document);
        }
        counts
    }
}

//! What a cut counts.

use crate::corpus::Listing;
use crate::passages::{Cuts, Fate};
use serde::Serialize;

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
    pub(in crate::jobs) fn new(listing: &Listing, cuts: &Cuts) -> Self {
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

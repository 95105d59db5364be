//! The decision on a document, and its reason.

use crate::ground::DocId;

/// The reason for a removal. It refers to the sets of elements, not to the texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The set equals that of the kept document.
    Exact,
    /// The set is similar, but not known to be equal, to that of the kept document.
    Near,
}

impl Reason {
    /// The name of the reason in reports: `exact` or `near`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Near => "near",
        }
    }

    /// The reason that follows from a similarity of an earlier job.
    pub fn of_similarity(similarity: f64) -> Self {
        if similarity >= 1.0 { Self::Exact } else { Self::Near }
    }
}

/// The decision on a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decision {
    /// The document is kept.
    Kept,
    /// The document is removed as a duplicate of a kept one.
    Removed {
        /// The kept document.
        kept: DocId,
        /// Exact similarity of the two sets, from 0 to 1; 1 for two empty sets.
        similarity: f64,
        /// The reason for the removal.
        reason: Reason,
    },
}

impl Decision {
    /// The removal of a document whose set equals that of `kept`.
    pub fn equal_to(kept: DocId) -> Self {
        Self::Removed { kept, similarity: 1.0, reason: Reason::Exact }
    }

    /// Whether the document is kept.
    pub fn is_kept(&self) -> bool {
        *self == Self::Kept
    }
}

//! What becomes of a document, and why.

use crate::ground::DocId;

/// Why a document was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Its set equals that of the kept document.
    Exact,
    /// Its set is similar to that of the kept document.
    Near,
}

impl Reason {
    /// The reason in rows and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Near => "near",
        }
    }

    /// The reason that a similarity that was written before gives.
    pub fn of_similarity(similarity: f64) -> Self {
        if similarity >= 1.0 { Self::Exact } else { Self::Near }
    }
}

/// What becomes of a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decision {
    /// It stays.
    Kept,
    /// It goes, because of a document that stays.
    Removed {
        /// The document that stays in its place.
        kept: DocId,
        /// Exact similarity of the two, computed from their sets; 1 for two empty ones.
        similarity: f64,
        /// Whether the sets are equal.
        reason: Reason,
    },
}

impl Decision {
    /// The removal of a document whose set equals that of `kept`.
    pub fn equal_to(kept: DocId) -> Self {
        Self::Removed { kept, similarity: 1.0, reason: Reason::Exact }
    }

    /// Whether the document stays.
    pub fn is_kept(&self) -> bool {
        *self == Self::Kept
    }
}

//! The decision on a document, and its reason.

use crate::base::DocId;

/// The reason for a removal, and what two documents of a pair have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The texts are equal byte for byte.
    Identical,
    /// The features are equal, but the texts are not, as far as is known: punctuation, case or spacing differ.
    Equal,
    /// The features are similar, and not equal.
    Near,
    /// The similarity is estimated below the threshold, and the interval of the estimate reaches it: a pair to look at,
    /// by which nothing is removed.
    Uncertain,
}

impl Reason {
    /// The name of the reason in files and reports: `identical`, `equal` or `near`; of estimates also `uncertain`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Equal => "equal",
            Self::Near => "near",
            Self::Uncertain => "uncertain",
        }
    }

    /// The reason of a name by which something may be decided.
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Identical, Self::Equal, Self::Near].into_iter().find(|reason| reason.name() == name)
    }

    /// The reason that follows from a similarity alone, where nothing is known of the texts.
    pub fn of_similarity(similarity: f64) -> Self {
        if similarity >= 1.0 { Self::Equal } else { Self::Near }
    }

    /// The reason that follows from equal features and from whether the texts are the same.
    pub fn of_equal(texts_are_same: bool) -> Self {
        if texts_are_same { Self::Identical } else { Self::Equal }
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
        /// Exact similarity of the two documents: a share from 0 to 1, or the number of common elements.
        similarity: f64,
        /// The reason for the removal.
        reason: Reason,
    },
}

impl Decision {
    /// The removal of a document whose features equal those of `kept`, with the `similarity` of such documents; of the
    /// texts nothing is known yet.
    pub fn equal_to(kept: DocId, similarity: f64) -> Self {
        Self::Removed { kept, similarity, reason: Reason::Equal }
    }

    /// The decision once one more document is known that stays and is near this one: of several the most similar is
    /// named, and of equally similar ones the one that was known first.
    #[must_use]
    pub fn with_near(self, kept: DocId, similarity: f64) -> Self {
        match self {
            Self::Removed { similarity: before, .. } if similarity <= before => self,
            Self::Kept | Self::Removed { .. } => Self::Removed { kept, similarity, reason: Reason::Near },
        }
    }

    /// Decision on a later document with features equal to those of `first`: it goes, because of `first`, to
    /// which it has this `similarity`, or with it.
    #[must_use]
    pub fn for_equal(self, first: DocId, similarity: f64) -> Self {
        match self {
            Self::Kept => Self::equal_to(first, similarity),
            removed @ Self::Removed { .. } => removed,
        }
    }

    /// Copy of the decision; a removal for equal features becomes one for identical texts where `is_same_text` says so
    /// of the document `kept` in its place.
    #[must_use]
    pub fn with_texts(self, is_same_text: impl FnOnce(DocId) -> bool) -> Self {
        match self {
            Self::Removed { kept, similarity, reason: Reason::Equal } => {
                Self::Removed { kept, similarity, reason: Reason::of_equal(is_same_text(kept)) }
            }
            other => other,
        }
    }

    /// Returns whether the document is kept.
    pub fn is_kept(&self) -> bool {
        *self == Self::Kept
    }
}

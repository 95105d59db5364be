//! Form of the words that a document is kept as.

use super::{ElementSet, Vector};
use crate::base::{Error, Result};
use serde::{Deserialize, Serialize};

/// Form of the words that stand for a document in [`super::ElementSets`], in a snapshot and in an index.
///
/// Stored in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Elements of a set, or of a fingerprint: they strictly ascend.
    #[default]
    Elements,
    /// A vector ([`Vector`]).
    Vector,
}

impl Form {
    /// Returns whether documents are kept as elements.
    pub fn is_of_elements(&self) -> bool {
        *self == Self::Elements
    }

    /// The words of a document that a checksum vouches for, after a check of their order or number alone.
    ///
    /// # Errors
    /// As [`Form::checked`].
    pub fn as_stored(self, words: &[u64]) -> Result<ElementSet<'_>> {
        match self {
            Self::Vector if Vector::from_words(words).is_some() => Ok(ElementSet::of_words(words)),
            _ => self.checked(words),
        }
    }

    /// The words of a document, after a check that they are what they should be: they may come from outside. No words
    /// at all stand for a document whose content is not known.
    ///
    /// # Errors
    /// [`Error::UnsortedSet`] for elements that do not strictly ascend; [`Error::NotAVector`] for words that are no
    /// vector.
    pub fn checked(self, words: &[u64]) -> Result<ElementSet<'_>> {
        match self {
            Self::Elements => ElementSet::new(words),
            Self::Vector if words.is_empty() || Vector::from_words(words).is_some_and(Vector::is_sound) => {
                Ok(ElementSet::of_words(words))
            }
            Self::Vector => Err(Error::NotAVector),
        }
    }
}

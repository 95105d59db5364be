//! The weights of terms.

use crate::documents::Multiplicity;
use serde::{Deserialize, Serialize};

/// The weight of a term in a document. Stored in lower case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weights {
    /// The number of times that the document has the term.
    #[default]
    Tf,
    /// Number of occurrences times the inverse document frequency of the term.
    TfIdf,
    /// 1, however often the document has the term.
    Binary,
}

impl Weights {
    /// The stored name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tf => "tf",
            Self::TfIdf => "tfidf",
            Self::Binary => "binary",
        }
    }

    /// Returns the rule for repetitions that these weights need.
    pub fn multiplicity(self) -> Multiplicity {
        if self.are_counted() { Multiplicity::Counted } else { Multiplicity::Set }
    }

    /// Returns whether it matters how often a document has a term.
    pub fn are_counted(self) -> bool {
        match self {
            Self::Tf | Self::TfIdf => true,
            Self::Binary => false,
        }
    }
}

//! The kind of a measure, and the weights of terms on which it depends.

use crate::documents::Multiplicity;
use serde::{Deserialize, Serialize};
use std::fmt;

/// All that a similarity depends on beside the two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeasureKind {
    /// Jaccard similarity.
    Jaccard,
    /// Containment.
    Containment,
    /// The number of common elements.
    Overlap,
    /// The cosine of terms with these weights.
    Cosine(Weights),
    /// Hamming distance.
    Hamming,
    /// The cosine of vectors.
    VectorCosine,
    /// Euclidean distance.
    Euclidean,
    /// The share of components in which signatures agree.
    Signature,
}

impl fmt::Display for MeasureKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Jaccard => "jaccard",
            Self::Containment => "containment",
            Self::Overlap => "overlap",
            Self::Cosine(weights) => return write!(formatter, "cosine of weights {}", weights.name()),
            Self::Hamming => "hamming",
            Self::VectorCosine => "cosine of vectors",
            Self::Euclidean => "euclidean",
            Self::Signature => "signature agreement",
        })
    }
}

/// The weight of a term in a document. Stored in lower case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weights {
    /// The number of times that the document has the term.
    #[default]
    Tf,
    /// That number times the inverse document frequency of the term.
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

    /// How the elements of documents are counted for these weights.
    pub fn multiplicity(self) -> Multiplicity {
        if self.are_counted() { Multiplicity::Counted } else { Multiplicity::Set }
    }

    /// Whether it matters how often a document has a term.
    pub fn are_counted(self) -> bool {
        match self {
            Self::Tf | Self::TfIdf => true,
            Self::Binary => false,
        }
    }
}

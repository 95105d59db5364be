//! The kind of a measure.

use super::Weights;
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

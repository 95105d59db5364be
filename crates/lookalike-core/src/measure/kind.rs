//! The kind of a measure: all that a similarity depends on beside the two documents.

use super::{Measure, Weights};

/// The kind of a measure, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MeasureKind {
    /// Jaccard similarity.
    #[error("jaccard")]
    Jaccard,
    /// Containment.
    #[error("containment")]
    Containment,
    /// The number of common elements.
    #[error("overlap")]
    Overlap,
    /// The cosine of terms with these weights.
    #[error("cosine of weights {}", .0.name())]
    Cosine(Weights),
    /// Hamming distance.
    #[error("hamming")]
    Hamming,
    /// The cosine of vectors.
    #[error("cosine of vectors")]
    VectorCosine,
    /// Euclidean distance.
    #[error("euclidean")]
    Euclidean,
    /// The share of components in which signatures agree.
    #[error("signature agreement")]
    Signature,
}

impl Measure {
    /// The kind.
    pub fn kind(self) -> MeasureKind {
        match self {
            Self::Jaccard(_) => MeasureKind::Jaccard,
            Self::Containment(_) => MeasureKind::Containment,
            Self::Overlap(_) => MeasureKind::Overlap,
            Self::Cosine(cosine) => MeasureKind::Cosine(cosine.weights),
            Self::Hamming(_) => MeasureKind::Hamming,
            Self::VectorCosine(_) => MeasureKind::VectorCosine,
            Self::Euclidean(_) => MeasureKind::Euclidean,
            Self::Signature(_) => MeasureKind::Signature,
        }
    }
}

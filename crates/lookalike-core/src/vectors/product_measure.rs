//! The measures of vectors that inner products tell: random projections and products of blocks are made for them.

use super::{Euclidean, VectorCosine};

/// A measure that the inner product of two vectors and their norms decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductMeasure {
    /// The cosine: directions alone are compared.
    Cosine(VectorCosine),
    /// The Euclidean distance.
    Euclidean(Euclidean),
}

impl ProductMeasure {
    /// Whether directions alone are compared, and lengths have no effect.
    pub(super) fn is_of_directions(self) -> bool {
        matches!(self, Self::Cosine(_))
    }
}

//! The algebra of the measures of documents that are points, not sets: fingerprints and vectors.
//!
//! Such documents share no elements, so there are no prefixes and no overlaps to bound: their blocking keys are those
//! of tables, samples and projections.

mod distance;
mod euclidean;
mod hamming;
mod vector_cosine;

pub use distance::Distance;
pub use euclidean::Euclidean;
pub use hamming::{DifferingBits, Hamming, distance_of};
pub use vector_cosine::VectorCosine;

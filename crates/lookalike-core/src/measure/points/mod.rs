//! The algebra of the measures of documents that are points, not sets: fingerprints and vectors.
//!
//! Such documents share no elements, so there are no prefixes and no overlaps to bound: their blocking keys are those
//! of tables, samples and projections.

mod euclidean;
mod hamming;
mod vector_cosine;

pub use euclidean::Euclidean;
pub use hamming::Hamming;
pub use vector_cosine::VectorCosine;

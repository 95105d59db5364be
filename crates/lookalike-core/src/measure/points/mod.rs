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

use crate::features::{ElementSet, Vector};

/// The vectors that two documents are, if they have equally many dimensions.
fn vectors_of<'a>(left: ElementSet<'a>, right: ElementSet<'a>) -> Option<[Vector<'a>; 2]> {
    let pair = [Vector::of(left.elements())?, Vector::of(right.elements())?];
    (pair[0].dimensions() == pair[1].dimensions()).then_some(pair)
}

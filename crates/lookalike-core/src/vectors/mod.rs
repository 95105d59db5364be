//! Dense vectors of floats: their measures, random projections as blocking keys, and products of blocks.
//!
//! ```text
//! VectorWords   components -> the words of a document
//! VectorCosine  measures: Euclidean, of both of which inner products tell (ProductMeasure), and Manhattan
//! projections   bands of sides of hyperplanes, by the angle; bands of cells, by the distance
//! VectorBlock   a filter of candidates before the exact check, where all pairs are compared
//! PlaneBits     on which sides of random planes vectors lie; no proof, but a known probability
//! ```

mod euclidean;
mod manhattan;
mod plane_bits;
mod projections;
mod space;
mod vector_blocks;
mod vector_cosine;
mod vector_words;

pub use euclidean::Euclidean;
pub use manhattan::Manhattan;
pub use plane_bits::PlaneBits;
pub use projections::{
    ProductMeasure, Projected, ProjectionKeys, ProjectionPlan, Projections, Spread, cell_agreement, plane_agreement,
    sides_pass,
};
pub(crate) use space::VectorSpace;
pub use vector_cosine::VectorCosine;
pub use vector_words::VectorWords;

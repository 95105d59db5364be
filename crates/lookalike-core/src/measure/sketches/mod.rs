//! Sketches: small summaries of documents that refuse candidates before their sets are read, by proof for
//! sets.
//!
//! ```text
//! OddSketches   of sets: a bound on the number of elements that are not common
//! NormSketches  of weighted sets: a bound on the dot product
//! SmallSketches the same for many documents side by side
//! Dealing       which of their buckets a term is in
//! PlaneBits     of vectors: on which sides of random planes they lie; no proof, but a known probability
//! SketchWorth   when they are worth being made
//! ```

mod dealing;
mod norm_sketches;
mod odd_sketches;
mod plane_bits;
mod small_sketches;
mod worth;

pub use norm_sketches::{NormSketches, SketchedDocument};
pub use odd_sketches::OddSketches;
pub use plane_bits::PlaneBits;

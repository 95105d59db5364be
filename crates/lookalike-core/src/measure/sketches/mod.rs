//! Sketches: small summaries of documents that refuse candidates before their sets are read, by proof.
//!
//! ```text
//! OddSketches   of sets: a bound on the number of elements that are not common
//! NormSketches  of weighted sets: a bound on the dot product
//! SketchWorth   when they are worth being made
//! ```

mod norm_sketches;
mod odd_sketches;
mod worth;

pub use norm_sketches::NormSketches;
pub use odd_sketches::OddSketches;

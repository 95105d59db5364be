//! Parts of all measures: limits, results of the exact check, and the algebra that each of them implements.
//!
//! ```text
//! Algebra      the operations of a measure, implemented in a file of its space
//! Threshold    a minimum similarity, as a fraction; Distance: a maximum
//! Limit        the threshold of a measure, whatever it counts; Figure: what it counts
//! Overlap      sizes of two sets and of their intersection
//! Agreement    what the exact check finds: an overlap, a cosine, differing bits, or a distance
//! Space        documents of one kind with their measure: filters and the exact check
//! DocumentBlock  documents that a thread compares with all others
//! SketchWorth  when sketches are worth being made
//! ```

mod agreement;
mod algebra;
mod limit;
mod sketch_worth;
mod space;
mod threshold;
mod weights;

pub use agreement::{Agreement, CandidatePair, DifferingBits, Overlap, distance_of};
pub(crate) use algebra::Algebra;
pub use limit::{Distance, EmptyPolicy, Figure, Limit, LimitForm, Metric};
pub(crate) use sketch_worth::{SketchMemory, SketchWorth};
pub use space::{DocumentBlock, MANY, SearchFilters};
pub(crate) use space::{PlainBlock, Space, verify_each};
pub use threshold::Threshold;
pub(crate) use threshold::scale_up;
pub use weights::Weights;

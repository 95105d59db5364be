//! What "alike" means: the noun [`Measure`], its algebra, and the exact check that every answer has passed.
//!
//! ```text
//! Measure      the noun: which similarity, from which threshold on
//! Jaccard      the algebra of one measure: bounds for filters, the exact check, the final figure
//! Overlap      sizes of two sets and of their intersection
//! EqualSets    documents with equal sets, grouped before anything is compared
//! Verifier     candidate pair -> verified pair
//! ```

mod equal_sets;
mod extent;
mod jaccard;
#[expect(clippy::module_inception, reason = "the noun of this room has a file of its own")]
mod measure;
mod overlap;
mod threshold;
mod verify;

pub use equal_sets::{EmptyPolicy, EqualSets, Members};
pub use extent::Extent;
pub use jaccard::Jaccard;
pub use measure::Measure;
pub use overlap::Overlap;
pub use threshold::Threshold;
pub use verify::{CandidatePair, VerifiedPair, Verifier};

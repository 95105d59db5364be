//! The similarity of documents: the noun [`Measure`], its algebra, and the exact check that every reported pair passes.
//!
//! ```text
//! Measure      the noun: a similarity with its threshold
//! Algebra      all that is asked of a measure; implemented by Jaccard, Containment, CommonElements, Cosine,
//!              SignatureAgreement, Hamming, VectorCosine, Euclidean, each in a file
//! Limit        the threshold of a measure, whatever it counts
//! Overlap      sizes of two sets and of their intersection
//! Agreement    what the exact check finds: an overlap, a cosine, differing bits, or a distance
//! Extent       size of a document and position of a blocking key, for the filters
//! EqualSets    groups of documents with equal sets
//! OddSketches  a filter of candidates before the exact check; of cosines: NormSketches
//! VectorBlock  the same for vectors of which all pairs are compared
//! Verifier     candidate pair -> verified pair
//! ```

mod agreement;
mod algebra;
mod cosine;
mod distance;
mod equal_sets;
mod extent;
mod kind;
mod limit;
#[expect(clippy::module_inception, reason = "the noun of this room has a file of its own")]
mod measure;
mod overlap;
mod points;
mod sets;
mod sketches;
mod threshold;
mod vector_blocks;
mod verify;

pub use agreement::{Agreement, CandidatePair, DifferingBits, distance_of};
pub(crate) use algebra::Algebra;
pub use cosine::{Cosine, DocumentFrequencies, WeightTable, cosine, dot_product_at_least, weigh};
pub use distance::Distance;
pub use equal_sets::EqualSets;
pub use extent::Extent;
pub use kind::{MeasureKind, Weights};
pub use limit::{EmptyPolicy, Figure, Limit};
pub use measure::Measure;
pub use overlap::Overlap;
pub use points::{Euclidean, Hamming, VectorCosine};
pub use sets::{CommonElements, Containment, Jaccard, Side, SignatureAgreement};
pub use sketches::{NormSketches, OddSketches, PlaneBits, SketchedDocument};
pub use threshold::Threshold;
pub use vector_blocks::VectorBlock;
pub use verify::{VerifiedPair, Verifier};

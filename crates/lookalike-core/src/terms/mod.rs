//! Sets of weighted terms: their cosine, its blocking keys, and SimHash.
//!
//! ```text
//! Cosine        the measure, in integers
//! WeightedKeys  the rarest terms, as long as those from a term on can reach the threshold
//! SimHash       tables of bits by the angle: similar documents share one with the requested probability
//! NormSketches  a filter of candidates before the exact check, by proof: a bound on the dot product
//! SmallSketches the same for many documents side by side
//! Dealing       which of their buckets a term is in
//! ```

mod cosine;
mod dealing;
mod norm_sketches;
mod simhash;
mod simhasher;
mod small_sketches;
mod space;
mod weighted_keys;

pub(crate) use cosine::Terms;
pub use cosine::{Cosine, DocumentFrequencies, cosine, dot_product_at_least, weigh};
pub use norm_sketches::NormSketches;
pub use simhash::{SimHash, SimHashKeys, differing_bit, probability_by_tables};
pub use simhasher::{SIMHASH, SimHasher};
pub(crate) use space::TermSpace;
pub use weighted_keys::WeightedKeys;

//! Blocking keys of given fingerprints, which near ones agree in.
//!
//! ```text
//! tables         blocks of bits, all but K of them in a key: complete, by the pigeonhole principle
//! key_counts     which keys many fingerprints have: in place of those are finer ones
//! bit_join       all pairs of short fingerprints, by sorting table after table: no index
//! sampled_bits   bands of sampled bits: complete with a probability
//! ```

mod bit_join;
mod key_counts;
mod sampled_bits;
mod tables;

pub use bit_join::{BitJoin, NearBits, ShortBits};
pub use key_counts::KeyCounts;
pub use sampled_bits::SampledBits;
pub use tables::{Cut, TableCosts, TableKeys};

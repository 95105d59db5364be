//! Fingerprints: strings of equally many bits. Their distance, and the keys in which near ones agree.
//!
//! ```text
//! Hamming        the measure: the number of bits in which two differ
//! tables         blocks of bits, all but K of them in a key: complete, by the pigeonhole principle
//! key_counts     which keys many fingerprints have: in place of those are finer ones
//! bit_join       all pairs of short fingerprints, by sorting table after table: no index
//! sampled_bits   bands of sampled bits: complete with a probability
//! Pixels         image -> perceptual hash, or vector of colours
//! ```

mod bit_join;
mod hamming;
mod image;
mod key_counts;
mod sampled_bits;
mod space;
mod tables;

pub use bit_join::{BitJoin, NearBits, ShortBits};
pub use hamming::Hamming;
pub use image::Pixels;
pub use key_counts::KeyCounts;
pub use sampled_bits::SampledBits;
pub(crate) use space::BitSpace;
pub use tables::{Cut, TableCosts, TableKeys};

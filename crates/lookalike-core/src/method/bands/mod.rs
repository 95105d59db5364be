//! Bands of rows of a signature: their division and the blocking keys that they make.
//!
//! ```text
//! banding     b bands of r rows, with the S-curve
//! band_keys   the blocking keys of the MinHash method
//! ```

mod band_keys;
mod banding;

pub use band_keys::BandKeys;
pub use banding::{BandKey, Banding};

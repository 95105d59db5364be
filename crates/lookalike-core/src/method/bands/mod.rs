//! Bands of rows of a signature: their division and the blocking keys that they make.
//!
//! ```text
//! banding         b bands of r rows, with the S-curve
//! band_keys       the blocking keys of the MinHash method
//! byte_signature  signatures for storage, and the similarity that they tell
//! estimate_intervals  what whole signatures tell of a similarity
//! ```

mod band_keys;
mod banding;
mod byte_signature;
mod estimate_intervals;

pub use band_keys::BandKeys;
pub(crate) use banding::bits_at;
pub use banding::{BandKey, Banding};
pub use byte_signature::{ByteSignatures, JaccardEstimate};
pub use estimate_intervals::{EstimateIntervals, INTERVAL_COVERAGE, estimate_interval, reaching_by_interval};

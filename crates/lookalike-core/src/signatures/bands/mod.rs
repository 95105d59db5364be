//! Bands of rows of signatures: keys, and indexes by them.
//!
//! ```text
//! band_tables    those that share a band with a query
//! last_slots     the hash table of one band
//! prefix_trees   those that share the longest part of a band
//! bloom          whether the value of a band was seen
//! band_keys      the blocking keys of the MinHash method
//! byte_signature signatures for storage, and the similarity that they tell
//! ```

mod band_keys;
mod band_tables;
mod bloom;
mod byte_signature;
mod last_slots;
mod prefix_trees;

pub use band_keys::BandKeys;
pub use band_tables::BandTables;
pub use bloom::BloomFilter;
pub use byte_signature::{ByteSignatures, JaccardEstimate};
pub use prefix_trees::PrefixTrees;

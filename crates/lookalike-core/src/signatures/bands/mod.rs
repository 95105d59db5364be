//! Indexes of signatures by their bands.
//!
//! ```text
//! band_tables    those that share a band with a query
//! last_slots     the hash table of one band
//! prefix_trees   those that share the longest part of a band
//! bloom          whether the value of a band was seen
//! ```

mod band_tables;
mod bloom;
mod last_slots;
mod prefix_trees;

pub use band_tables::BandTables;
pub use bloom::BloomFilter;
pub use prefix_trees::PrefixTrees;

//! The evidence for an answer: which passages two texts share, and checksums by which exact copies are listed.

mod checksum;
mod passages;

pub use checksum::{ChecksumAlgorithm, identity, normalized_text, sorted_items};
pub use passages::{Comparison, Passage, compare};

//! The evidence for an answer: common passages of two texts, and checksums by which exact copies are listed.

mod checksum;
mod passages;

pub use checksum::{ChecksumAlgorithm, identity, normalized_text, sorted_items};
pub use passages::{Comparison, Passage, compare};

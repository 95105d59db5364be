//! The evidence for an answer: common passages of two texts, common items of two sets, where texts with equal features
//! differ, the common terms of two vectors, their overlap by tokens instead of hashes, and checksums by which exact
//! copies are listed.

mod checksum;
mod differences;
mod items;
mod passages;
mod terms;
mod token_overlap;
mod tokens;

pub use checksum::{ChecksumAlgorithm, identity, normalized_text, sorted_items};
pub use differences::TextDifference;
pub use items::ComparedItem;
pub use passages::{Comparison, Passage, compare};
pub use terms::{CommonTerm, TermComparison, compare_terms};
pub use token_overlap::{ShortTokens, TokenOverlaps};

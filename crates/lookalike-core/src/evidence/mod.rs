//! The evidence for an answer: whether two documents are near-duplicates, common passages of two texts and where they
//! differ, common items of two sets, the common terms of two vectors, their overlap by tokens instead of hashes, and
//! checksums by which exact copies are listed.
//!
//! ```text
//! compare        two texts: overlap, passages, differences, items
//! differences    differences of two texts, word by word
//! terms          common terms of two documents with their weights
//! token_overlap  overlap of two texts by tokens, without hashes
//! verdict        whether two documents are near-duplicates, and why
//! checksum       checksums of documents
//! ```

mod checksum;
mod compare;
mod differences;
mod terms;
mod token_overlap;
mod verdict;

pub use checksum::{ChecksumAlgorithm, identity, normalized_text};
pub use compare::{ComparedItem, Comparison, Passage, compare, compare_while};
pub use differences::{Aligned, TextDifference, aligned, paired_lines};
pub use terms::{CommonTerm, TermComparison, compare_terms};
pub use token_overlap::{ShortTokens, TokenOverlaps};
pub use verdict::Verdict;

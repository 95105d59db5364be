//! Answers without a search: two documents side by side, exact copies by checksum.

mod checksum;
mod compare;
mod compare_bits;
mod compare_terms;
mod find;

pub(crate) use checksum::checksums;
pub use compare::Compared;
pub(crate) use compare::compare_documents;
pub use compare_bits::ComparedBits;
pub(crate) use compare_bits::compare_bits;
pub use compare_terms::ComparedTerms;
pub(crate) use compare_terms::compare_by_terms;

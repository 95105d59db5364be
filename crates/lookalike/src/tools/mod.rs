//! Answers without a search: two documents side by side, exact copies by checksum.

mod checksum;
mod compare;
mod compare_bits;
mod compare_sets;
mod compare_terms;
mod compare_vectors;
mod comparing;
mod find;
mod unique_ids;

pub(crate) use checksum::checksums;
pub(crate) use compare::compare;
pub use compare::{Compared, ComparedAs};
pub use compare_bits::ComparedBits;
pub use compare_sets::ComparedSets;
pub use compare_terms::ComparedTerms;
pub use compare_vectors::ComparedVectors;
pub use comparing::{ComparedDocument, Comparing};
pub(crate) use find::existing_path;

//! Answers without a search: documents by their names, two of them side by side, exact copies by checksum.

mod checksum;
mod compare;
mod compare_points;
mod compare_texts;
mod comparing;
mod find;

pub(crate) use checksum::checksums;
pub(crate) use compare::compare;
pub use compare::{Compared, ComparedAs};
pub use compare_points::{ComparedBits, ComparedVectors};
pub use compare_texts::{ComparedSets, ComparedTerms};
pub use comparing::{ComparedDocument, Comparing};
pub(crate) use find::existing_path;

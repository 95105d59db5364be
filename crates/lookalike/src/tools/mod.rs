//! Answers without a search: documents by their names, two of them side by side, exact copies by checksum.
//!
//! ```text
//! find            documents by their names
//! comparing       the request to compare two documents
//! compare         two documents side by side
//! compare_texts   as sets or weighted terms
//! compare_points  as fingerprints or vectors
//! checksum        exact copies
//! ```

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

//! Jobs over runs of tokens that stand twice.

mod checks;
mod cut;
mod sources;

pub(super) use checks::{check_features, check_references};
pub use cut::{Cut, cut};
pub use sources::{SourceSearch, sources};

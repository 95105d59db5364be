//! Jobs over runs of tokens that stand twice.

mod checks;
mod common;
mod cut;
mod sources;

pub(crate) use checks::check_features;
pub(super) use checks::check_references;
pub use cut::{Cut, cut};
pub use sources::{SourceSearch, sources};

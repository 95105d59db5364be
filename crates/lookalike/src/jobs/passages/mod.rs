//! Jobs over runs of tokens that stand twice.

mod checks;
mod cut;
mod sources;

pub use cut::{Cut, cut};
pub use sources::{SourceSearch, sources};

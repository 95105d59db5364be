//! Jobs over runs of tokens that stand twice, and the checks of what they ask of a job.

mod checks;
mod cut;
mod sources;

pub(crate) use checks::check_features;
pub(in crate::jobs) use checks::{check_references, check_texts};
pub use cut::{PassageCut, cut};
pub use sources::{SourceSearch, sources};

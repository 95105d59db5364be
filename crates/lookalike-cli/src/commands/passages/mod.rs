//! Runs of tokens that stand twice: which documents have them (`sources`), and texts without them (`cut`).

mod cut;
mod sources;

pub(crate) use cut::{CutArgs, run as run_cut};
pub(crate) use sources::{SourcesArgs, run as run_sources};

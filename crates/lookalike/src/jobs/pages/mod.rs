//! Pages of what jobs have found: which documents they show, and their texts, which are read once more.

mod answers;
mod attributions;
mod common;
mod comparison;
mod cuts;
mod excerpts;
mod listed;
mod removals;
mod texts;

use crate::ground::Result;
use lookalike_io::{AtomicFile, Sealed};

pub(super) use attributions::{AttributedAs, SourcesOf, SourcesSample};
pub(super) use common::common_passages;
pub use comparison::write_comparison;
pub(super) use cuts::CutSample;
pub(super) use listed::Listed;
pub(super) use removals::Removals;

/// A page in its staging file, to be published with the other outputs.
pub(super) fn sealed_page(mut file: AtomicFile, page: &str) -> Result<Sealed> {
    file.write(page.as_bytes())?;
    Ok(file.seal()?)
}

//! What is asked about single documents: `search`, `index` for what is asked often, and `sources`.

mod index;
mod search;
mod sources;

pub(crate) use index::{IndexArgs, run as run_index};
pub(crate) use search::{QueryArgs, run as run_search};
pub(crate) use sources::{SourcesArgs, run as run_sources};

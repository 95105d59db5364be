//! Questions about documents, the stored index, and passages with their sources.

mod index;
mod passages;
mod queries;

pub(crate) use index::Index;
pub(crate) use passages::{SourcesAnswer, sources};
pub(crate) use queries::{SearchAnswer, search};

//! Questions about documents, and the stored index.

mod index;
mod queries;

pub(crate) use index::Index;
pub(crate) use queries::{SearchAnswer, search};

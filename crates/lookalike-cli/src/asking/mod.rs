//! What is asked about single documents: `search`, and `index` for what is asked often.

mod index;
mod search;

pub(crate) use index::{IndexArgs, run as run_index};
pub(crate) use search::{QueryArgs, run as run_search};

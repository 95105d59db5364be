//! Flags that several commands share, and the nouns that they mean.

mod input;
mod report;
mod resources;
mod search;
mod text;

pub(crate) use input::{InputArgs, ItemsArg, ReadingArgs};
pub(crate) use report::ReportArgs;
pub(crate) use resources::{ResourceArgs, When};
pub(crate) use search::{SearchArgs, permutations};
pub(crate) use text::TextArgs;

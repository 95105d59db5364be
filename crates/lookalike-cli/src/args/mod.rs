//! Flags that several commands share, and the nouns that they mean.

mod input;
mod report;
mod resources;
mod search;
mod text;
mod values;

pub(crate) use input::{InputArgs, ItemsArg, ReadingArgs};
pub(crate) use report::ReportArgs;
pub(crate) use resources::{ResourceArgs, When};
pub(crate) use search::SearchArgs;
pub(crate) use text::TextArgs;
pub(crate) use values::{bands_or_rows, permutations, probability};

//! Runs of tokens that documents share with sources, and those that occurred before (`cut`).
//!
//! ```text
//! queries, as many at a time as memory holds --tokens--> WindowIndex
//! sources --read once, by all threads, and forgotten--> SourceHits      the runs of each, and where they stand
//! SourceHits --when all are counted--> FoundPassage...                 sorted by query, in files if they are many
//! FoundPassage... --of one query--> Attribution                        its sources, the largest share first
//! ```

mod attribute;
mod cut;
mod hashes;
mod hits;
mod one_text;
mod read;
mod shared;

pub(crate) use attribute::{Attributing, CommonPlace, attribute};
pub(crate) use cut::{CutSpans, Cuts, Cutting, Fate, LocatedCut, TextCutter, cut_spans, find_cuts, locate_cuts};
pub(crate) use one_text::attribute_text;
pub(crate) use read::save_tokens;
pub(crate) use shared::{Attribution, SharedPassage, SharedSource};

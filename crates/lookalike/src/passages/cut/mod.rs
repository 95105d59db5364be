//! Search for the tokens of documents that stand in runs that occurred before.
//!
//! ```text
//! texts --read once, by all threads--> CorpusTokens      the hashes of all tokens, in memory or in a file
//!                                      Occurrence...     superwindows, dealt into parts by their minimizers
//! parts --sorted, group by group--> Repeat...            windows that occurred before, and where
//! Repeat... --sorted by document--> Cuts                 by document: what is cut, and whether enough is left
//! texts --read once more--> what is left of them (cutter), where they were cut and where that stays (locate)
//! ```
//!
//! A superwindow takes 24 bytes, and there is one for a dozen tokens of a window of fifty: what exceeds the memory goes
//! to sorted runs in files.

mod corpus_tokens;
mod cuts;
mod cutter;
mod find;
mod locate;

pub(crate) use cuts::{Cuts, Fate};
pub(crate) use cutter::TextCutter;
pub(crate) use find::{Cutting, find_cuts};
pub(crate) use locate::{CutSpans, LocatedCut, cut_spans, locate_cuts};

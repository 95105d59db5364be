//! Passages: maximal runs of tokens that stand in two documents.
//!
//! ```text
//! queries  --windows of m tokens--> WindowIndex                  each distinct window has a number
//! source   --its windows, looked up--> WindowRun...              consecutive windows that a query has, too
//!                                      WindowCounts              how many sources have a window
//! WindowRun... --without common windows--> QueryPassages         the passages of each query in this source
//! ```
//!
//! Of the documents of a corpus among each other, which windows occurred before:
//!
//! ```text
//! document --Superwindows--> Occurrence...   consecutive windows with one minimizer
//! Occurrence..., sorted --RepeatFinder--> Repeat... windows, and where each stood first
//! Repeat... of a document --cut_pieces, CutLimits--> CutPiece... --text_without--> the text without them
//! ```
//!
//! Each common run of at least m tokens is found: its windows are all in the index. Nothing rests on the hash of a
//! window: tokens are compared, by their 64-bit hashes. Only the queries are held; sources may come one after the other
//! and be forgotten, so that the texts of a large collection are read once and no suffix array is needed.

mod cut;
mod index;
mod packed_spans;
mod passage;
mod repeats;
mod spans;
mod superwindows;

pub use cut::{CutLimits, CutPiece, CutPieces, cut_bytes, cut_edges, cut_pieces, cut_runs, text_without};
pub use index::{WindowCounts, WindowIndex, WindowRun};
pub use packed_spans::TokenSpan;
pub use passage::{
    Bridged, CommonRun, QueryPassages, TokenPassage, bridge, common_runs, common_windows, covered_tokens,
    passages_while,
};
pub use repeats::{Earlier, Occurrence, Repeat, RepeatFinder, TokenPlace};
pub use spans::{TokenSpans, decode_spans, encode_spans, token_hashes, token_hashes_in_pieces, token_words};
pub use superwindows::{Superwindow, Superwindows};

#[cfg(test)]
mod cut_tests;
#[cfg(test)]
mod tests;

//! The computation behind lookalike, from text to decisions, without any input or output.
//!
//! The modules are the stages of one pipeline, in this order; each one imports earlier ones only:
//!
//! ```text
//! text        normalize, strip HTML, tokenize      -> tokens
//! shingle     n consecutive tokens, hashed         -> ShingleSets
//! equal_sets  group documents with equal sets      -> EqualSets
//! sketch      MinHash signatures, bands            -> Signature, BandKey
//! candidates  keys that similar sets must share    -> CandidatePair
//! verify      exact similarity of a candidate      -> VerifiedPair
//! decide      components, keepers and duplicates   -> Cluster, Decision
//! passages    which stretches two documents share  -> Passage
//! ```
//!
//! Threads, files, clocks and printing belong to the crates above: everything here is a function of its arguments.
//!
//! ```
//! use lookalike_core::{shingle::{Shingler, ShingleOptions}, similarity::Overlap, text::{TextOptions, Tokenizer}};
//!
//! let mut shingler = Shingler::new(ShingleOptions::words(1), Tokenizer::new(TextOptions::default()));
//! let cat = shingler.shingle("the black cat ate a mouse");
//! let dog = shingler.shingle("the black dog chased the cat");
//! assert_eq!(Overlap::of(&cat, &dog).jaccard(), 3.0 / 8.0);
//! ```

pub mod array;
pub mod candidates;
pub mod checksum;
pub mod decide;
pub mod document;
pub mod equal_sets;
pub mod error;
pub mod hash;
pub mod kernel;
pub mod large_pages;
pub mod passages;
pub mod plan;
pub mod sample;
pub mod shingle;
pub mod shingle_sets;
pub mod similarity;
pub mod sketch;
mod sort;
pub mod text;
pub mod threshold;
pub mod verify;

pub use document::DocId;
pub use error::{Error, Result};
pub use threshold::Threshold;

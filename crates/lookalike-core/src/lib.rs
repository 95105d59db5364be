//! The computation behind lookalike, from text to decisions, without input or output.
//!
//! The rooms are listed in dependency order: each imports only earlier ones. Five of them are named after the nouns
//! that define a job:
//!
//! ```text
//! ground      arrays, document numbers, errors, hashes
//! kernel      the innermost loops, in one version per instruction set
//! text        strip HTML, normalize, tokenize               -> tokens
//! features    noun: what a document becomes                 -> ElementSet
//! measure     noun: what "alike" means; the exact check     -> VerifiedPair
//! signatures  MinHash signatures                            -> Signature
//! method      noun: how candidates are found                -> BlockingKey, CandidatePair
//! rule        noun: what follows from pairs                 -> Cluster, Decision
//! passages    runs of tokens that stand in two documents    -> TokenPassage
//! evidence    two documents side by side, checksums         -> Comparison
//! resources   noun: threads, memory, folders, kernel; no answer depends on it
//! stored      containers of named sections with checksums   -> bytes
//! ```
//!
//! Threads, files, clocks and printing belong to the crates above: every result here is a function of the arguments.
//!
//! ```
//! use lookalike_core::{features::{Features, ShingleOptions}, kernel::Kernel};
//! use lookalike_core::{features::ElementSets, measure::Overlap, DocId};
//!
//! let mut shingler = Features::shingles(ShingleOptions::words(1)).shingler(Kernel::detect());
//! let mut sets = ElementSets::new();
//! shingler.push("the black cat ate a mouse", &mut sets)?;
//! shingler.push("the black dog chased the cat", &mut sets)?;
//! assert_eq!(Overlap::of(sets.get(DocId(0)), sets.get(DocId(1))).jaccard(), 3.0 / 8.0);
//! # Ok::<(), lookalike_core::Error>(())
//! ```

pub mod evidence;
pub mod features;
mod ground;
pub mod kernel;
pub mod measure;
pub mod method;
pub mod passages;
mod resources;
pub mod rule;
pub mod signatures;
pub mod stored;
pub mod text;

pub use ground::{
    Array, ContentKind, DocId, Error, MAX_WIDTH, NotBits, Pool, Ragged, Result, Storage, counted, details, hash,
    path_of_printed, percent, prefix_sums, printed_path, serialize_path, serialize_paths, thousands, with_number,
};
pub use measure::Threshold;
pub use resources::Resources;

//! The computation behind lookalike, from text to decisions, without input or output.
//!
//! The modules are listed in dependency order: each imports only earlier ones. They are cut by what a document is: a
//! measure, its blocking keys and its filters stand with their kind of documents.
//!
//! ```text
//! base        arrays, document numbers, errors, hashes
//! kernel      the innermost loops, in one version per instruction set
//! text        strip HTML, normalize, tokenize               -> tokens
//! documents   contents, and the words that stand for them   -> ElementSet
//! keys        blocking keys, their numbers and index        -> BlockingKey
//! similarity  limits, agreement, the algebra of a measure   -> CandidatePair, Agreement
//! sets        shingles; measures, keys and sketches of sets
//! terms       the same of weighted terms
//! bits        the same of fingerprints
//! vectors     the same of vectors
//! signatures  the same of MinHash signatures                -> Signature
//! comparison  parameters: Features, Measure, Method; check  -> VerifiedPair
//! rule        parameter: what follows from pairs            -> Cluster, Decision
//! passages    runs of tokens that stand in two documents    -> TokenPassage
//! evidence    two documents side by side, checksums         -> Comparison
//! resources   parameter: threads, memory, folders, kernel; no answer depends on it
//! stored      containers of named sections with checksums   -> bytes
//! ```
//!
//! Threads, files, clocks and printing belong to the crates above: every result here is a function of the arguments.
//!
//! ```
//! use lookalike_core::{DocId, comparison::Features, documents::ElementSets, kernel::Kernel};
//! use lookalike_core::{sets::ShingleOptions, similarity::Overlap};
//!
//! let mut shingler = Features::shingles(ShingleOptions::words(1)).shingler(Kernel::detect());
//! let mut sets = ElementSets::new();
//! shingler.push("the black cat ate a mouse", &mut sets)?;
//! shingler.push("the black dog chased the cat", &mut sets)?;
//! assert_eq!(Overlap::new(sets.get(DocId(0)), sets.get(DocId(1))).jaccard(), 3.0 / 8.0);
//! # Ok::<(), lookalike_core::Error>(())
//! ```

mod base;
pub mod bits;
pub mod comparison;
pub mod documents;
pub mod evidence;
pub mod kernel;
pub mod keys;
pub mod passages;
mod resources;
pub mod rule;
pub mod sets;
pub mod signatures;
pub mod similarity;
pub mod stored;
pub mod terms;
pub mod text;
pub mod vectors;

pub use base::{
    Array, ArrayStorage, ContentKind, DocId, Error, MAX_WIDTH, NotBits, Pool, Ragged, Result, counted, details, hash,
    path_of_printed, percent, prefix_sums, printed_path, serialize_path, serialize_paths, thousands, with_number,
};
pub use resources::Resources;
pub use similarity::Threshold;

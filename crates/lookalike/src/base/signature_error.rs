//! Errors of jobs over MinHash signatures.

use super::details::{OfTexts, SignatureConflict};
use lookalike_core::signatures::SignatureScheme;
use lookalike_core::{counted, printed_path};
use std::path::PathBuf;

/// Signatures cannot be made, cannot be compared with each other, or do not belong to the texts beside them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignatureError {
    /// A number of components that signatures do not have.
    #[error("signatures have from 1 to {max} components; found {found}")]
    Length {
        /// The number.
        found: usize,
        /// The greatest.
        max: usize,
    },
    /// A seed that the scheme of signatures does not have.
    #[error("a seed of the scheme {} is {} at most", scheme.name(), scheme.max_seed())]
    Seed {
        /// The scheme.
        scheme: SignatureScheme,
    },
    /// Band keys are to stand in an array of numbers.
    #[error(
        "{} is an array of signatures, which has no place for band keys: .jsonl, .parquet and .arrow have",
        printed_path(path)
    )]
    BandKeysInArray {
        /// The path.
        path: PathBuf,
    },
    /// Two files hold signatures that cannot be compared.
    #[error("the signatures of {} are of {found}, those of {} of {expected}", printed_path(path), printed_path(first))]
    OfOtherFamily {
        /// The later file.
        path: PathBuf,
        /// Scheme, seed and features of its signatures.
        found: String,
        /// The first file that says how its signatures were made.
        first: PathBuf,
        /// Scheme, seed and features of its signatures.
        expected: String,
    },
    /// Signatures are given for texts that are cut in another way.
    #[error("the signatures of {} are of texts with {found}, and these are read with {expected}", printed_path(path))]
    OfOtherTexts {
        /// The file of signatures.
        path: PathBuf,
        /// The options that differ, of the signatures.
        found: String,
        /// The options that differ, of the job.
        expected: String,
    },
    /// Two signatures have one id.
    #[error("the id `{id}` has a signature at {again}, and one at {first}")]
    Twice {
        /// The id.
        id: String,
        /// Place of its first signature.
        first: String,
        /// Place of the other signature.
        again: String,
    },
    /// A document has no signature among those that are given.
    #[error("no signature of the document `{id}` in {}", printed_path(path))]
    Missing {
        /// Its id.
        id: String,
        /// The first file of signatures.
        path: PathBuf,
    },
    /// A signature has no document among the texts.
    #[error("the signature of `{id}` in {} has no text with that id", printed_path(path))]
    WithoutText {
        /// Its id.
        id: String,
        /// The first file of signatures.
        path: PathBuf,
    },
    /// Bands need more components than the signatures have.
    #[error("the signatures have {}, and the bands need {needed}", counted(*found as u64, "component"))]
    TooShort {
        /// Number of their components.
        found: usize,
        /// Number of components of all bands.
        needed: usize,
    },
    /// Candidates are to be found by signatures, and something else is asked that does not go with it.
    #[error("candidates are found by the signatures of texts, and {found} does not go with that")]
    NotByThem {
        /// The request.
        found: SignatureConflict,
    },
    /// Something is asked of signatures that needs the texts.
    #[error("{asked} needs texts, and signatures have none")]
    TextsNeeded {
        /// The request.
        asked: OfTexts,
    },
    /// Documents would be removed by what their signatures estimate.
    #[error("signatures only estimate how similar texts are, and nothing is removed by an estimate")]
    Removal,
}

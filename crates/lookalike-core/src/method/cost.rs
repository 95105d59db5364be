//! When `auto` gives up completeness: costs of both methods, in nanoseconds on some machine; mostly their ratios matter.
//!
//! The choice is a function of the documents, the nouns and the seed, never of time, threads or memory.

use super::{Banding, SharedKeys};

/// Following one posting, and refusing or verifying the document behind it.
const POSTING: f64 = 15.0;
/// Drawing one element into a signature.
const SKETCHED_ELEMENT: f64 = 2.0;
/// Making and numbering one band key.
const BAND_KEY: f64 = 40.0;
/// How much more exact may cost before recall is given up for speed.
const WORTH_OF_COMPLETENESS: f64 = 5.0;
/// What exact may cost in any case: a fifth of a second.
const ALWAYS_ACCEPTED: f64 = 2e8;

/// Which documents each document is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// All others.
    All,
    /// Those that are kept: how many that are, only a trial can tell.
    Keepers,
}

/// What becomes of the exact method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is cheap enough.
    Take,
    /// It is worth a trial that follows this number of postings at most.
    Try {
        /// Limit of the trial.
        max_postings: u64,
    },
    /// It is to be compared with the cost of MinHash.
    Weigh,
}

/// Costs of the signatures and band keys of `documents` documents with `elements` elements in all, without a single candidate.
fn sketching(elements: usize, documents: usize, banding: Banding) -> f64 {
    elements as f64 * SKETCHED_ELEMENT + (documents * banding.bands()) as f64 * BAND_KEY
}

/// Weighs the exact method by how often its keys meet, before MinHash keys are made.
pub fn weigh_exact(
    exact: &SharedKeys,
    elements: usize,
    documents: usize,
    banding: Banding,
    meeting: Meeting,
) -> Verdict {
    let accepted = (WORTH_OF_COMPLETENESS * sketching(elements, documents, banding)).max(ALWAYS_ACCEPTED) / POSTING;
    match meeting {
        _ if exact.total_meetings() as f64 <= accepted => Verdict::Take,
        Meeting::Keepers => Verdict::Try { max_postings: accepted as u64 },
        Meeting::All => Verdict::Weigh,
    }
}

/// Whether MinHash is so much cheaper than the exact method that recall is given up for it.
pub fn weigh_minhash(
    exact_meetings: u64,
    minhash: &SharedKeys,
    elements: usize,
    documents: usize,
    banding: Banding,
) -> bool {
    let cost = sketching(elements, documents, banding) + minhash.total_meetings() as f64 * POSTING;
    exact_meetings as f64 * POSTING > WORTH_OF_COMPLETENESS * cost
}

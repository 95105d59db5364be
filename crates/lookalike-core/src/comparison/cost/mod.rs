//! The cost model by which `auto` chooses between the exact method and MinHash, in nanoseconds of one reference
//! machine; ratios decide.
//!
//! The choice is a function of the documents, the parameters and the seed; time, threads and memory have no effect.
//!
//! ```text
//! all pairs    exact keys --Work::estimate--> cheap enough? else band keys --Work::estimate--> compare
//!              of weights: keys of a sample, then of all --postings--> more than twice a pair? all pairs, no keys
//! keepers      exact keys --trial up to accepted_cost--> done? else --Work::estimate, all kept--> cheap enough? on to
//!              the end; else as for all pairs, of pairs that are no near-duplicates; MinHash is given up in turn
//!              beyond what exact would cost then
//! ```
//!
//! The constants were measured on two cores of a server with AVX-512 (2026-11-22, bench/hard).
//!
//! The exact keys are made first, so the number of postings is known, and not estimated from a sample; what becomes of
//! the pairs is seen on a sample of a thousand (pair_sample.rs). A fifth of a second by this model is always accepted;
//! else MinHash is taken only where exact would cost twice as much.
//!
//! `pairs` chooses before the search. A search among keepers cannot: how many there will be nobody knows, and a million
//! near-copies of one page have 10^13 postings, while each of them finds the one that is kept at once. So exact is
//! tried up to a cost that is counted in postings and candidates, not in time, and given up there, unless it would be
//! accepted even if every document were kept: that is estimated only then, as most trials end before. A search that is
//! given up and the one that follows are one stage with one result.

mod all_pairs;
mod pair_sample;
mod work;

pub use all_pairs::{prefers_all_pairs, sample_prefers_all_pairs};
pub use work::{ComparedPairs, Work};

use crate::keys::Banding;

/// Cost of one element in the computation of a signature.
const SKETCHED_ELEMENT: f64 = 2.0;
/// Cost of computing and numbering one band key.
const BAND_KEY: f64 = 40.0;
/// Cost of one element while the recall is measured.
const RECALL_ELEMENT: f64 = 1.0;
/// Maximum ratio of the cost of exact to that of MinHash, beyond which recall is traded for speed.
const WORTH_OF_COMPLETENESS: f64 = 2.0;
/// Cost of exact that is accepted without comparison: a fifth of a second.
const ALWAYS_ACCEPTED: f64 = 2e8;
/// Cost of a posting, for a trial that does not know which of them pass the filter.
const TRIED_POSTING: u64 = 4;
/// Cost of a candidate in a trial, without its elements.
const TRIED_CANDIDATE: u64 = 50;

/// The size of a search, from which the cost of MinHash without candidates follows.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// Number of elements over all documents.
    pub elements: usize,
    /// Number of documents.
    pub documents: usize,
    /// Bands and rows of MinHash.
    pub banding: Banding,
}

impl Scale {
    /// Cost of the signatures, the band keys and the measured recall, without candidates.
    fn minhash_cost(self) -> f64 {
        let Self { elements, documents, banding } = self;
        let keys = (documents * banding.bands()) as f64;
        elements as f64 * (SKETCHED_ELEMENT + RECALL_ELEMENT) + keys * BAND_KEY
    }

    /// The cost of an exact search that is accepted without comparison.
    pub fn accepted_cost(self) -> u64 {
        (WORTH_OF_COMPLETENESS * self.minhash_cost()).max(ALWAYS_ACCEPTED) as u64
    }

    /// Returns whether an exact search costs so little that it is accepted even if every posting led to an exact check
    /// of two sets of mean size.
    pub fn accepts_all(self, postings: u64) -> bool {
        let postings = postings as f64;
        let mean_size = self.elements as f64 / self.documents.max(1) as f64;
        let checked_elements = postings * 2.0 * mean_size;
        self.accepts(&Work { postings, passing: postings, candidates: postings, checks: postings, checked_elements })
    }

    /// Returns whether `auto` accepts the exact method, given the work of its search, without a look at MinHash.
    pub fn accepts(self, exact: &Work) -> bool {
        exact.cost() <= self.accepted_cost() as f64
    }

    /// Returns whether `auto` chooses MinHash: only if the exact method costs several times as much.
    pub fn prefers_minhash(self, exact: &Work, minhash: &Work) -> bool {
        exact.cost() > WORTH_OF_COMPLETENESS * (self.minhash_cost() + minhash.cost())
    }

    /// The cost at which a search by MinHash is given up: that of exact, if every document is kept.
    pub fn most_for_minhash(self, exact: &Work) -> u64 {
        (exact.cost() as u64).max(self.accepted_cost())
    }
}

/// Cost of postings in a trial.
pub fn tried_posting(postings: u64) -> u64 {
    postings * TRIED_POSTING
}

/// Cost of a candidate in a trial; `elements` is the total size of its two sets. The exact check is assumed to end
/// half-way.
pub fn tried_candidate(elements: usize) -> u64 {
    TRIED_CANDIDATE + elements as u64 / 2
}

#[cfg(test)]
mod tests;

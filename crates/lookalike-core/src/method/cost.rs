//! The cost model by which `auto` chooses between the exact method and MinHash, in nanoseconds of one reference
//! machine; ratios decide.
//!
//! The choice is a function of the documents, the nouns and the seed; time, threads and memory have no effect.

use super::{Banding, SharedKeys};

/// Cost of following one posting and filtering or verifying its document.
const POSTING: f64 = 15.0;
/// Cost of one element in the computation of a signature.
const SKETCHED_ELEMENT: f64 = 2.0;
/// Cost of computing and numbering one band key.
const BAND_KEY: f64 = 40.0;
/// Maximum ratio of the cost of exact to that of MinHash, beyond which recall is traded for speed.
const WORTH_OF_COMPLETENESS: f64 = 5.0;
/// Cost of exact that is accepted without comparison: a fifth of a second.
const ALWAYS_ACCEPTED: f64 = 2e8;

/// The set of documents that each document is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// All other documents.
    All,
    /// The keepers only, whose number is unknown before a trial.
    Keepers,
}

/// The verdict on the exact method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Exact is cheap enough.
    Take,
    /// Exact is tried with a limit on the postings that it follows.
    Try {
        /// Maximum number of postings that the trial may follow.
        max_postings: u64,
    },
    /// Exact is to be compared with the cost of MinHash; see [`weigh_minhash`].
    Weigh,
}

/// Cost of the signatures and band keys of `documents` documents with `elements` elements in total, without candidates.
fn sketching(elements: usize, documents: usize, banding: Banding) -> f64 {
    elements as f64 * SKETCHED_ELEMENT + (documents * banding.bands()) as f64 * BAND_KEY
}

/// Weighs the exact method by the postings that its blocking keys lead to, before band keys are computed. `documents`
/// and `elements` are the totals over all documents, `banding` is that of MinHash.
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

/// Whether `auto` chooses MinHash: only if the exact method would cost several times as much. `exact_meetings` is
/// [`SharedKeys::total_meetings`] of the exact method, `minhash` has the band keys.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::{BlockingKey, BlockingKeys};

    /// Blocking keys of `documents` documents that all share one.
    fn shared_by(documents: usize) -> SharedKeys {
        let mut keys = BlockingKeys::new();
        for _ in 0..documents {
            keys.push_with(|keys| keys.push(BlockingKey { hash: 7, position: 0 }));
        }
        keys.share().unwrap()
    }

    fn banding() -> Banding {
        Banding::new(20, 5).unwrap()
    }

    /// 2e8 / 15 = 13,333,333 postings: 5164 documents with a common blocking key have fewer pairs, 5165 have more.
    #[test]
    fn exact_is_taken_up_to_the_accepted_cost_and_then_tried_or_weighed() {
        let weigh = |documents, meeting| weigh_exact(&shared_by(documents), 0, documents, banding(), meeting);
        for meeting in [Meeting::All, Meeting::Keepers] {
            for documents in [0, 1, 2, 5164] {
                assert_eq!(weigh(documents, meeting), Verdict::Take, "{documents}");
            }
        }
        assert_eq!(weigh(5165, Meeting::All), Verdict::Weigh);
        assert_eq!(weigh(5165, Meeting::Keepers), Verdict::Try { max_postings: 13_333_333 });
    }

    #[test]
    fn more_elements_make_more_postings_acceptable() {
        let keys = shared_by(5165);
        // 5 (2 elements + 40 x 20 documents) / 15 postings.
        let weigh = |elements| weigh_exact(&keys, elements, 3, banding(), Meeting::Keepers);
        assert_eq!(weigh(30_000_000), Verdict::Take);
        assert_eq!(weigh(19_000_000), Verdict::Try { max_postings: 13_333_333 });
    }

    #[test]
    fn minhash_is_chosen_if_exact_costs_more_than_five_times_as_much() {
        // 2 x 1000 elements, 40 x 20 bands x 10 documents, 15 x 1 posting: 10,015, of which five times are 3338.3
        // postings.
        let weigh = |exact_meetings| weigh_minhash(exact_meetings, &shared_by(2), 1000, 10, banding());
        assert!(!weigh(0) && !weigh(3338));
        assert!(weigh(3339) && weigh(u64::MAX));
    }
}

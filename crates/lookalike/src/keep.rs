//! Keepers and duplicates, in parallel, with the result of the sequential rule.
//!
//! ```text
//! for each batch of documents in priority order:
//!     in parallel:  look for a witness among the keepers of earlier batches
//!     in order:     of those without one, look among the keepers of this batch; keep what has none
//! ```
//!
//! Keepers of earlier batches come first in priority order, so a witness found in the first step is the right one. The
//! size of a batch changes the time and nothing else.

use crate::error::Result;
use crate::keys::MadeKeys;
use crate::progress::{Stage, Unit};
use crate::session::Session;
use lookalike_core::DocId;
use lookalike_core::decide::{Decision, Keepers, Reason, clusters};
use lookalike_core::equal_sets::EqualSets;
use lookalike_core::verify::{VerifiedPair, Verifier};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

const BATCH_DOCUMENTS: usize = 4096;

/// What the keepers rule gave.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    /// By document.
    pub(crate) decisions: Vec<Decision>,
    /// Candidates that were verified.
    pub(crate) candidates: u64,
}

/// Decides by the keepers rule about all documents; the representatives of `groups` are in priority order. `None` if that
/// takes more postings than the keys are worth.
pub(crate) fn keep(
    verifier: Verifier<'_>,
    groups: &EqualSets,
    keys: &MadeKeys,
    session: &Session<'_>,
) -> Result<Option<Kept>> {
    keep_in_batches(verifier, groups, keys, session, BATCH_DOCUMENTS)
}

fn keep_in_batches(
    verifier: Verifier<'_>,
    groups: &EqualSets,
    made: &MadeKeys,
    session: &Session<'_>,
    batch_documents: usize,
) -> Result<Option<Kept>> {
    let order = groups.representatives();
    let total = order.len() as u64;
    session.stages.run(Stage { name: "comparing", total, unit: Unit::Documents }, || {
        let mut decisions = vec![Decision::Kept; groups.len()];
        let mut kept = Keepers::new(verifier, &made.keys, order);
        let followed = Followed { most: made.most_postings, ..Followed::default() };
        for first in (0..total as u32).step_by(batch_documents) {
            session.stages.check()?;
            let batch = first..(first as u64 + batch_documents as u64).min(total) as u32;
            let Some(witnesses) = find_witnesses(batch.clone(), &kept, &followed, session)? else { return Ok(None) };
            for (rank, earlier) in batch.clone().zip(witnesses) {
                match earlier.or_else(|| followed.witness(&kept, rank, first..rank)) {
                    Some(witness) => decisions[witness.a.index()] = removed(&witness),
                    None => kept.keep(rank),
                }
            }
            session.stages.progress.advance(batch.len() as u64);
        }
        expand(&mut decisions, verifier, groups);
        Ok(Some(Kept { decisions, candidates: followed.candidates.into_inner() }))
    })
}

/// How much was met. Whether it is too much at the end of a batch is the same for any number of threads.
#[derive(Debug, Default)]
struct Followed {
    postings: AtomicU64,
    candidates: AtomicU64,
    most: u64,
}

impl Followed {
    fn are_too_many(&self) -> bool {
        self.postings.load(Ordering::Relaxed) > self.most
    }

    fn witness(&self, kept: &Keepers<'_>, rank: u32, ranks: Range<u32>) -> Option<VerifiedPair> {
        let search = kept.witness(rank, ranks);
        self.postings.fetch_add(search.postings, Ordering::Relaxed);
        self.candidates.fetch_add(search.candidates, Ordering::Relaxed);
        search.witness
    }
}

/// For each rank of a batch, the witness among the keepers of earlier batches; `None` if too many postings were followed.
fn find_witnesses(
    batch: Range<u32>,
    kept: &Keepers<'_>,
    followed: &Followed,
    session: &Session<'_>,
) -> Result<Option<Vec<Option<VerifiedPair>>>> {
    let first = batch.start;
    let find = |rank| {
        session.stages.check()?;
        Ok(if followed.are_too_many() { None } else { followed.witness(kept, rank, 0..first) })
    };
    let found: Result<Vec<_>> = session.pool.install(|| batch.into_par_iter().with_min_len(64).map(find).collect());
    found.map(|witnesses| (!followed.are_too_many()).then_some(witnesses))
}

/// Keeps one document of each connected component of `pairs`: the first in priority order.
pub(crate) fn keep_connected(verifier: Verifier<'_>, groups: &EqualSets, pairs: &[VerifiedPair]) -> Vec<Decision> {
    let rank = ranks(groups.representatives(), groups.len());
    let mut decisions = vec![Decision::Kept; groups.len()];
    for cluster in clusters(groups.len(), pairs.iter().map(|pair| (pair.a, pair.b))) {
        let Some(&kept) = cluster.members.iter().min_by_key(|member| rank[member.index()]) else { continue };
        for &member in cluster.members.iter().filter(|&&member| member != kept) {
            let overlap = verifier.overlap(member, kept);
            decisions[member.index()] = Decision::Removed { kept, overlap, reason: Reason::Near };
        }
    }
    expand(&mut decisions, verifier, groups);
    decisions
}

fn removed(witness: &VerifiedPair) -> Decision {
    Decision::Removed { kept: witness.b, overlap: witness.overlap, reason: Reason::Near }
}

/// Decides about the documents that others stand for: they go, with the one that stands for them or because of it.
fn expand(decisions: &mut [Decision], verifier: Verifier<'_>, groups: &EqualSets) {
    for document in DocId::all(groups.len()) {
        let representative = groups.representative(document);
        if representative != document {
            decisions[document.index()] = match decisions[representative.index()] {
                Decision::Kept => Decision::Removed {
                    kept: representative,
                    overlap: verifier.overlap(document, representative),
                    reason: Reason::Exact,
                },
                removed => removed,
            };
        }
    }
}

/// By document: its place in `order`.
fn ranks(order: &[DocId], documents: usize) -> Vec<u32> {
    let mut rank = vec![0; documents];
    for (document, place) in order.iter().zip(0..) {
        rank[document.index()] = place;
    }
    rank
}

#[cfg(test)]
mod tests;

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

use crate::corpus::References;
use crate::error::Result;
use crate::keys::MadeKeys;
use crate::priority::ranks;
use crate::progress::{Stage, Unit};
use crate::session::Session;
use lookalike_core::DocId;
use lookalike_core::decide::{Decision, Keepers, Reason, clusters};
use lookalike_core::equal_sets::EqualSets;
use lookalike_core::verify::{VerifiedPair, Verifier};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

const BATCH_DOCUMENTS: u32 = 4096;

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
    batch_documents: u32,
) -> Result<Option<Kept>> {
    let total = groups.representatives().len() as u32;
    session.stages.run(Stage { name: "comparing", total: total.into(), unit: Unit::Documents }, || {
        let mut decisions = vec![Decision::Kept; groups.len()];
        let mut trial = Trial::new(verifier, groups, made, session);
        for batch in batches(0..total, batch_documents) {
            let Some(witnesses) = trial.witnesses(batch.clone(), 0..batch.start)? else { return Ok(None) };
            for (rank, earlier) in batch.clone().zip(witnesses) {
                match earlier.or_else(|| trial.witness(rank, batch.start..rank)) {
                    Some(witness) => decisions[witness.a.index()] = removed(&witness),
                    None => trial.kept.keep(rank),
                }
            }
        }
        expand(&mut decisions, groups);
        Ok(Some(Kept { decisions, candidates: trial.candidates.into_inner() }))
    })
}

/// Decides about documents against references, which come first and all stay. Other documents are not compared with each
/// other. `None` as for [`keep`].
pub(crate) fn keep_against(
    references: References,
    verifier: Verifier<'_>,
    groups: &EqualSets,
    made: &MadeKeys,
    session: &Session<'_>,
) -> Result<Option<Kept>> {
    let order = groups.representatives();
    let is_reference = |document: &DocId| document.index() < references.documents;
    let inputs = order.partition_point(is_reference) as u32..order.len() as u32;
    session.stages.run(Stage { name: "comparing", total: inputs.len() as u64, unit: Unit::Documents }, || {
        let mut decisions = vec![Decision::Kept; groups.len()];
        let mut trial = Trial::new(verifier, groups, made, session);
        (0..inputs.start).for_each(|rank| trial.kept.keep(rank));
        for batch in batches(inputs.clone(), BATCH_DOCUMENTS) {
            let Some(witnesses) = trial.witnesses(batch, 0..inputs.start)? else { return Ok(None) };
            for witness in witnesses.into_iter().flatten() {
                decisions[witness.a.index()] = removed(&witness);
            }
        }
        for document in DocId::all(groups.len()).skip(references.documents) {
            let first = groups.representative(document);
            decisions[document.index()] = if is_reference(&first) { equal_to(first) } else { decisions[first.index()] };
        }
        Ok(Some(Kept { decisions, candidates: trial.candidates.into_inner() }))
    })
}

fn batches(ranks: Range<u32>, documents: u32) -> impl Iterator<Item = Range<u32>> {
    let end = ranks.end;
    ranks.step_by(documents as usize).map(move |first| first..first.saturating_add(documents).min(end))
}

/// The keepers so far, and how much was met on the way. Whether it is too much at the end of a batch is the same for any
/// number of threads.
struct Trial<'a> {
    kept: Keepers<'a>,
    postings: AtomicU64,
    candidates: AtomicU64,
    most_postings: u64,
    session: &'a Session<'a>,
}

impl<'a> Trial<'a> {
    fn new(verifier: Verifier<'a>, groups: &'a EqualSets, made: &'a MadeKeys, session: &'a Session<'a>) -> Self {
        Self {
            kept: Keepers::new(verifier, &made.keys, groups.representatives()),
            postings: AtomicU64::new(0),
            candidates: AtomicU64::new(0),
            most_postings: made.most_postings,
            session,
        }
    }

    fn is_too_dear(&self) -> bool {
        self.postings.load(Ordering::Relaxed) > self.most_postings
    }

    fn witness(&self, rank: u32, ranks: Range<u32>) -> Option<VerifiedPair> {
        let search = self.kept.witness(rank, ranks);
        self.postings.fetch_add(search.postings, Ordering::Relaxed);
        self.candidates.fetch_add(search.candidates, Ordering::Relaxed);
        search.witness
    }

    /// For each rank of a batch, the witness among the keepers with `ranks`; `None` if too many postings were followed.
    fn witnesses(&self, batch: Range<u32>, ranks: Range<u32>) -> Result<Option<Vec<Option<VerifiedPair>>>> {
        let find = |rank| {
            self.session.stages.check()?;
            Ok(if self.is_too_dear() { None } else { self.witness(rank, ranks.clone()) })
        };
        let documents = batch.len() as u64;
        let found: Result<Vec<_>> =
            self.session.pool.install(|| batch.into_par_iter().with_min_len(64).map(find).collect());
        self.session.stages.progress.advance(documents);
        found.map(|witnesses| (!self.is_too_dear()).then_some(witnesses))
    }
}

/// Keeps one document of each connected component of `pairs`: the first in priority order.
pub(crate) fn keep_connected(verifier: Verifier<'_>, groups: &EqualSets, pairs: &[VerifiedPair]) -> Vec<Decision> {
    let rank = ranks(groups.representatives(), groups.len());
    let mut decisions = vec![Decision::Kept; groups.len()];
    for cluster in clusters(groups.len(), pairs.iter().map(|pair| (pair.a, pair.b))) {
        let Some(&kept) = cluster.members.iter().min_by_key(|member| rank[member.index()]) else { continue };
        for &member in cluster.members.iter().filter(|&&member| member != kept) {
            let similarity = verifier.overlap(member, kept).jaccard();
            decisions[member.index()] = Decision::Removed { kept, similarity, reason: Reason::Near };
        }
    }
    expand(&mut decisions, groups);
    decisions
}

fn removed(witness: &VerifiedPair) -> Decision {
    Decision::Removed { kept: witness.b, similarity: witness.overlap.jaccard(), reason: Reason::Near }
}

/// Decides about the documents that others stand for: they go, with the one that stands for them or because of it.
fn expand(decisions: &mut [Decision], groups: &EqualSets) {
    for document in DocId::all(groups.len()) {
        let representative = groups.representative(document);
        if representative != document {
            decisions[document.index()] = match decisions[representative.index()] {
                Decision::Kept => equal_to(representative),
                removed => removed,
            };
        }
    }
}

fn equal_to(kept: DocId) -> Decision {
    Decision::Removed { kept, similarity: 1.0, reason: Reason::Exact }
}

#[cfg(test)]
mod tests;

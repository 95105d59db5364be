//! Keepers and duplicates, in parallel, with the result of the sequential rule.
//!
//! ```text
//! groups of documents in priority order
//!     --in parallel-->  look for a witness among the keepers of all groups decided by now
//!     --in order----->  without one, look among the keepers of the few groups since; keep what has none
//! ```
//!
//! Both steps go on at the same time, for different groups: one thread at most decides and adds keepers to the index, while the
//! others look. Keepers found in the first step come first in priority order, so a witness found there is the right one. How many
//! groups were decided by then changes the time and nothing else.
//!
//! Keepers whose keys do not fit into memory together are indexed in blocks ([`crate::index_blocks`]); what has no witness in one
//! block looks for it in the next.

use crate::corpus::References;
use crate::error::Result;
use crate::index_blocks::{fill_index, index_blocks};
use crate::method::MadeKeys;
use crate::priority::ranks;
use crate::progress::{Stage, Unit};
use crate::session::Session;
use crate::threads::{Pace, in_turns, ordered_map};
use lookalike_core::DocId;
use lookalike_core::decide::{Decision, Keepers, Reason, clusters};
use lookalike_core::equal_sets::EqualSets;
use lookalike_core::verify::{VerifiedPair, Verifier};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Documents that are decided about at a time: few, so that the keepers among them are soon seen by all.
const GROUP_DOCUMENTS: u32 = 128;

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
    keep_in_groups(verifier, groups, keys, session, GROUP_DOCUMENTS)
}

fn keep_in_groups(
    verifier: Verifier<'_>,
    groups: &EqualSets,
    made: &MadeKeys,
    session: &Session<'_>,
    group_documents: u32,
) -> Result<Option<Kept>> {
    let order = groups.representatives();
    let total = order.len() as u32;
    let blocks = index_blocks(&made.keys, order, 0..total, group_documents, session);
    let work = blocks.iter().map(|block| u64::from(total - block.start)).sum();
    session.stages.run(Stage { name: "comparing", total: work, unit: Unit::Documents }, || {
        let mut trial = Trial::new(verifier, groups, made, session);
        for block in blocks {
            let kept = trial.keepers_of(block.clone());
            if !trial.decide_block(&kept, block.clone(), group_documents)? {
                return Ok(None);
            }
            if !trial.look_among(&kept, block.clone(), block.end..total)? {
                return Ok(None);
            }
        }
        expand(&mut trial.decisions, groups);
        Ok(Some(trial.into_kept()))
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
    let blocks = index_blocks(&made.keys, order, 0..inputs.start, GROUP_DOCUMENTS, session);
    let work = (blocks.len() * inputs.len()) as u64;
    session.stages.run(Stage { name: "comparing", total: work, unit: Unit::Documents }, || {
        let mut trial = Trial::new(verifier, groups, made, session);
        for block in blocks {
            let kept = trial.keepers_of(block.clone());
            fill_index(kept.index(), block.clone(), |rank| kept.entry(rank), session)?;
            if !trial.look_among(&kept, block.clone(), inputs.clone())? {
                return Ok(None);
            }
        }
        for document in DocId::all(groups.len()).skip(references.documents) {
            let first = groups.representative(document);
            trial.decisions[document.index()] =
                if is_reference(&first) { equal_to(first) } else { trial.decisions[first.index()] };
        }
        Ok(Some(trial.into_kept()))
    })
}

fn groups_of(ranks: Range<u32>, documents: u32) -> impl Iterator<Item = Range<u32>> {
    let end = ranks.end;
    ranks.step_by(documents as usize).map(move |first| first..first.saturating_add(documents).min(end))
}

/// What was decided so far, and how much was met on the way: of each document all postings of earlier keepers, whether they were
/// followed or not. So it is the same sum for any number of threads and blocks that becomes too much or does not.
struct Trial<'a> {
    verifier: Verifier<'a>,
    groups: &'a EqualSets,
    made: &'a MadeKeys,
    session: &'a Session<'a>,
    decisions: Vec<Decision>,
    postings: AtomicU64,
    candidates: AtomicU64,
}

impl<'a> Trial<'a> {
    fn new(verifier: Verifier<'a>, groups: &'a EqualSets, made: &'a MadeKeys, session: &'a Session<'a>) -> Self {
        let decisions = vec![Decision::Kept; groups.len()];
        let (postings, candidates) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { verifier, groups, made, session, decisions, postings, candidates }
    }

    /// No keepers yet, with room for those of a block.
    fn keepers_of(&self, block: Range<u32>) -> Keepers<'a> {
        Keepers::over(self.verifier, &self.made.keys, self.groups.representatives(), block)
    }

    fn is_removed(&self, rank: u32) -> bool {
        let document = self.groups.representatives()[rank as usize];
        self.decisions[document.index()] != Decision::Kept
    }

    fn remove(&mut self, witness: &VerifiedPair) {
        let reason = Reason::Near;
        let similarity = witness.overlap.jaccard();
        self.decisions[witness.a.index()] = Decision::Removed { kept: witness.b, similarity, reason };
    }

    fn is_too_dear(&self) -> bool {
        self.postings.load(Ordering::Relaxed) > self.made.most_postings
    }

    fn witness(&self, kept: &Keepers<'_>, rank: u32, ranks: Range<u32>, buffer: &mut Vec<u32>) -> Option<VerifiedPair> {
        let search = kept.witness(rank, ranks, buffer);
        self.candidates.fetch_add(search.candidates, Ordering::Relaxed);
        search.witness
    }

    /// Counts the postings that a document meets, if there is a limit to them.
    fn count_postings(&self, kept: &Keepers<'_>, rank: u32, ranks: Range<u32>) {
        if self.made.most_postings < u64::MAX {
            self.postings.fetch_add(kept.postings(rank, ranks), Ordering::Relaxed);
        }
    }

    /// Decides about the documents of a block, of which none is kept yet; false if that takes too many postings.
    fn decide_block(&mut self, kept: &Keepers<'_>, block: Range<u32>, group_documents: u32) -> Result<bool> {
        let this = &*self;
        // All documents before it are decided, and those of them that stay are in the index.
        let decided = AtomicU32::new(block.start);
        let look = |buffer: &mut Vec<u32>, group: Range<u32>| {
            let seen = block.start..decided.load(Ordering::Acquire);
            let find = |rank| {
                let is_open = !this.is_removed(rank) && !this.is_too_dear();
                is_open.then(|| this.witness(kept, rank, seen.clone(), buffer)).flatten()
            };
            Looked { witnesses: group.clone().map(find).collect(), group, unseen: seen.end }
        };
        let mut removed = Vec::new();
        let decide = |buffer: &mut Vec<u32>, looked: Looked| {
            this.session.stages.check()?;
            this.session.stages.progress.advance(looked.group.len() as u64);
            let group_end = looked.group.end;
            for (rank, witness) in looked.group.zip(looked.witnesses) {
                if this.is_too_dear() {
                    break;
                }
                this.count_postings(kept, rank, block.start..rank);
                if this.is_removed(rank) {
                    continue;
                }
                match witness.or_else(|| this.witness(kept, rank, looked.unseen..rank, buffer)) {
                    Some(witness) => removed.push(witness),
                    None => kept.keep(rank),
                }
            }
            decided.store(group_end, Ordering::Release);
            Result::Ok(())
        };
        let groups = groups_of(block.clone(), group_documents);
        in_turns(groups, this.session.threads(), Vec::new, look, decide)?;
        removed.iter().for_each(|witness| self.remove(witness));
        Ok(!self.is_too_dear())
    }

    /// Looks for witnesses of later documents among the keepers with `ranks`, which are all there, and removes what has one; false
    /// if that takes too many postings. What was removed because of an earlier block would have met these keepers too: that counts.
    fn look_among(&mut self, kept: &Keepers<'_>, ranks: Range<u32>, later: Range<u32>) -> Result<bool> {
        let this = &*self;
        let look = |buffer: &mut Vec<u32>, group: Range<u32>| {
            let mut find = |rank| {
                if this.is_too_dear() {
                    return None;
                }
                this.count_postings(kept, rank, ranks.clone());
                (!this.is_removed(rank)).then(|| this.witness(kept, rank, ranks.clone(), buffer)).flatten()
            };
            (group.len(), group.filter_map(&mut find).collect::<Vec<_>>())
        };
        let mut removed = Vec::new();
        let note = |(documents, witnesses): (usize, Vec<VerifiedPair>)| {
            removed.extend(witnesses);
            this.session.stages.progress.advance(documents as u64);
            this.session.stages.check()
        };
        ordered_map(groups_of(later, GROUP_DOCUMENTS), Pace::of(this.session.threads()), Vec::new, look, note)?;
        removed.iter().for_each(|witness| self.remove(witness));
        Ok(!self.is_too_dear())
    }

    fn into_kept(self) -> Kept {
        Kept { decisions: self.decisions, candidates: self.candidates.into_inner() }
    }
}

/// A group of documents that have looked for witnesses among the keepers before `unseen`.
struct Looked {
    group: Range<u32>,
    /// By document.
    witnesses: Vec<Option<VerifiedPair>>,
    unseen: u32,
}

/// Keeps one document of each connected component of `pairs`: the first in priority order.
pub(crate) fn keep_connected(
    verifier: Verifier<'_>,
    groups: &EqualSets,
    pairs: impl Iterator<Item = VerifiedPair>,
) -> Vec<Decision> {
    let rank = ranks(groups.representatives(), groups.len());
    let mut decisions = vec![Decision::Kept; groups.len()];
    for cluster in clusters(groups.len(), pairs.map(|pair| (pair.a, pair.b))) {
        let Some(&kept) = cluster.members.iter().min_by_key(|member| rank[member.index()]) else { continue };
        for &member in cluster.members.iter().filter(|&&member| member != kept) {
            let similarity = verifier.overlap(member, kept).jaccard();
            decisions[member.index()] = Decision::Removed { kept, similarity, reason: Reason::Near };
        }
    }
    expand(&mut decisions, groups);
    decisions
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

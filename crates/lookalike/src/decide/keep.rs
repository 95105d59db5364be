//! Keepers and duplicates, in parallel, with the result of the sequential rule.
//!
//! ```text
//! groups of documents in the order of the rule
//!     --in parallel-->  look for a witness among the keepers of all groups decided by now
//!     --in order----->  without one, look among the keepers of the few groups since; keep what has none
//! ```
//!
//! Both steps go on at the same time, for different groups: one thread at most decides and adds keepers to the index,
//! while the others look. Keepers found in the first step come first in the order, so a witness found there is the
//! right one. How many groups were decided by then changes the time and nothing else.
//!
//! Keepers whose blocking keys exceed the memory together are indexed in blocks (index_blocks.rs); a document without a
//! witness in one block looks for it in the next.

use super::index_blocks::index_blocks;
use crate::candidates::MadeKeys;
use crate::ground::{Result, Stage};
use crate::run::{Checkpoint, Sections, Session, Stored};
use crate::spill::ask_for_large_pages;
use crate::threads::{Pace, in_turns, ordered_map, try_each};
use bytemuck::{Pod, Zeroable};
use lookalike_core::measure::{EqualSets, VerifiedPair, Verifier};
use lookalike_core::rule::{Decision, KeeperIndex, KeeperWriter, Reason, WitnessFinder};
use lookalike_core::stored::Provenance;
use lookalike_core::{Array, DocId};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Documents that are decided about at a time: few, so that the keepers among them are soon seen by all threads.
const GROUP_DOCUMENTS: u32 = 128;

/// The decisions about all documents.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept {
    /// By document.
    pub(crate) decisions: Vec<Decision>,
    /// Candidates that were verified.
    pub(crate) candidates: u64,
}

/// What became of a search for keepers.
#[derive(Debug, Clone)]
pub(super) enum Attempt {
    /// All documents are decided about.
    Decided(Kept),
    /// It would follow more postings than the method is worth.
    GivenUp,
}

/// The checkpoint of an attempt: its name, and what it depends on.
type Saved<'a> = (&'a str, &'a Provenance);

/// Decides by the keepers rule about all documents; the representatives of `groups` are in the order of the rule.
pub(super) fn keep(trial: Trial<'_>, saved: Saved<'_>) -> Result<Attempt> {
    keep_in_groups(trial, GROUP_DOCUMENTS, saved)
}

fn keep_in_groups(mut trial: Trial<'_>, group_documents: u32, (name, provenance): Saved<'_>) -> Result<Attempt> {
    let (groups, session) = (trial.groups, trial.session);
    let order = groups.representatives();
    let total = order.len() as u32;
    let blocks = index_blocks(&trial.made.keys, order, 0..total, group_documents, session);
    let work = blocks.iter().map(|block| (total - block.start) as usize).sum();
    session.checkpointed(Stage::over_documents("comparing", work), name, provenance, || {
        for block in blocks {
            let mut kept = trial.keepers_of(block.clone());
            let (mut writer, finder) = kept.split();
            let is_cheap = trial.decide_block(&mut writer, finder, block.clone(), group_documents)?
                && trial.look_among(finder, block.clone(), block.end..total)?;
            if !is_cheap {
                return Ok(Attempt::GivenUp);
            }
        }
        decide_for_equals(&mut trial.decisions, groups);
        Ok(trial.into_attempt())
    })
}

/// Decides about documents against the first `references` documents, which all stay. Other documents are not compared
/// with each other.
pub(super) fn keep_against(references: usize, mut trial: Trial<'_>, (name, provenance): Saved<'_>) -> Result<Attempt> {
    let (groups, session) = (trial.groups, trial.session);
    let order = groups.representatives();
    let is_reference = |document: &DocId| document.index() < references;
    let inputs = order.partition_point(is_reference) as u32..order.len() as u32;
    let blocks = index_blocks(&trial.made.keys, order, 0..inputs.start, GROUP_DOCUMENTS, session);
    let work = blocks.len() * inputs.len();
    session.checkpointed(Stage::over_documents("comparing", work), name, provenance, || {
        for block in blocks {
            let mut kept = trial.keepers_of(block.clone());
            try_each(kept.writers(session.threads()), session.threads(), |mut writer| {
                block.clone().try_for_each(|rank| {
                    writer.keep(rank);
                    session.stages.check()
                })
            })?;
            if !trial.look_among(kept.finder(), block.clone(), inputs.clone())? {
                return Ok(Attempt::GivenUp);
            }
        }
        for document in DocId::all(groups.len()).skip(references) {
            let first = groups.representative(document);
            trial.decisions[document.index()] =
                if is_reference(&first) { Decision::equal_to(first) } else { trial.decisions[first.index()] };
        }
        Ok(trial.into_attempt())
    })
}

fn groups_of(ranks: Range<u32>, documents: u32) -> impl Iterator<Item = Range<u32>> {
    let end = ranks.end;
    ranks.step_by(documents as usize).map(move |first| first..first.saturating_add(documents).min(end))
}

/// The decisions so far, and the postings met on the way: of each document all postings of earlier keepers, whether
/// they were followed or not. The sum does not depend on threads or blocks, so neither does giving up.
pub(super) struct Trial<'a> {
    verifier: Verifier<'a>,
    groups: &'a EqualSets,
    made: &'a MadeKeys,
    session: &'a Session<'a>,
    decisions: Vec<Decision>,
    postings: AtomicU64,
    candidates: AtomicU64,
}

impl<'a> Trial<'a> {
    /// No document is decided about yet.
    pub(super) fn new(
        verifier: Verifier<'a>,
        groups: &'a EqualSets,
        made: &'a MadeKeys,
        session: &'a Session<'a>,
    ) -> Self {
        let decisions = vec![Decision::Kept; groups.len()];
        let (postings, candidates) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { verifier, groups, made, session, decisions, postings, candidates }
    }

    /// No keepers yet, with room for those of a block.
    fn keepers_of(&self, block: Range<u32>) -> KeeperIndex<'a> {
        let kept = KeeperIndex::new(self.verifier, &self.made.keys, self.groups.representatives(), block);
        kept.untouched_memory().into_iter().for_each(ask_for_large_pages);
        kept
    }

    fn is_removed(&self, rank: u32) -> bool {
        let document = self.groups.representatives()[rank as usize];
        !self.decisions[document.index()].is_kept()
    }

    fn remove(&mut self, witness: &VerifiedPair) {
        let similarity = self.verifier.similarity(witness);
        let removed = Decision::Removed { kept: witness.b, similarity, reason: Reason::Near };
        self.decisions[witness.a.index()] = removed;
    }

    fn is_too_expensive(&self) -> bool {
        self.made.max_postings.is_some_and(|max| self.postings.load(Ordering::Relaxed) > max)
    }

    fn witness(
        &self,
        finder: WitnessFinder<'_>,
        rank: u32,
        ranks: Range<u32>,
        buffer: &mut Vec<u32>,
    ) -> Option<VerifiedPair> {
        let found = finder.find(rank, ranks, buffer);
        self.candidates.fetch_add(found.candidates, Ordering::Relaxed);
        found.pair
    }

    /// Counts the postings that a document meets, if there is a limit to them.
    fn count_postings(&self, finder: WitnessFinder<'_>, rank: u32, ranks: Range<u32>) {
        if self.made.max_postings.is_some() {
            self.postings.fetch_add(finder.postings(rank, ranks), Ordering::Relaxed);
        }
    }

    /// Decides about the documents of a block, of which none is kept yet; false if that takes too many postings.
    fn decide_block(
        &mut self,
        writer: &mut KeeperWriter<'_>,
        finder: WitnessFinder<'_>,
        block: Range<u32>,
        group_documents: u32,
    ) -> Result<bool> {
        let this = &*self;
        // All documents before it are decided, and those of them that stay are in the index.
        let decided = AtomicU32::new(block.start);
        let look = |buffer: &mut Vec<u32>, group: Range<u32>| {
            let seen = block.start..decided.load(Ordering::Acquire);
            let find = |rank| {
                let is_open = !this.is_removed(rank) && !this.is_too_expensive();
                is_open.then(|| this.witness(finder, rank, seen.clone(), buffer)).flatten()
            };
            Looked { witnesses: group.clone().map(find).collect(), group, unseen: seen.end }
        };
        let mut removed = Vec::new();
        let decide = |buffer: &mut Vec<u32>, looked: Looked| {
            this.session.stages.check()?;
            this.session.stages.progress.advance(looked.group.len() as u64);
            let group_end = looked.group.end;
            for (rank, witness) in looked.group.zip(looked.witnesses) {
                if this.is_too_expensive() {
                    break;
                }
                this.count_postings(finder, rank, block.start..rank);
                if this.is_removed(rank) {
                    continue;
                }
                match witness.or_else(|| this.witness(finder, rank, looked.unseen..rank, buffer)) {
                    Some(witness) => removed.push(witness),
                    None => writer.keep(rank),
                }
            }
            decided.store(group_end, Ordering::Release);
            Result::Ok(())
        };
        let groups = groups_of(block.clone(), group_documents);
        in_turns(groups, this.session.threads(), Vec::new, look, decide)?;
        removed.iter().for_each(|witness| self.remove(witness));
        Ok(!self.is_too_expensive())
    }

    /// Looks for witnesses of later documents among the keepers with `ranks`, which are all there, and removes
    /// documents that have one; false if that takes too many postings. A document that was removed because of an
    /// earlier block would have met these keepers too: that counts.
    fn look_among(&mut self, finder: WitnessFinder<'_>, ranks: Range<u32>, later: Range<u32>) -> Result<bool> {
        let this = &*self;
        let look = |buffer: &mut Vec<u32>, group: Range<u32>| {
            let mut find = |rank| {
                if this.is_too_expensive() {
                    return None;
                }
                this.count_postings(finder, rank, ranks.clone());
                (!this.is_removed(rank)).then(|| this.witness(finder, rank, ranks.clone(), buffer)).flatten()
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
        Ok(!self.is_too_expensive())
    }

    fn into_attempt(self) -> Attempt {
        Attempt::Decided(Kept { decisions: self.decisions, candidates: self.candidates.into_inner() })
    }
}

/// Decides about the documents that are no representatives: each goes, because of its representative or with it.
pub(crate) fn decide_for_equals(decisions: &mut [Decision], groups: &EqualSets) {
    for document in DocId::all(groups.len()) {
        let representative = groups.representative(document);
        if representative != document {
            decisions[document.index()] = match decisions[representative.index()] {
                Decision::Kept => Decision::equal_to(representative),
                removed @ Decision::Removed { .. } => removed,
            };
        }
    }
}

/// A group of documents that have looked for witnesses among the keepers before `unseen`.
struct Looked {
    group: Range<u32>,
    /// By document.
    witnesses: Vec<Option<VerifiedPair>>,
    unseen: u32,
}

/// The small parts of an [`Attempt`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct AboutAttempt {
    is_given_up: bool,
    candidates: u64,
}

/// A decision in a file.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct PackedDecision {
    similarity: f64,
    /// The document that is kept, or [`PackedDecision::KEPT`].
    kept: u32,
    /// 1 if the sets are equal.
    is_exact: u32,
}

impl PackedDecision {
    /// Stands for a document that stays.
    const KEPT: u32 = u32::MAX;
}

impl From<Decision> for PackedDecision {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Kept => Self { similarity: 0.0, kept: Self::KEPT, is_exact: 0 },
            Decision::Removed { kept, similarity, reason } => {
                Self { similarity, kept: kept.0, is_exact: u32::from(reason == Reason::Exact) }
            }
        }
    }
}

impl From<PackedDecision> for Decision {
    fn from(PackedDecision { similarity, kept, is_exact }: PackedDecision) -> Self {
        let reason = if is_exact == 1 { Reason::Exact } else { Reason::Near };
        match kept {
            PackedDecision::KEPT => Self::Kept,
            kept => Self::Removed { kept: DocId(kept), similarity, reason },
        }
    }
}

impl Checkpoint for Attempt {
    type About = AboutAttempt;

    fn about(&self) -> AboutAttempt {
        match self {
            Self::Decided(kept) => AboutAttempt { is_given_up: false, candidates: kept.candidates },
            Self::GivenUp => AboutAttempt { is_given_up: true, candidates: 0 },
        }
    }

    fn save(&self, sections: &mut Sections<'_>) -> Result<()> {
        let Self::Decided(kept) = self else { return Ok(()) };
        let packed: Vec<PackedDecision> = kept.decisions.iter().map(|&decision| decision.into()).collect();
        sections.slice("decisions", &packed)
    }

    fn load(AboutAttempt { is_given_up, candidates }: AboutAttempt, stored: &Stored<'_>) -> Result<Option<Self>> {
        if is_given_up {
            return Ok(Some(Self::GivenUp));
        }
        let packed: Option<Array<PackedDecision>> = stored.array("decisions")?;
        let decisions = packed.map(|packed| packed.chunks().flatten().map(|&decision| decision.into()).collect());
        Ok(decisions.map(|decisions| Self::Decided(Kept { decisions, candidates })))
    }
}

#[cfg(test)]
mod tests;

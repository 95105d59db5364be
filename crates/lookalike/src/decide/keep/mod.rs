//! Keepers and duplicates, in parallel, with the result of the sequential rule.
//!
//! ```text
//! chunks of documents in the order of the rule
//!     --in parallel-->  look for a witness among the keepers of all chunks decided by now
//!     --in order----->  without one, look among the keepers of the few chunks since; keep what has none
//! ```
//!
//! Both steps go on at the same time, for different chunks: one thread at most decides and adds keepers to the index,
//! while the others look. Any witness will do for the decision, so how many chunks were decided by then changes the
//! time and nothing else. When all keepers are known, each removed document looks for the most similar of those before
//! it, all in parallel: that one is named as kept in its place.
//!
//! Keepers whose blocking keys exceed the memory together are indexed in blocks (index_blocks.rs), by which all later
//! documents pass.

use super::index_blocks::{BlockLimits, index_blocks};
use crate::base::Result;
use crate::candidates::MethodKeys;
use crate::run::Session;
use crate::spill::ask_for_large_pages;
use crate::threads::{Pace, ordered_map, try_each};
use lookalike_core::DocId;
use lookalike_core::comparison::{ComparedPairs, EqualSets, RankedDocuments, Roles, VerifiedPair, Verifier};
use lookalike_core::rule::{Decision, KeeperIndex, KeeperWriter, KnownKeeper, Witness, WitnessFinder};
use lookalike_core::sets::Side;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Documents that are decided about at a time: few, so that the keepers among them are soon seen by all threads.
const CHUNK_DOCUMENTS: u32 = 128;

/// Documents that are compared with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compare {
    /// Comparison of each document with those that are kept.
    WithKeepers,
    /// Comparison of each later document with each of the first `references`, which all stay; later ones not with each
    /// other.
    WithReferences { references: usize },
}

impl Compare {
    /// Ranks of the representatives that are decided about.
    pub(super) fn inputs(self, groups: &EqualSets) -> Range<u32> {
        let order = groups.representatives();
        let first = match self {
            Self::WithKeepers => 0,
            Self::WithReferences { references } => order.partition_point(|document| document.index() < references),
        };
        first as u32..order.len() as u32
    }

    /// The pairs that the search meets.
    pub(crate) fn meeting(self) -> ComparedPairs {
        match self {
            Self::WithKeepers => ComparedPairs::Keepers,
            Self::WithReferences { references } => ComparedPairs::References { references },
        }
    }
}

/// The decisions about all documents.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeepDecisions {
    /// Decisions by document.
    pub(crate) decisions: Vec<Decision>,
    /// Candidates that were verified.
    pub(crate) candidates: u64,
}

/// A search for keepers that may be given up: the decisions so far, and their cost by the cost model. A document costs
/// the postings of all earlier keepers, whether they were followed or not, and the candidates up to its witness. The
/// sum does not depend on threads or blocks, so neither does giving up.
pub(super) struct KeepTrial<'a> {
    compare: Compare,
    verifier: Verifier<'a>,
    groups: &'a EqualSets,
    made: &'a MethodKeys,
    session: &'a Session<'a>,
    /// Number of documents that are decided about at a time.
    chunk_documents: u32,
    /// Ranks of the documents that are indexed at a time.
    blocks: Vec<Range<u32>>,
    /// Number of documents that pass by the blocks of the index, and how many of them have.
    work: usize,
    passed: AtomicU64,
    /// Cost at which it is given up, unless it goes on; `None` for no limit.
    max_cost: Option<u64>,
    /// Decision to go on beyond that cost. Called once, when it comes to it.
    goes_on: &'a (dyn Fn() -> bool + Sync),
    asked: OnceLock<bool>,
    decisions: Vec<Decision>,
    cost: AtomicU64,
    candidates: AtomicU64,
}

impl<'a> KeepTrial<'a> {
    /// No document is decided about yet; the representatives of `groups` are in the order of the rule.
    pub(super) fn new(
        compare: Compare,
        verifier: Verifier<'a>,
        groups: &'a EqualSets,
        made: &'a MethodKeys,
        session: &'a Session<'a>,
    ) -> Self {
        let trial = Self {
            compare,
            verifier,
            groups,
            made,
            session,
            chunk_documents: CHUNK_DOCUMENTS,
            blocks: Vec::new(),
            work: 0,
            passed: AtomicU64::new(0),
            max_cost: made.max_cost,
            goes_on: &|| false,
            asked: OnceLock::new(),
            decisions: vec![Decision::Kept; groups.len()],
            cost: AtomicU64::new(0),
            candidates: AtomicU64::new(0),
        };
        trial.with_chunks_of(CHUNK_DOCUMENTS)
    }

    /// Copy in which these decisions are made already: of documents that are no representatives, and of those that
    /// go because of such, for which only a more similar keeper is looked for.
    pub(super) fn starting_from(self, decisions: Option<Vec<Decision>>) -> Self {
        Self { decisions: decisions.unwrap_or(self.decisions), ..self }
    }

    /// Copy that goes on beyond its maximum cost if `goes_on` says so.
    pub(super) fn going_on_if(self, goes_on: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { goes_on, ..self }
    }

    /// Copy that decides about `chunk_documents` documents at a time.
    fn with_chunks_of(self, chunk_documents: u32) -> Self {
        let indexed = match self.compare {
            Compare::WithKeepers => self.inputs(),
            Compare::WithReferences { .. } => 0..self.inputs().start,
        };
        let limits = BlockLimits { step: chunk_documents, bytes_beside: 0 };
        let blocks = index_blocks(self.ranked(), indexed, limits, self.session);
        let inputs = self.inputs();
        let work = blocks.iter().map(|block| (inputs.end - block.start.max(inputs.start)) as usize).sum();
        Self { chunk_documents, blocks, work, ..self }
    }

    /// Ranks of the documents that are decided about.
    fn inputs(&self) -> Range<u32> {
        self.compare.inputs(self.groups)
    }

    /// Number of documents that pass by the blocks of the index.
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// Decides about all documents; `None` if it was given up, because it costs more than the method is worth.
    pub(super) fn run(mut self) -> Result<Option<KeepDecisions>> {
        let is_decided = self.decide()?;
        Ok(is_decided.then(|| KeepDecisions { decisions: self.decisions, candidates: self.candidates.into_inner() }))
    }

    /// Decides about all documents, whatever that costs.
    pub(super) fn run_to_the_end(self) -> Result<KeepDecisions> {
        Ok(Self { max_cost: None, ..self }.run()?.unwrap_or_default())
    }

    /// Decides about all documents; false if it was given up.
    fn decide(&mut self) -> Result<bool> {
        let is_decided = match self.compare {
            Compare::WithKeepers => self.keep()?,
            Compare::WithReferences { references } => self.keep_against(references)?,
        };
        // What was given up is done as far as the user is concerned.
        let left = self.work.saturating_sub(self.passed.load(Ordering::Relaxed) as usize);
        self.session.stages.progress.advance(left as u64);
        Ok(is_decided)
    }

    fn keep(&mut self) -> Result<bool> {
        for block in std::mem::take(&mut self.blocks) {
            let mut kept = self.keepers_of(block.clone());
            let (mut writer, finder) = kept.split();
            if !self.decide_block(&mut writer, finder, block.clone())? {
                return Ok(false);
            }
            self.find_closest(finder, block.clone())?;
            if !self.look_among(finder, block.clone(), block.end..self.inputs().end)? {
                return Ok(false);
            }
        }
        decide_for_equals(&mut self.decisions, self.groups, self.verifier);
        Ok(true)
    }

    fn keep_against(&mut self, references: usize) -> Result<bool> {
        let groups = self.groups;
        let session = self.session;
        for block in std::mem::take(&mut self.blocks) {
            let mut kept = self.keepers_of(block.clone());
            try_each(kept.writers(session.threads()), session.threads(), |mut writer| {
                block.clone().try_for_each(|rank| {
                    writer.keep(rank);
                    session.stages.check()
                })
            })?;
            if !self.look_among(kept.finder(), block.clone(), self.inputs())? {
                return Ok(false);
            }
        }
        decide_for_equals_of_references(&mut self.decisions, groups, references, self.verifier);
        Ok(true)
    }

    /// Counts `documents` more documents that were compared with a block of the index, for the progress.
    fn advance(&self, documents: usize) {
        self.passed.fetch_add(documents as u64, Ordering::Relaxed);
        self.session.stages.progress.advance(documents as u64);
    }

    /// No keepers yet, with room for those of a block.
    fn keepers_of(&self, block: Range<u32>) -> KeeperIndex<'a> {
        let kept = KeeperIndex::new(self.ranked(), block);
        kept.untouched_memory().into_iter().for_each(ask_for_large_pages);
        kept
    }

    /// The representatives in the order of the rule.
    fn ranked(&self) -> RankedDocuments<'a> {
        let order = self.groups.representatives();
        let keys = &self.made.keys;
        RankedDocuments { order, keys, verifier: self.verifier, roles: self.roles() }
    }

    /// Keepers are at least as large as what is compared with them; of references, the job says what contains what.
    fn roles(&self) -> Roles {
        match (self.compare, self.verifier.measure().contained().map(|containment| containment.contained)) {
            (_, None) | (Compare::WithReferences { .. }, Some(Side::Either)) => Roles::Same,
            (Compare::WithKeepers, Some(_)) | (_, Some(Side::InReference)) => Roles::ContainedProbes,
            (Compare::WithReferences { .. }, Some(Side::OfReference)) => Roles::ContainedIndexed,
        }
    }

    fn is_removed(&self, rank: u32) -> bool {
        self.witness_of(rank).is_some()
    }

    /// The keeper because of which a document goes so far; `None` if it stays so far.
    fn witness_of(&self, rank: u32) -> Option<KnownKeeper> {
        let document = self.groups.representatives()[rank as usize];
        match self.decisions[document.index()] {
            Decision::Kept => None,
            Decision::Removed { kept, similarity, .. } => Some(KnownKeeper { document: kept, similarity }),
        }
    }

    /// Removes a document because of a witness. If it has one already, which comes earlier or is the same, the more
    /// similar one counts.
    fn remove(&mut self, witness: &VerifiedPair) {
        let decision = &mut self.decisions[witness.a.index()];
        *decision = decision.with_near(witness.b, self.verifier.similarity(witness));
    }

    fn is_too_expensive(&self) -> bool {
        let is_beyond = self.max_cost.is_some_and(|max| self.cost.load(Ordering::Relaxed) > max);
        is_beyond && !self.asked.get_or_init(self.goes_on)
    }

    /// Looks for a witness with `find`, and counts what that costs.
    fn witness(&self, find: impl FnOnce() -> Witness) -> Option<VerifiedPair> {
        if self.session.stages.check().is_err() {
            // Who decides next ends the job.
            return None;
        }
        let found = find();
        self.candidates.fetch_add(found.candidates, Ordering::Relaxed);
        self.cost.fetch_add(found.cost, Ordering::Relaxed);
        found.pair
    }

    /// Adds the cost of the postings that a document need not follow, if there is a limit to the cost.
    fn add_cost_of_following(&self, finder: WitnessFinder<'_>, rank: u32, ranks: Range<u32>) {
        if self.max_cost.is_some() && self.asked.get().is_none() {
            self.cost.fetch_add(finder.cost_of_following(rank, ranks), Ordering::Relaxed);
        }
    }

    /// Decides about the documents of a block, of which none is kept yet; false if that costs too much.
    fn decide_block(
        &mut self,
        writer: &mut KeeperWriter<'_>,
        finder: WitnessFinder<'_>,
        block: Range<u32>,
    ) -> Result<bool> {
        let this = &*self;
        // All documents before it are decided, and those of them that stay are in the index.
        let decided = AtomicU32::new(block.start);
        let look = |buffer: &mut Vec<u32>, chunk: Range<u32>| {
            let seen = block.start..decided.load(Ordering::Acquire);
            let find = |rank| {
                let is_open = !this.is_removed(rank) && !this.is_too_expensive();
                is_open.then(|| this.witness(|| finder.find(rank, seen.clone(), buffer))).flatten()
            };
            Looked { witnesses: chunk.clone().map(find).collect(), chunk, unseen: seen.end }
        };
        let mut removed = Vec::new();
        let mut buffer = Vec::new();
        let decide = |looked: Looked| {
            this.session.stages.check()?;
            this.advance(looked.chunk.len());
            let chunk_end = looked.chunk.end;
            for (rank, witness) in looked.chunk.zip(looked.witnesses) {
                if this.is_too_expensive() {
                    break;
                }
                if this.is_removed(rank) {
                    this.add_cost_of_following(finder, rank, block.start..rank);
                    continue;
                }
                let unseen = looked.unseen..rank;
                let witness = match witness {
                    Some(witness) => {
                        this.add_cost_of_following(finder, rank, unseen);
                        Some(witness)
                    }
                    None => this.witness(|| finder.find(rank, unseen, &mut buffer)),
                };
                match witness {
                    Some(witness) => removed.push(witness),
                    None => writer.keep(rank),
                }
            }
            decided.store(chunk_end, Ordering::Release);
            Result::Ok(())
        };
        let chunks = self.chunks_of(block.clone());
        ordered_map(chunks, Pace::for_threads(this.session.threads()), Vec::new, look, decide)?;
        removed.iter().for_each(|witness| self.remove(witness));
        Ok(!self.is_too_expensive())
    }

    /// Looks for the most similar keepers of later documents among those with `ranks`, which are all there, and removes
    /// documents that have one; false if that costs too much. A document that was removed because of an earlier block
    /// would have met these keepers too: that counts.
    fn look_among(&mut self, finder: WitnessFinder<'_>, ranks: Range<u32>, later: Range<u32>) -> Result<bool> {
        let this = &*self;
        let look = |buffer: &mut Vec<u32>, chunk: Range<u32>| {
            let mut find = |rank| {
                if this.is_too_expensive() {
                    return None;
                }
                if let Some(known) = this.witness_of(rank) {
                    this.add_cost_of_following(finder, rank, ranks.clone());
                    return finder.find_closer(rank, ranks.clone(), known, buffer);
                }
                this.witness(|| finder.find_closest(rank, ranks.clone(), buffer))
            };
            let witnesses = chunk.clone().filter_map(&mut find).collect::<Vec<_>>();
            this.advance(chunk.len());
            witnesses
        };
        let removed = this.gather(later, look)?;
        removed.iter().for_each(|witness| self.remove(witness));
        Ok(!self.is_too_expensive())
    }

    /// Looks for the most similar earlier keeper of each removed document of a block, of which all keepers are there.
    fn find_closest(&mut self, finder: WitnessFinder<'_>, block: Range<u32>) -> Result<()> {
        let this = &*self;
        let look = |buffer: &mut Vec<u32>, chunk: Range<u32>| {
            // A cancelled job is ended by who gathers.
            let goes_on = |_: &(u32, KnownKeeper)| this.session.stages.check().is_ok();
            let removed = chunk.filter_map(|rank| Some((rank, this.witness_of(rank)?)));
            let removed = removed.take_while(goes_on);
            removed.filter_map(|(rank, known)| finder.find_closer(rank, block.start..rank, known, buffer)).collect()
        };
        let removed = this.gather(block.clone(), look)?;
        removed.iter().for_each(|witness| self.remove(witness));
        Ok(())
    }

    /// Witnesses that `look` finds for chunks of documents, in parallel.
    fn gather(
        &self,
        ranks: Range<u32>,
        look: impl Fn(&mut Vec<u32>, Range<u32>) -> Vec<VerifiedPair> + Sync,
    ) -> Result<Vec<VerifiedPair>> {
        let mut gathered = Vec::new();
        let note = |witnesses: Vec<VerifiedPair>| {
            gathered.extend(witnesses);
            self.session.stages.check()
        };
        ordered_map(self.chunks_of(ranks), Pace::for_threads(self.session.threads()), Vec::new, look, note)?;
        Ok(gathered)
    }

    /// Consecutive ranks that are worked on at a time.
    fn chunks_of(&self, ranks: Range<u32>) -> impl Iterator<Item = Range<u32>> + Send + use<> {
        let end = ranks.end;
        let documents = self.chunk_documents;
        ranks.step_by(documents as usize).map(move |first| first..first.saturating_add(documents).min(end))
    }
}

/// Decides about the documents that are no representatives: each goes, because of its representative or with it.
pub(crate) fn decide_for_equals(decisions: &mut [Decision], groups: &EqualSets, verifier: Verifier<'_>) {
    for document in DocId::all(groups.len()) {
        let representative = groups.representative(document);
        if representative != document {
            let similarity = verifier.similarity_of_equals(document);
            decisions[document.index()] = decisions[representative.index()].for_equal(representative, similarity);
        }
    }
}

/// Decides about the inputs that are no representatives: each goes with its representative, or because of it if that is
/// one of the first `references` documents.
pub(super) fn decide_for_equals_of_references(
    decisions: &mut [Decision],
    groups: &EqualSets,
    references: usize,
    verifier: Verifier<'_>,
) {
    for document in DocId::all(groups.len()).skip(references) {
        let first = groups.representative(document);
        let similarity = verifier.similarity_of_equals(document);
        decisions[document.index()] =
            if first.index() < references { Decision::equal_to(first, similarity) } else { decisions[first.index()] };
    }
}

/// A chunk of documents that have looked for witnesses among the keepers before `unseen`.
struct Looked {
    chunk: Range<u32>,
    /// Decisions by document.
    witnesses: Vec<Option<VerifiedPair>>,
    unseen: u32,
}

#[cfg(test)]
mod tests;

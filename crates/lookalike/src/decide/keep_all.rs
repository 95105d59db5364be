//! Keepers and duplicates by comparing all pairs, where there is no index of keepers.
//!
//! ```text
//! chunks of documents in the order of the rule
//!     --in parallel-->  find all near-duplicates before them that are not known to go
//!     --in order----->  a document goes if one of those stays: the most similar one is named
//! ```
//!
//! Documents of the few chunks that are compared at the same time are not decided about yet and may go: their pairs are
//! found for nothing. What a document is decided by are its pairs with those that stay, and these are all there; so the
//! decisions depend on no threads. A large family costs what its keepers cost, not the square of its size.

use super::all_pairs::{AllPairs, AllPairsScratch, MAX_CHUNK_DOCUMENTS};
use super::chunks::{Chunks, Density, max_chunk_pairs};
use super::keep::{Compare, KeepDecisions, decide_for_equals, decide_for_equals_of_references};
use crate::base::Result;
use crate::run::Session;
use crate::threads::{Pace, ordered_map};
use lookalike_core::DocId;
use lookalike_core::comparison::{EqualSets, VerifiedPair, Verifier};
use lookalike_core::rule::Decision;
use lookalike_core::similarity::CandidatePair;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// A decision about all documents, none of which is decided about yet.
pub(super) struct KeepingAll<'a> {
    compare: Compare,
    verifier: Verifier<'a>,
    groups: &'a EqualSets,
    session: &'a Session<'a>,
    /// Marks by document: it is known to go, or is no document that others go because of.
    is_out: Vec<AtomicBool>,
    /// Decisions so far by document.
    decisions: Vec<Decision>,
}

impl<'a> KeepingAll<'a> {
    /// No document is decided about yet; the representatives of `groups` are in the order of the rule.
    pub(super) fn new(
        compare: Compare,
        verifier: Verifier<'a>,
        groups: &'a EqualSets,
        session: &'a Session<'a>,
    ) -> Self {
        let is_out = |document: DocId| match compare {
            Compare::WithKeepers => false,
            Compare::WithReferences { references } => document.index() >= references,
        };
        let is_out = DocId::all(groups.len()).map(|document| AtomicBool::new(is_out(document))).collect();
        let decisions = vec![Decision::Kept; groups.len()];
        Self { compare, verifier, groups, session, is_out, decisions }
    }

    /// Copy in which these decisions are made already: of documents that are no representatives, and of those that
    /// go because of such, for which only a more similar keeper is looked for.
    pub(super) fn starting_from(self, decisions: Option<Vec<Decision>>) -> Self {
        let Some(decisions) = decisions else { return self };
        let is_out = decisions.iter().map(|decision| AtomicBool::new(!decision.is_kept())).collect();
        Self { is_out, decisions, ..self }
    }

    /// Number of documents that are decided about.
    pub(super) fn work(&self) -> usize {
        self.compare.inputs(self.groups).len()
    }

    /// Decides about all documents.
    pub(super) fn run(self) -> Result<KeepDecisions> {
        let Self { compare, verifier, groups, session, is_out, decisions } = self;
        let order = groups.representatives();
        let left = compare.inputs(groups);
        let mut kept = KeepDecisions { decisions, candidates: 0 };
        // Representatives that stay, of those decided about, and references.
        let mut others = u64::from(left.start);
        let compared_with = match compare {
            Compare::WithKeepers => order.len(),
            Compare::WithReferences { .. } => left.start as usize,
        };
        let all = AllPairs::new(verifier, order, compared_with, session);
        let density = Density::unknown();
        let max_pairs = max_chunk_pairs(size_of::<VerifiedPair>(), session);
        let chunks = Chunks { left, max_documents: MAX_CHUNK_DOCUMENTS, max_pairs, density: &density };
        let stays = |document: DocId| !is_out[document.index()].load(Ordering::Relaxed);
        let is_wanted = |pair: &CandidatePair| stays(pair.a);
        let find = |scratch: &mut AllPairsScratch<'_>, chunk: Range<u32>| {
            let pairs = all.pairs_of_chunk(&chunk, stays, is_wanted, scratch)?;
            density.note(pairs.len(), &chunk);
            Ok((chunk, pairs))
        };
        let decide = |found: Result<(Range<u32>, Vec<VerifiedPair>)>| {
            let (chunk, mut pairs) = found?;
            pairs.sort_unstable_by_key(|pair| (all.rank(pair.b), all.rank(pair.a)));
            let mut pairs = pairs.chunk_by(|left, right| left.b == right.b).peekable();
            for &document in all.documents(&chunk) {
                kept.candidates += others;
                let of_document = pairs.next_if(|pairs| pairs[0].b == document).unwrap_or_default();
                let decision = closest(document, of_document, &kept.decisions, verifier);
                kept.decisions[document.index()] = decision;
                if !decision.is_kept() {
                    is_out[document.index()].store(true, Ordering::Relaxed);
                } else if compare == Compare::WithKeepers {
                    others += 1;
                }
            }
            session.stages.check()
        };
        ordered_map(chunks, Pace::for_threads(session.threads()), || all.scratch(), find, decide)?;
        match compare {
            Compare::WithKeepers => decide_for_equals(&mut kept.decisions, groups, verifier),
            Compare::WithReferences { references } => {
                decide_for_equals_of_references(&mut kept.decisions, groups, references, verifier);
            }
        }
        Ok(kept)
    }
}

/// The decision about a document whose `pairs` are with earlier documents, in their order.
fn closest(document: DocId, pairs: &[VerifiedPair], decisions: &[Decision], verifier: Verifier<'_>) -> Decision {
    let kept = pairs.iter().filter(|pair| decisions[pair.a.index()].is_kept());
    let before = decisions[document.index()];
    kept.fold(before, |decision, pair| decision.with_near(pair.a, verifier.similarity(pair)))
}

#[cfg(test)]
mod tests;

//! Answers that texts refuse: element sets said more than the texts do, because hashes collide.
//!
//! What is refused is no answer: a removed document stays, a pair is not listed. Nothing is looked for in its place, so
//! documents that only a crafted one has held together may stay although they are duplicates of each other.

use super::DuplicateSearch;
use crate::base::Result;
use crate::decide::join::{Joined, PackedPair};
use crate::spill::{Location, SpillColumn};
use lookalike_core::DocId;
use lookalike_core::rule::{Decision, Reason};
use lookalike_core::similarity::{Agreement, CandidatePair};

impl DuplicateSearch<'_> {
    /// Checks each removal on the texts of the document and of the one that is kept in its place, if that is requested.
    pub(crate) fn check_decisions(&self, decisions: &mut [Decision]) -> Result<()> {
        let Some(texts) = &self.corpus.texts else { return Ok(()) };
        let removed: Vec<(DocId, DocId)> = DocId::all(decisions.len())
            .filter_map(|document| match decisions[document.index()] {
                Decision::Kept => None,
                Decision::Removed { kept, .. } => Some((document, kept)),
            })
            .collect();
        let pairs = || removed.iter().map(|&(document, kept)| [document, kept]);
        texts.compare(pairs, self.session, |number, overlap| {
            let (document, kept) = removed[number];
            let decision = &mut decisions[document.index()];
            *decision = match decision {
                Decision::Removed { reason: Reason::Equal, .. } if overlap.is_of_equal_sets() => *decision,
                _ if self.measure.is_reached(overlap) => Decision::Removed {
                    kept,
                    similarity: self.measure.similarity(Agreement::Sets(overlap)),
                    reason: Reason::Near,
                },
                _ => {
                    texts.refuse(self.ids_of([document, kept]), self.session);
                    Decision::Kept
                }
            };
            Ok(())
        })
    }

    /// Checks each pair, and each document of a group with its representative, if that is requested. A document that is
    /// not equal to its representative leaves the group.
    pub(crate) fn check_pairs(&mut self, joined: Joined) -> Result<Joined> {
        let Some(texts) = &self.corpus.texts else { return Ok(joined) };
        let of_group = |document: DocId| [self.groups.representative(document), document];
        let in_groups = || self.corpus.documents().map(of_group).filter(|[first, document]| first != document);
        let pairs = || joined.pairs().map(|pair| [pair.a, pair.b]).chain(in_groups());
        let verifier = self.space.verifier();
        let mut all = pairs();
        let mut separated = Vec::new();
        let location = if joined.pairs.is_in_memory() { Location::Memory } else { Location::File };
        let mut checked = SpillColumn::at(location, &self.session.spill)?;
        texts.compare(pairs, self.session, |number, overlap| {
            let Some([a, b]) = all.next() else { return Ok(()) };
            let is_pair = number < joined.len();
            if is_pair
                && self.measure.is_reached(overlap)
                && let Some(pair) = verifier.accept(CandidatePair { a, b }, Agreement::Sets(overlap))
            {
                return checked.extend(&[PackedPair::from(pair)], &self.session.spill);
            }
            if is_pair || !overlap.is_of_equal_sets() {
                texts.refuse(self.ids_of([a, b]), self.session);
            }
            if !is_pair && !overlap.is_of_equal_sets() {
                separated.push(b);
            }
            Ok(())
        })?;
        drop(all);
        let pairs = checked.finish(&self.session.spill)?;
        separated.into_iter().for_each(|document| self.groups.separate(document));
        Ok(Joined { pairs, candidates: joined.candidates, refused: joined.refused })
    }

    fn ids_of(&self, pair: [DocId; 2]) -> [&str; 2] {
        pair.map(|document| self.corpus.listing.ids.get(document))
    }
}

//! What a job keeps of its search in its work folder: keys, whether a trial was given up, decisions, pairs.

use crate::answers::Dedup;
use crate::corpus::Corpus;
use crate::error::Result;
use crate::facts::{Facts, search_facts};
use crate::join::Joined;
use crate::method::{MadeKeys, MethodChoice};
use crate::recall::MeasuredRecall;
use crate::session::Session;
use crate::spill::{ColumnState, Spill};
use crate::work::WorkFolder;
use lookalike_core::DocId;
use lookalike_core::array::Array;
use lookalike_core::candidates::LinkedKeys;
use lookalike_core::decide::{Decision, Reason};
use lookalike_core::equal_sets::EqualSets;
use lookalike_core::sketch::Banding;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// The search of one job in its work folder.
pub(crate) struct SavedSearch<'a> {
    work: &'a WorkFolder,
    spill: &'a Spill,
    facts: Facts,
}

#[derive(Serialize, Deserialize)]
struct KeysState {
    method: MethodState,
    /// As text: JSON numbers end earlier in some readers.
    most_postings: String,
    ends: ColumnState,
    keys: ColumnState,
    starts: ColumnState,
}

#[derive(Serialize, Deserialize)]
struct AnswerState {
    method: MethodState,
    recall: Option<MeasuredRecall>,
    candidates: u64,
    items: ColumnState,
}

#[derive(Serialize, Deserialize)]
enum MethodState {
    Exact { postings: f64 },
    MinHash { bands: usize, rows: usize, expected_recall: f64, exact_postings: Option<f64> },
}

impl From<MethodChoice> for MethodState {
    fn from(method: MethodChoice) -> Self {
        match method {
            MethodChoice::Exact { postings } => Self::Exact { postings },
            MethodChoice::MinHash { banding, expected_recall, exact_postings } => {
                Self::MinHash { bands: banding.bands(), rows: banding.rows(), expected_recall, exact_postings }
            }
        }
    }
}

impl MethodState {
    fn into_choice(self) -> Result<MethodChoice> {
        Ok(match self {
            Self::Exact { postings } => MethodChoice::Exact { postings },
            Self::MinHash { bands, rows, expected_recall, exact_postings } => {
                MethodChoice::MinHash { banding: Banding::new(bands, rows)?, expected_recall, exact_postings }
            }
        })
    }
}

/// A decision as plain numbers: the document that is kept (or [`KEPT`]), the reason, the bits of the similarity.
type PackedDecision = [u32; 4];

/// Stands for a document that stays.
const KEPT: u32 = u32::MAX;

fn pack(decision: &Decision) -> PackedDecision {
    match *decision {
        Decision::Kept => [KEPT, 0, 0, 0],
        Decision::Removed { kept, similarity, reason } => {
            let bits = similarity.to_bits();
            [kept.0, u32::from(reason == Reason::Exact), (bits >> 32) as u32, bits as u32]
        }
    }
}

fn unpack([kept, is_exact, high, low]: PackedDecision) -> Decision {
    if kept == KEPT {
        return Decision::Kept;
    }
    let similarity = f64::from_bits(u64::from(high) << 32 | u64::from(low));
    let reason = if is_exact == 1 { Reason::Exact } else { Reason::Near };
    Decision::Removed { kept: DocId(kept), similarity, reason }
}

impl<'a> SavedSearch<'a> {
    /// The search among groups of the documents by one rule; `None` if the job has no work folder.
    pub(crate) fn of(corpus: &Corpus, groups: &EqualSets, rule: &str, session: &'a Session<'_>) -> Option<Self> {
        let work = session.work.as_ref()?;
        let mut facts = search_facts(session.options);
        facts.add("--keep and --cluster", rule);
        let order: Vec<u8> = groups.representatives().iter().flat_map(|document| document.0.to_le_bytes()).collect();
        facts.add("the order of the documents", format!("{:016x}", xxh3_64(&order)));
        facts.add("the corpus", format!("{:016x}", corpus.checksum));
        Some(Self { work, spill: &session.spill, facts })
    }

    pub(crate) fn keys(&self, name: &str) -> Result<Option<MadeKeys>> {
        let Some(state) = self.work.load::<KeysState>(name, &self.facts)? else { return Ok(None) };
        let ends = self.work.load_array(&format!("{name}-ends"), &state.ends, self.spill)?;
        let keys = self.work.load_array(&format!("{name}-linked"), &state.keys, self.spill)?;
        let starts = self.work.load_array(&format!("{name}-starts"), &state.starts, self.spill)?;
        let (Some(ends), Some(keys), Some(starts)) = (ends, keys, starts) else { return Ok(None) };
        let (method, most_postings) = (state.method.into_choice()?, state.most_postings.parse().unwrap_or(u64::MAX));
        Ok(Some(MadeKeys { keys: LinkedKeys::from_parts(ends.into_vec(), keys, starts), method, most_postings }))
    }

    pub(crate) fn save_keys(&self, name: &str, made: &MadeKeys) -> Result<()> {
        let (ends, keys, starts) = made.keys.parts();
        let ends = self.work.save_array(&format!("{name}-ends"), &Array::Owned(ends.to_vec()), self.spill)?;
        let keys = self.work.save_array(&format!("{name}-linked"), keys, self.spill)?;
        let starts = self.work.save_array(&format!("{name}-starts"), starts, self.spill)?;
        let (method, most_postings) = (made.method.into(), made.most_postings.to_string());
        self.work.save(name, &self.facts, &KeysState { method, most_postings, ends, keys, starts })
    }

    /// Whether a trial with keys for keepers was given up.
    pub(crate) fn was_given_up(&self) -> Result<bool> {
        Ok(self.work.load("trial", &self.facts)?.unwrap_or(false))
    }

    pub(crate) fn save_given_up(&self) -> Result<()> {
        self.work.save("trial", &self.facts, &true)
    }

    pub(crate) fn decisions(&self) -> Result<Option<Dedup>> {
        let Some(state) = self.work.load::<AnswerState>("decisions", &self.facts)? else { return Ok(None) };
        let items: Option<Array<PackedDecision>> = self.work.load_array("decisions", &state.items, self.spill)?;
        let Some(items) = items else { return Ok(None) };
        let decisions = items.into_vec().into_iter().map(unpack).collect();
        let AnswerState { method, recall, candidates, .. } = state;
        Ok(Some(Dedup { decisions, method: method.into_choice()?, recall, candidates }))
    }

    pub(crate) fn save_decisions(&self, dedup: &Dedup) -> Result<()> {
        let items = Array::Owned(dedup.decisions.iter().map(pack).collect());
        let items = self.work.save_array("decisions", &items, self.spill)?;
        let Dedup { method, recall, candidates, .. } = *dedup;
        let state = AnswerState { method: method.into(), recall, candidates, items };
        self.work.save("decisions", &self.facts, &state)
    }

    pub(crate) fn pairs(&self) -> Result<Option<(Joined, MethodChoice, Option<MeasuredRecall>)>> {
        let Some(state) = self.work.load::<AnswerState>("pairs", &self.facts)? else { return Ok(None) };
        let AnswerState { method, recall, candidates, items } = state;
        let Some(pairs) = self.work.load_array("pairs", &items, self.spill)? else { return Ok(None) };
        Ok(Some((Joined { pairs, candidates }, method.into_choice()?, recall)))
    }

    pub(crate) fn save_pairs(
        &self,
        joined: &Joined,
        method: MethodChoice,
        recall: Option<MeasuredRecall>,
    ) -> Result<()> {
        let items = self.work.save_array("pairs", &joined.pairs, self.spill)?;
        let state = AnswerState { method: method.into(), recall, candidates: joined.candidates, items };
        self.work.save("pairs", &self.facts, &state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_packed_bit_by_bit() {
        let removed = |similarity, reason| Decision::Removed { kept: DocId(7), similarity, reason };
        for decision in [Decision::Kept, removed(1.0, Reason::Exact), removed(2.0 / 3.0, Reason::Near)] {
            assert_eq!(unpack(pack(&decision)), decision);
        }
    }
}

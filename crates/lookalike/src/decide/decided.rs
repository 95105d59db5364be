//! The result of the search for keepers, as a work folder keeps it.

use super::keep::KeepDecisions;
use crate::base::Result;
use crate::candidates::{AboutKeys, MethodKeys};
use crate::run::{Checkpoint, SectionWriter, Stored};
use bytemuck::{Pod, Zeroable};
use lookalike_core::rule::{Decision, Reason};
use lookalike_core::{Array, DocId};
use serde::{Deserialize, Serialize};

/// The decisions, and by which blocking keys they came about. Whether equal documents are identical is no part of it.
#[derive(Debug)]
pub(super) struct Decided {
    pub(super) kept: KeepDecisions,
    /// The keys that were made for a search by all documents, if the search by the first ones was given up.
    pub(super) second: Option<MethodKeys>,
}

/// The small parts of [`Decided`].
#[derive(Serialize, Deserialize)]
pub(super) struct AboutDecided {
    candidates: u64,
    second: Option<AboutKeys>,
}

/// A decision in a file.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct PackedDecision {
    similarity: f64,
    /// The document that is kept, or [`PackedDecision::KEPT`].
    kept: u32,
    /// 1 if the sets are equal.
    is_equal: u32,
}

impl PackedDecision {
    /// Stands for a document that stays.
    const KEPT: u32 = u32::MAX;
}

impl From<Decision> for PackedDecision {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Kept => Self { similarity: 0.0, kept: Self::KEPT, is_equal: 0 },
            Decision::Removed { kept, similarity, reason } => {
                Self { similarity, kept: kept.0, is_equal: u32::from(reason != Reason::Near) }
            }
        }
    }
}

impl From<PackedDecision> for Decision {
    fn from(PackedDecision { similarity, kept, is_equal }: PackedDecision) -> Self {
        let reason = if is_equal == 1 { Reason::Equal } else { Reason::Near };
        match kept {
            PackedDecision::KEPT => Self::Kept,
            kept => Self::Removed { kept: DocId(kept), similarity, reason },
        }
    }
}

impl Checkpoint for Decided {
    type About = AboutDecided;

    fn about(&self) -> AboutDecided {
        AboutDecided { candidates: self.kept.candidates, second: self.second.as_ref().map(MethodKeys::about) }
    }

    fn save(&self, sections: &mut SectionWriter<'_>) -> Result<()> {
        let packed: Vec<PackedDecision> = self.kept.decisions.iter().map(|&decision| decision.into()).collect();
        sections.slice("decisions", &packed)?;
        self.second.as_ref().map_or(Ok(()), |keys| keys.save(sections))
    }

    fn load(AboutDecided { candidates, second }: AboutDecided, stored: &Stored<'_>) -> Result<Option<Self>> {
        let packed: Option<Array<PackedDecision>> = stored.array("decisions")?;
        let second = match second {
            Some(about) => MethodKeys::load(about, stored)?.map(Some),
            None => Some(None),
        };
        Ok(packed.zip(second).map(|(packed, second)| {
            let decisions = packed.chunks().flatten().map(|&decision| decision.into()).collect();
            Self { kept: KeepDecisions { decisions, candidates }, second }
        }))
    }

    fn fits(&self, documents: usize) -> bool {
        let KeepDecisions { decisions, .. } = &self.kept;
        let is_known = |decision: &Decision| match decision {
            Decision::Kept => true,
            Decision::Removed { kept, .. } => kept.index() < documents,
        };
        decisions.len() == documents
            && decisions.iter().all(is_known)
            && self.second.as_ref().is_none_or(|keys| keys.fits(documents))
    }
}

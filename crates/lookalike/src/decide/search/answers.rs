//! The answers of a search.

use crate::candidates::{MeasuredRecall, MethodUsed};
use crate::decide::join::Joined;
use lookalike_core::comparison::EqualSets;
use lookalike_core::rule::{Cluster, Decision};

/// Decisions about all documents.
#[derive(Debug, Clone)]
pub struct Dedup {
    /// Decisions by document.
    pub decisions: Vec<Decision>,
    /// Method that found the candidates.
    pub method: MethodUsed,
    /// The recall measured on a sample; `None` if the method is complete.
    pub recall: Option<MeasuredRecall>,
    /// Number of candidates that were verified; of pairs that were compared, where all were; `None` for a decision by
    /// components, which leaves out pairs that are connected already: how many depends on which thread comes first.
    pub candidates: Option<u64>,
}

/// Near-duplicate pairs, with equal documents folded into groups.
#[derive(Debug, Clone)]
pub struct FoldedPairs {
    /// Documents with equal sets.
    pub groups: EqualSets,
    /// Pairs of groups.
    pub joined: Joined,
    /// Method that found the candidates.
    pub method: MethodUsed,
    /// The recall measured on a sample; `None` if the method is complete.
    pub recall: Option<MeasuredRecall>,
}

/// The connected components of the near-duplicate pairs.
#[derive(Debug, Clone)]
pub struct Clusters {
    /// Clusters of two members or more, ordered by their first one.
    pub clusters: Vec<Cluster>,
    /// Method that found the candidates.
    pub method: MethodUsed,
    /// The recall measured on a sample; `None` if the method is complete.
    pub recall: Option<MeasuredRecall>,
    /// Number of candidates that were verified, which depends on threads: pairs that are connected already are left
    /// out.
    pub candidates: u64,
}

//! What the jobs find.

use crate::join::Joined;
use crate::method::MethodChoice;
use crate::recall::MeasuredRecall;
use lookalike_core::decide::{Cluster, Decision};
use lookalike_core::equal_sets::EqualSets;

/// What becomes of each document.
#[derive(Debug, Clone)]
pub struct Dedup {
    /// By document.
    pub decisions: Vec<Decision>,
    /// How candidates were found.
    pub method: MethodChoice,
    /// What a sample says of the recall, if the method is not complete.
    pub recall: Option<MeasuredRecall>,
    /// Number of candidates that were verified.
    pub candidates: u64,
}

/// All near-duplicate pairs, with equal documents folded into groups.
#[derive(Debug, Clone)]
pub struct Pairs {
    /// Documents with equal sets.
    pub groups: EqualSets,
    /// Pairs of groups.
    pub joined: Joined,
    /// How candidates were found.
    pub method: MethodChoice,
    /// What a sample says of the recall, if the method is not complete.
    pub recall: Option<MeasuredRecall>,
}

/// The connected components of the near-duplicate pairs.
#[derive(Debug, Clone)]
pub struct Clusters {
    /// With two members or more, ordered by their first one.
    pub clusters: Vec<Cluster>,
    /// How candidates were found.
    pub method: MethodChoice,
    /// What a sample says of the recall, if the method is not complete.
    pub recall: Option<MeasuredRecall>,
    /// Number of candidates that were verified.
    pub candidates: u64,
}

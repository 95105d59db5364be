//! What the jobs count.

use crate::corpus::{Corpus, Listing, Records};
use crate::write::family_sizes;
use lookalike_core::DocId;
use lookalike_core::rule::{Cluster, Decision, Reason};
use serde::Serialize;
use std::cmp::Reverse;

/// Families that the report names.
const MAX_FAMILIES: usize = 20;

/// Counts of `pairs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PairCounts {
    /// Documents read.
    pub documents: u64,
    /// Documents without tokens.
    pub empty: u64,
    /// Records that were left out because they could not be used.
    pub bad_records: u64,
    /// Pairs at or above the threshold.
    pub pairs: u64,
}

/// Counts of `clusters`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ClusterCounts {
    /// Documents read.
    pub documents: u64,
    /// Documents without tokens.
    pub empty: u64,
    /// Records that were left out because they could not be used.
    pub bad_records: u64,
    /// Connected components of two documents or more.
    pub clusters: u64,
    /// Documents in them.
    pub clustered_documents: u64,
    /// Documents in the largest one.
    pub largest_cluster: u64,
}

impl ClusterCounts {
    pub(super) fn new(corpus: &Corpus, records: &Records, clusters: &[Cluster]) -> Self {
        let sizes = clusters.iter().map(|cluster| cluster.members.len() as u64);
        Self {
            documents: corpus.len() as u64,
            empty: corpus.empty,
            bad_records: records.bad_records,
            clusters: clusters.len() as u64,
            clustered_documents: sizes.clone().sum(),
            largest_cluster: sizes.max().unwrap_or(0),
        }
    }
}

/// Counts of `recluster`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReclusterCounts {
    /// Pairs at or above the threshold.
    pub pairs: u64,
    /// Minimum similarity of all pairs in the file; 1 if there are none.
    pub min_similarity: f64,
    /// Connected components of two documents or more.
    pub clusters: u64,
    /// Documents in them.
    pub clustered_documents: u64,
    /// What would stay and go, if the documents were given.
    pub dedup: Option<DedupCounts>,
}

/// Counts of `checksum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CopyCounts {
    /// Groups of two or more exact copies.
    pub groups: u64,
}

/// Documents of one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceCounts {
    /// File or folder, as the user named it.
    pub source: String,
    /// Documents read.
    pub documents: u64,
    /// Documents that stay.
    pub kept: u64,
    /// Documents that go.
    pub removed: u64,
}

impl SourceCounts {
    /// Whether more than half of the source goes: a sign of wrong parameters.
    pub fn loses_most(&self) -> bool {
        self.removed * 2 > self.documents
    }
}

/// A kept document and those that go because of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Family {
    /// Id of the document that stays.
    pub kept: String,
    /// Number of documents, the kept one included.
    pub documents: u64,
}

/// What a dedup job did, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DedupCounts {
    /// Documents read.
    pub documents: u64,
    /// Documents that stay.
    pub kept: u64,
    /// Documents that go because their text equals that of a kept one byte for byte.
    pub removed_identical: u64,
    /// Documents that go because their features equal those of a kept one, and the text does not.
    pub removed_equal: u64,
    /// Documents that go because their features are similar to those of a kept one.
    pub removed_near: u64,
    /// Documents without tokens.
    pub empty: u64,
    /// Records that were left out because they could not be used.
    pub bad_records: u64,
    /// By source, in the order of the inputs.
    pub sources: Vec<SourceCounts>,
    /// The largest families, largest first; ties in input order.
    pub largest_families: Vec<Family>,
}

impl DedupCounts {
    /// Counts the decisions about documents of which `empty` have no elements.
    pub(super) fn new(listing: &Listing, empty: u64, records: &Records, decisions: &[Decision]) -> Self {
        let count = |wanted: Reason| {
            let is_wanted =
                |decision: &&Decision| matches!(decision, Decision::Removed { reason, .. } if *reason == wanted);
            decisions.iter().filter(is_wanted).count() as u64
        };
        let [removed_identical, removed_equal, removed_near] =
            [Reason::Identical, Reason::Equal, Reason::Near].map(count);
        let documents = listing.inputs() as u64;
        Self {
            documents,
            kept: documents - removed_identical - removed_equal - removed_near,
            removed_identical,
            removed_equal,
            removed_near,
            empty,
            bad_records: records.bad_records,
            sources: count_sources(records, decisions),
            largest_families: largest_families(listing, decisions),
        }
    }

    /// Documents that go.
    pub fn removed(&self) -> u64 {
        self.removed_identical + self.removed_equal + self.removed_near
    }

    /// Families with more than 1 % of all documents: a sign of boilerplate or wrong parameters.
    pub fn suspicious_families(&self) -> impl Iterator<Item = &Family> {
        self.largest_families.iter().filter(|family| family.documents * 100 > self.documents)
    }
}

fn count_sources(records: &Records, decisions: &[Decision]) -> Vec<SourceCounts> {
    let empty =
        |source: &lookalike_io::Source| SourceCounts { source: source.name(), documents: 0, kept: 0, removed: 0 };
    let mut counts: Vec<SourceCounts> = records.inputs().iter().map(empty).collect();
    for (document, decision) in DocId::all(decisions.len()).zip(decisions) {
        let input = (records.place(document).source as usize).checked_sub(records.reference_sources);
        let Some(count) = input.and_then(|input| counts.get_mut(input)) else { continue };
        count.documents += 1;
        match decision {
            Decision::Kept => count.kept += 1,
            Decision::Removed { .. } => count.removed += 1,
        }
    }
    counts
}

fn largest_families(listing: &Listing, decisions: &[Decision]) -> Vec<Family> {
    let sizes = family_sizes(decisions);
    let is_family = |document: &DocId| decisions[document.index()] == Decision::Kept && sizes[document.index()] > 1;
    let mut families: Vec<DocId> = listing.documents().filter(is_family).collect();
    families.sort_by_key(|kept| Reverse(sizes[kept.index()]));
    families.truncate(MAX_FAMILIES);
    let family = |kept: DocId| Family { kept: listing.ids.get(kept).to_owned(), documents: sizes[kept.index()].into() };
    families.into_iter().map(family).collect()
}

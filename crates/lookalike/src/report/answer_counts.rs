//! Counts of pairs, clusters, removals and exact copies.

use super::basis_of_pairs::BasisOfPairs;
use crate::corpus::{Corpus, Listing, Records};
use crate::write::family_sizes;
use lookalike_core::DocId;
use lookalike_core::rule::{Cluster, Decision, Reason};
use serde::Serialize;
use std::cmp::Reverse;

/// Families that the report names.
const MAX_FAMILIES: usize = 20;
/// Documents of a source or family from which on a share means something: two notes that are equal are no sign of wrong
/// parameters.
const MIN_SUSPICIOUS_DOCS: u64 = 20;

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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
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
    pub(crate) fn new(corpus: &Corpus, records: &Records, clusters: &[Cluster]) -> Self {
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
    /// What the file says of how its pairs were found; `None` if it says nothing.
    #[serde(skip)]
    pub basis: Option<BasisOfPairs>,
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
    /// Whether more than half of the source goes: a sign of wrong parameters. Never for fewer than 20 documents.
    pub fn loses_most(&self) -> bool {
        self.documents >= MIN_SUSPICIOUS_DOCS && self.removed * 2 > self.documents
    }
}

/// A kept document, or a reference, and the documents that go because of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Family {
    /// Id of the document that stays.
    pub kept: String,
    /// Number of documents: those that go, and the kept one. Where there are references, that one is not counted,
    /// whether it is a reference or a document of the inputs.
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
    /// Number of families.
    pub families: u64,
    /// The largest families, largest first; ties in input order.
    pub largest_families: Vec<Family>,
}

impl DedupCounts {
    /// Counts the decisions about documents of which `empty` have no elements.
    pub(crate) fn new(listing: &Listing, empty: u64, records: &Records, decisions: &[Decision]) -> Self {
        let count = |wanted: Reason| {
            let is_wanted =
                |decision: &&Decision| matches!(decision, Decision::Removed { reason, .. } if *reason == wanted);
            decisions.iter().filter(is_wanted).count() as u64
        };
        let [removed_identical, removed_equal, removed_near] =
            [Reason::Identical, Reason::Equal, Reason::Near].map(count);
        let documents = listing.inputs() as u64;
        let (families, largest_families) = count_families(listing, decisions);
        Self {
            documents,
            kept: documents - removed_identical - removed_equal - removed_near,
            removed_identical,
            removed_equal,
            removed_near,
            empty,
            bad_records: records.bad_records,
            sources: count_sources(records, decisions),
            families,
            largest_families,
        }
    }

    /// Documents that go.
    pub fn removed(&self) -> u64 {
        self.removed_identical + self.removed_equal + self.removed_near
    }

    /// Families of 20 documents or more that are more than 1 % of all: a sign of boilerplate or wrong parameters.
    pub fn suspicious_families(&self) -> impl Iterator<Item = &Family> {
        let is_large = |documents| documents >= MIN_SUSPICIOUS_DOCS && documents * 100 > self.documents;
        self.largest_families.iter().filter(move |family| is_large(family.documents))
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

/// The number of families, and the largest of them.
fn count_families(listing: &Listing, decisions: &[Decision]) -> (u64, Vec<Family>) {
    let sizes = family_sizes(decisions);
    // A reference heads a family and is no document of the inputs. Numbers beside each other mean the same.
    let heads = u64::from(listing.references > 0);
    let documents_of = |kept: DocId| u64::from(sizes[kept.index()]) - heads;
    let is_family = |document: &DocId| decisions[document.index()] == Decision::Kept && sizes[document.index()] > 1;
    let mut families: Vec<DocId> = listing.documents().filter(is_family).collect();
    let count = families.len() as u64;
    families.sort_by_key(|&kept| Reverse(documents_of(kept)));
    families.truncate(MAX_FAMILIES);
    let family = |kept: DocId| Family { kept: listing.ids.get(kept).to_owned(), documents: documents_of(kept) };
    (count, families.into_iter().map(family).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_few_documents_are_no_alarm() {
        let source =
            |documents, removed| SourceCounts { source: "x".to_owned(), documents, kept: documents - removed, removed };
        assert!(!source(1, 1).loses_most() && !source(19, 19).loses_most() && !source(20, 10).loses_most());
        assert!(source(20, 11).loses_most());
    }

    #[test]
    fn families_are_suspicious_by_share_and_size() {
        let counts = |documents, family| DedupCounts {
            documents,
            kept: 1,
            removed_identical: 0,
            removed_equal: 0,
            removed_near: 0,
            empty: 0,
            bad_records: 0,
            sources: Vec::new(),
            families: 1,
            largest_families: vec![Family { kept: "a".to_owned(), documents: family }],
        };
        let suspicious = |documents, family| counts(documents, family).suspicious_families().count();
        assert_eq!([suspicious(19, 19), suspicious(64, 4), suspicious(2000, 20), suspicious(1999, 20)], [0, 0, 0, 1]);
    }
}

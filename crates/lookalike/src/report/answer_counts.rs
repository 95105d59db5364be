//! Counts of all jobs.

use crate::candidates::MeasuredRecall;
use crate::corpus::{Corpus, Listing, Records};
use crate::passages::{Attribution, Cuts, Fate};
use crate::write::family_sizes;
use lookalike_core::DocId;
use lookalike_core::comparison::Measure;
use lookalike_core::rule::{Cluster, Decision, Reason};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::num::NonZeroUsize;

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
    /// Removals, if the documents were given.
    pub dedup: Option<DedupCounts>,
    /// Basis of the pairs in the file; `None` if it has none.
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
    /// Returns whether more than half of the source goes: a sign of wrong parameters. Never for fewer than 20
    /// documents.
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

/// Counts of `dedup`.
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
    /// Counts by source, in the order of the inputs.
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

/// Basis of saved pairs, as far as `recluster` needs it; later programs may say more.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct BasisOfPairs {
    parameters: ParametersOfPairs,
    method: Option<MethodOfPairs>,
    /// Number of pairs that were listed at most, the most similar ones; `None` if all of them were.
    #[serde(default)]
    pub(crate) top: Option<NonZeroUsize>,
    /// The recall measured on a sample; `None` for a complete method.
    pub measured_recall: Option<MeasuredRecall>,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
struct ParametersOfPairs {
    #[serde(flatten)]
    measure: Measure,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
struct MethodOfPairs {
    expected_recall: Option<f64>,
}

impl BasisOfPairs {
    /// The basis that pairs were written with; `None` if it is of no pairs.
    pub(crate) fn from_json(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }

    /// The measure that the pairs were found by.
    pub fn measure(&self) -> Measure {
        self.parameters.measure
    }

    /// The probability that a pair at that threshold was found; 1 for a complete method, `None` if none was promised.
    pub fn expected_recall(&self) -> Option<f64> {
        self.method.map_or(Some(1.0), |method| method.expected_recall)
    }
}

/// Counts of `search`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct SearchCounts {
    /// Queries.
    pub queries: u64,
    /// Queries that have an answer.
    pub answered: u64,
    /// Queries without elements, to which nothing is near.
    pub without_elements: u64,
    /// Queries of one shingle, of a containment: one of fewer tokens than a shingle has is compared as a whole, and is
    /// found inside no longer text.
    pub of_one_shingle: u64,
    /// Queries of fewer tokens than a shingle has, which are compared as a whole, and can only be equal to a document;
    /// those of a containment are counted by [`Self::of_one_shingle`].
    pub short: u64,
    /// Queries of fewer tokens than a shingle has that were looked for as a whole inside texts: their answers are the
    /// documents that contain them.
    pub looked_up: u64,
    /// Documents of snapshots and indexes with one shingle, by containment: texts of fewer tokens among them are not
    /// looked for inside queries.
    #[serde(skip)]
    pub not_looked_up: u64,
    /// `true` if the documents are those of a stored index.
    pub in_index: bool,
    /// Answers to all queries.
    pub answers: u64,
    /// Documents that were searched.
    pub documents: u64,
    /// The probability of finding a document at the threshold; 1 if none is missed.
    pub expected_recall: f64,
    /// The recall that was measured on a sample of the queries, if the method is not complete and they are many enough.
    pub measured_recall: Option<MeasuredRecall>,
}

/// Counts of what was put into an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct IndexCounts {
    /// Documents that were added, those in place of others included.
    pub added: u64,
    /// Documents that took the place of another with the same id.
    pub replaced: u64,
    /// Documents that were not, because one was near.
    pub near: u64,
    /// Documents whose records have no id and whose texts were there already.
    pub known: u64,
    /// Documents of the index when it was done.
    pub documents: u64,
    /// Size of its segments in bytes.
    pub bytes: u64,
}

/// Counts of `sources`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct PassageCounts {
    /// Documents whose sources were looked for.
    pub documents: u64,
    /// Documents that have a source.
    pub with_sources: u64,
    /// Sources of all documents; one that has passages of several counts for each.
    pub sources: u64,
    /// Passages, as they are shown.
    pub passages: u64,
    /// Tokens of all documents.
    pub tokens: u64,
    /// Tokens that stand in a source.
    pub covered_tokens: u64,
    /// Other tokens that stand in too many documents, or in what is ignored.
    pub common_tokens: u64,
    /// Documents with fewer tokens than the shortest passage.
    pub short: u64,
    /// References with fewer tokens than the shortest passage.
    pub short_references: u64,
    /// The largest share of a document that stands in sources.
    pub highest_share: f64,
}

/// A passage that too many documents have, so that it counts for none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommonPassage {
    /// Number of its tokens.
    pub tokens: u64,
    /// Number of documents that have it.
    pub documents: u64,
    /// Id of the first document that has it.
    pub id: String,
    /// Its first line there, from 1.
    pub line: u64,
    /// Its last line there.
    pub end_line: u64,
    /// Beginning of the passage.
    pub text: String,
}

impl PassageCounts {
    pub(crate) fn add(&mut self, found: &Attribution, min_match: usize) {
        self.documents += 1;
        self.with_sources += u64::from(!found.sources.is_empty());
        self.sources += found.sources.len() as u64;
        self.passages += found.sources.iter().map(|source| source.passages.len() as u64).sum::<u64>();
        self.tokens += found.tokens as u64;
        self.covered_tokens += found.covered as u64;
        self.common_tokens += found.common as u64;
        self.short += u64::from(found.tokens < min_match);
        let share = found.covered as f64 / found.tokens.max(1) as f64;
        self.highest_share = self.highest_share.max(share);
    }
}

/// Counts of `cut`; references are not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CutCounts {
    /// Documents.
    pub documents: u64,
    /// Documents that stay without some of their tokens.
    pub cut: u64,
    /// Documents of which too little would be left.
    pub removed: u64,
    /// Runs of tokens that are cut: those of documents that go as a whole, and those between two cuts, among them.
    pub passages: u64,
    /// Tokens of all documents.
    pub tokens: u64,
    /// Tokens that are cut.
    pub cut_tokens: u64,
    /// Tokens that occurred before and stay, because they are too few to be cut.
    pub spared_tokens: u64,
}

impl CutCounts {
    pub(crate) fn new(listing: &Listing, cuts: &Cuts) -> Self {
        let mut counts = Self::default();
        for document in listing.documents().skip(listing.references) {
            let fate = cuts.fate(document);
            counts.documents += 1;
            counts.cut += u64::from(fate == Fate::Cut);
            counts.removed += u64::from(fate == Fate::Dropped);
            counts.passages += cuts.pieces(document).count() as u64;
            counts.tokens += u64::from(cuts.tokens(document));
            counts.cut_tokens += u64::from(cuts.cut_tokens(document));
            counts.spared_tokens += cuts.spared_tokens(document);
        }
        counts
    }
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

//! The counts of a dedup job.

use crate::corpus::Corpus;
use lookalike_core::DocId;
use lookalike_core::decide::{Decision, Reason};
use serde::Serialize;
use std::cmp::Reverse;

/// Families that the report names.
const LARGEST_FAMILIES: usize = 20;

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
    /// Whether more than half of the source goes: worth a second look.
    pub fn loses_most(&self) -> bool {
        self.removed * 2 > self.documents
    }
}

/// A kept document and those that go because of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Family {
    /// Key of the document that stays.
    pub kept: String,
    /// Number of documents, the kept one included.
    pub documents: u64,
}

/// What a dedup job did, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DedupReport {
    /// Documents read.
    pub documents: u64,
    /// Documents that stay.
    pub kept: u64,
    /// Documents that go because their set equals that of a kept one.
    pub removed_exact: u64,
    /// Documents that go because their set is similar to that of a kept one.
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

impl DedupReport {
    /// Counts the decisions.
    pub fn new(corpus: &Corpus, decisions: &[Decision]) -> Self {
        let count = |wanted: Reason| {
            let is_wanted =
                |decision: &&Decision| matches!(decision, Decision::Removed { reason, .. } if *reason == wanted);
            decisions.iter().filter(is_wanted).count() as u64
        };
        let (removed_exact, removed_near) = (count(Reason::Exact), count(Reason::Near));
        let documents = (corpus.len() - corpus.references.documents) as u64;
        Self {
            documents,
            kept: documents - removed_exact - removed_near,
            removed_exact,
            removed_near,
            empty: corpus.empty,
            bad_records: corpus.bad_records,
            sources: count_sources(corpus, decisions),
            largest_families: largest_families(corpus, decisions),
        }
    }

    /// Documents that go.
    pub fn removed(&self) -> u64 {
        self.removed_exact + self.removed_near
    }

    /// Families with more than 1 % of all documents: worth a second look.
    pub fn suspicious_families(&self) -> impl Iterator<Item = &Family> {
        self.largest_families.iter().filter(|family| family.documents * 100 > self.documents)
    }
}

fn count_sources(corpus: &Corpus, decisions: &[Decision]) -> Vec<SourceCounts> {
    let empty =
        |source: &lookalike_io::Source| SourceCounts { source: source.name(), documents: 0, kept: 0, removed: 0 };
    let references = corpus.references.sources;
    let mut counts: Vec<SourceCounts> = corpus.sources[references..].iter().map(empty).collect();
    for (document, decision) in corpus.ids().zip(decisions) {
        let input = (corpus.info(document).source as usize).checked_sub(references);
        let Some(count) = input.and_then(|input| counts.get_mut(input)) else { continue };
        count.documents += 1;
        match decision {
            Decision::Kept => count.kept += 1,
            Decision::Removed { .. } => count.removed += 1,
        }
    }
    counts
}

/// By document: the size of the family it is kept for or removed from.
pub(crate) fn family_sizes(decisions: &[Decision]) -> Vec<u32> {
    let mut sizes = vec![1; decisions.len()];
    let kept_for = |decision: &Decision| match decision {
        Decision::Removed { kept, .. } => Some(kept.index()),
        Decision::Kept => None,
    };
    decisions.iter().filter_map(kept_for).for_each(|kept| sizes[kept] += 1);
    for (index, decision) in decisions.iter().enumerate() {
        if let Some(kept) = kept_for(decision) {
            sizes[index] = sizes[kept];
        }
    }
    sizes
}

fn largest_families(corpus: &Corpus, decisions: &[Decision]) -> Vec<Family> {
    let sizes = family_sizes(decisions);
    let is_family = |document: &DocId| decisions[document.index()] == Decision::Kept && sizes[document.index()] > 1;
    let mut families: Vec<DocId> = corpus.ids().filter(is_family).collect();
    families.sort_by_key(|kept| Reverse(sizes[kept.index()]));
    families.truncate(LARGEST_FAMILIES);
    let family = |kept: DocId| Family { kept: corpus.keys.get(kept).to_owned(), documents: sizes[kept.index()].into() };
    families.into_iter().map(family).collect()
}

//! What a job tells when it is done.

use super::answer_counts::{ClusterCounts, CopyCounts, DedupCounts, PairCounts, ReclusterCounts};
use super::corpus_counts::CorpusCounts;
use super::index_counts::{IndexCounts, SearchCounts};
use super::passage_counts::{CommonPassage, CutCounts, PassageCounts};
use crate::candidates::{MeasuredRecall, MethodUsed};
use crate::decide::Histogram;
use crate::ground::StageTime;
use crate::write::ListedCluster;
use lookalike_core::sets::ShingleSize;
use lookalike_core::similarity::Figure;
use lookalike_core::text::{TextOptions, unmatched_stop_words};
use lookalike_io::rows::{AnswerFields, AnswerRow, PairRow, SourceRow};
use serde_json::Value;

/// What a job did, in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Name of the job.
    pub command: &'static str,
    /// The documents that were read.
    pub corpus: CorpusCounts,
    /// The size of a shingle, if the documents are texts that are cut into shingles.
    pub shingle: Option<ShingleSize>,
    /// Stop words that equal no token; `None` if each equals one.
    pub unmatched_stop_words: Option<UnmatchedStopWords>,
    /// What the job found.
    pub found: Found,
    /// Durations of the stages.
    pub stages: Vec<StageTime>,
    /// Maximum resident size of the process, in bytes, where the system tells.
    pub peak_bytes: Option<u64>,
    /// Number of threads at work.
    pub threads: usize,
    /// Memory that the process should stay within, in bytes.
    pub memory_bytes: u64,
    /// What the summary file of a job says, whether it is written or not: nouns, method, counts, stages.
    pub summary: Value,
}

/// Stop words that equal no token, and so are left out of no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmatchedStopWords {
    /// Their number.
    pub count: u64,
    /// Number of all stop words.
    pub all: u64,
    /// The first of them.
    pub first: String,
}

impl UnmatchedStopWords {
    /// Those of the options.
    pub(crate) fn of_options(options: &TextOptions) -> Option<Self> {
        let unmatched = unmatched_stop_words(options);
        let first = (*unmatched.first()?).to_owned();
        Some(Self { count: unmatched.len() as u64, all: options.stop_words.len() as u64, first })
    }
}

/// What a job found.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// Documents that stay and go.
    Dedup {
        /// Counts by source and family.
        counts: DedupCounts,
        /// How candidates were found.
        search: SearchReport,
        /// Whether the records were there already: of an earlier run that was interrupted when they had just appeared.
        was_published: bool,
        /// What was put into the index that the documents were compared with, if that was asked for.
        added: Option<IndexCounts>,
    },
    /// Pairs.
    Pairs {
        /// Their number.
        counts: PairCounts,
        /// How candidates were found.
        search: SearchReport,
        /// How many pairs and candidates have which similarity; `None` if no output asks for it.
        histogram: Option<Histogram>,
        /// The most similar pairs, these first; empty if rows go to a file.
        listed: Vec<PairRow<'static>>,
    },
    /// Clusters.
    Clusters {
        /// Their number and sizes.
        counts: ClusterCounts,
        /// How candidates were found.
        search: SearchReport,
        /// The largest clusters, these first; empty if rows go to a file.
        listed: Vec<ListedCluster>,
    },
    /// Answers from saved pairs.
    Recluster {
        /// Counts of pairs, clusters and removals.
        counts: ReclusterCounts,
        /// The largest clusters, these first; empty if rows go to a file.
        listed: Vec<ListedCluster>,
    },
    /// Groups of exact copies.
    Copies(CopyCounts),
    /// Documents near to queries.
    Search {
        /// Their number.
        counts: SearchCounts,
        /// The answers, by query; empty if rows go to a file.
        listed: Vec<AnswerRow<'static>>,
        /// By row of queries in memory: what became of it; `None` for files.
        rows: Option<Vec<QueryState>>,
        /// What the answers tell of how similar documents are: what the measure counts, or an estimate.
        figure: Figure,
        /// Whether the answers tell the fields that an index stores.
        fields: AnswerFields,
    },
    /// Documents put into an index.
    Index {
        /// Their number, and the size of the index.
        counts: IndexCounts,
        /// Documents that were not added, each with the one that is near; empty if rows go to a file.
        listed: Vec<AnswerRow<'static>>,
    },
    /// Passages that documents share with sources.
    Sources {
        /// Their number.
        counts: PassageCounts,
        /// The longest of the passages that are left out because too many documents have them, these first.
        common: Vec<CommonPassage>,
        /// The passages, by document and source, and documents without any; empty if rows go to a file.
        listed: Vec<SourceRow<'static>>,
    },
    /// Texts without what occurred before.
    Cut {
        /// Counts of documents and tokens.
        counts: CutCounts,
        /// Whether the records were there already: of an earlier run that was interrupted when they had just appeared.
        was_published: bool,
    },
    /// A snapshot, whose counts are those of the report.
    Snapshot,
    /// Fingerprints, one a document.
    Fingerprints,
    /// Signatures, one a document.
    Signatures,
}

impl Found {
    /// How candidates were found, if they were looked for.
    pub fn search(&self) -> Option<&SearchReport> {
        match self {
            Self::Dedup { search, .. } | Self::Pairs { search, .. } | Self::Clusters { search, .. } => Some(search),
            Self::Recluster { .. }
            | Self::Copies(_)
            | Self::Search { .. }
            | Self::Index { .. }
            | Self::Sources { .. }
            | Self::Cut { .. }
            | Self::Snapshot
            | Self::Fingerprints
            | Self::Signatures => None,
        }
    }

    /// Number of removals, pairs, clusters or groups.
    pub fn count(&self) -> u64 {
        match self {
            Self::Dedup { counts, .. } => counts.removed(),
            Self::Pairs { counts, .. } => counts.pairs,
            Self::Clusters { counts, .. } => counts.clusters,
            Self::Recluster { counts, .. } => counts.pairs,
            Self::Copies(counts) => counts.groups,
            Self::Search { counts, .. } => counts.answers,
            Self::Index { counts, .. } => counts.near,
            Self::Sources { counts, .. } => counts.passages,
            Self::Cut { counts, .. } => counts.passages,
            Self::Snapshot | Self::Fingerprints | Self::Signatures => 0,
        }
    }
}

/// What became of a row of queries in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryState {
    /// It has an answer.
    Answered,
    /// It has none.
    Unanswered,
    /// It is no query: a bad record, which the job was to leave out.
    LeftOut,
}

/// How candidates were found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchReport {
    /// The method that was used, and why.
    pub method: MethodUsed,
    /// The recall measured on a sample; `None` if the method is complete.
    pub recall: Option<MeasuredRecall>,
    /// Candidates that were verified; `None` for a search for components, where it depends on which thread comes first.
    pub candidates: Option<u64>,
    /// Answers that texts have refused; `None` if they were not asked.
    pub refused: Option<u64>,
}

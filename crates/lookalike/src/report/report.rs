//! Report of a job.

use super::answer_counts::{
    ClusterCounts, CommonPassage, CopyCounts, CutCounts, DedupCounts, IndexCounts, PairCounts, PassageCounts,
    ReclusterCounts, SearchCounts,
};
use super::corpus_counts::CorpusCounts;
use crate::base::StageTime;
use crate::candidates::{MeasuredRecall, MethodUsed};
use crate::corpus::Corpus;
use crate::decide::Histogram;
use crate::write::ListedCluster;
use lookalike_core::sets::ShingleSize;
use lookalike_core::similarity::Figure;
use lookalike_core::text::{TextOptions, unmatched_stop_words};
use lookalike_io::rows::{AnswerFields, AnswerRow, PairRow, PassageRow, SourceRow};
use serde_json::Value;

/// Report of a job in numbers.
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
    /// Answers of the job.
    pub found: Found,
    /// Durations of the stages.
    pub stages: Vec<StageTime>,
    /// Maximum resident size of the process, in bytes, where the system tells.
    pub peak_bytes: Option<u64>,
    /// Number of threads at work.
    pub threads: usize,
    /// Memory that the process should stay within, in bytes.
    pub memory_bytes: u64,
    /// Content of the summary file, whether it is written or not: parameters, method, counts, stages.
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
    /// Unmatched stop words of the options.
    pub(crate) fn of_options(options: &TextOptions) -> Option<Self> {
        let unmatched = unmatched_stop_words(options);
        let first = (*unmatched.first()?).to_owned();
        Some(Self { count: unmatched.len() as u64, all: options.stop_words.len() as u64, first })
    }
}

/// Answers of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// Documents that stay and go.
    Dedup {
        /// Counts by source and family.
        counts: DedupCounts,
        /// Method by which candidates were found.
        search: SearchReport,
        /// `true` if the records were there already: of an earlier run that was interrupted when they had just
        /// appeared.
        was_published: bool,
        /// Counts of the index that the documents were put into, if that was asked for.
        added: Option<IndexCounts>,
    },
    /// Pairs.
    Pairs {
        /// Their number.
        counts: PairCounts,
        /// Method by which candidates were found.
        search: SearchReport,
        /// Pairs and candidates by similarity; `None` if no output asks for it.
        histogram: Option<Histogram>,
        /// The most similar pairs, these first; empty if rows go to a file.
        listed: Vec<PairRow<'static>>,
    },
    /// Clusters.
    Clusters {
        /// Their number and sizes.
        counts: ClusterCounts,
        /// Method by which candidates were found.
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
        /// State of each row of queries in memory; `None` for files.
        rows: Option<Vec<QueryState>>,
        /// Figure of the answers: what the measure counts, or an estimate.
        figure: Figure,
        /// `true` if the answers tell the fields that an index stores.
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
        /// `true` if the records were there already: of an earlier run that was interrupted when they had just
        /// appeared.
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
    /// Method and recall of the search, if there was one.
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

/// State of a row of queries in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryState {
    /// The query has an answer.
    Answered,
    /// The query has none.
    Unanswered,
    /// The row is no query: a bad record, which the job was to leave out.
    LeftOut,
}

/// Method by which candidates were found.
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

impl SearchReport {
    /// The report of a search over a corpus.
    pub(crate) fn new(
        method: MethodUsed,
        recall: Option<MeasuredRecall>,
        candidates: Option<u64>,
        corpus: &Corpus,
    ) -> Self {
        Self { method, recall, candidates, refused: corpus.refused_by_texts() }
    }
}

/// A text and its sources.
#[derive(Debug, Clone, PartialEq)]
pub struct TextSources {
    /// The text as its tokens stand in it: without markup, if the index drops that.
    pub text: String,
    /// Number of its tokens.
    pub tokens: u64,
    /// Number of those that stand in any source.
    pub covered_tokens: u64,
    /// Sources, the largest shares first.
    pub sources: Vec<TextSource>,
}

/// A source of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextSource {
    /// The document, as an answer to the text.
    pub document: AnswerRow<'static>,
    /// The share of the tokens of the text that stand in it.
    pub share: f64,
    /// Its text as its tokens stand in it.
    pub text: String,
    /// Pieces in the order of the text.
    pub passages: Vec<PassageRow<'static>>,
}

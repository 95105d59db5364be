//! Reports of jobs: counts, listed answers, and how saved pairs were found.
//!
//! ```text
//! corpus_counts    documents that were read
//! answer_counts    pairs, clusters, removals, searches, sources, cuts, changes of an index
//! report           all of a job; the sources of one text, which a page or a server shows
//! ```

mod answer_counts;
mod corpus_counts;
#[expect(clippy::module_inception, reason = "the type that the room is named after")]
mod report;

pub use answer_counts::{
    BasisOfPairs, ClusterCounts, CommonPassage, CopyCounts, CutCounts, DedupCounts, Family, IndexCounts, PairCounts,
    PassageCounts, ReclusterCounts, SearchCounts, SourceCounts,
};
pub use corpus_counts::CorpusCounts;
pub use report::{Found, QueryState, Report, SearchReport, TextSource, TextSources, UnmatchedStopWords};

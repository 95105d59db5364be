//! What jobs tell when they are done: counts, listed answers, and how saved pairs were found.
//!
//! ```text
//! basis_of_pairs   what saved pairs say of the search that found them
//! corpus_counts    documents that were read
//! answer_counts    pairs, clusters, removals
//! passage_counts   sources, cuts
//! index_counts     searches, changes of an index
//! report           all of a job
//! text_sources     the sources of one text, which a page or a server shows
//! ```

mod answer_counts;
mod basis_of_pairs;
mod corpus_counts;
mod index_counts;
mod passage_counts;
#[expect(clippy::module_inception, reason = "the type that the room is named after")]
mod report;
mod text_sources;

pub use answer_counts::{ClusterCounts, CopyCounts, DedupCounts, Family, PairCounts, ReclusterCounts, SourceCounts};
pub use basis_of_pairs::BasisOfPairs;
pub use corpus_counts::CorpusCounts;
pub use index_counts::{IndexCounts, SearchCounts};
pub use passage_counts::{CommonPassage, CutCounts, PassageCounts};
pub use report::{Found, QueryState, Report, SearchReport, UnmatchedStopWords};
pub use text_sources::{TextSource, TextSources};

//! Answers as files: records that stay, rows of pairs, clusters and removals; whole or not at all.
//!
//! ```text
//! check          checks before any work that outputs fit the inputs
//! rows           destination of rows, and names of their documents
//! pairs          pairs as rows
//! found_pairs    pairs of documents from pairs of groups
//! pair_sample    the most similar pairs, and a sample
//! clusters       clusters as rows or as an array
//! records/       records written again
//! stored_corpus  a corpus as the documents of an index
//! ```
//!
//! Texts are not kept, but the place of each record is. A record that keeps its format is copied byte for byte from its
//! place (`records/copy_records.rs`); the place in a compressed file is that in its unpacked bytes
//! (`base/compression/mod.rs` of lookalike-io). Columns go value by value (`rewrite/parquet_copy/` there), all else
//! through batches of Arrow (`rewrite/`). Every value is kept, or the job ends with file, row and column
//! (`columns/encode/`). Several inputs become one file by `records/join.rs`.

mod check;
mod clusters;
mod found_pairs;
mod pair_sample;
mod pairs;
mod records;
mod rows;
mod stored_corpus;

pub(crate) use check::check_outputs;
pub use clusters::ListedCluster;
pub(crate) use clusters::{ClusterOutput, ListedClusters};
pub use found_pairs::FoundPair;
pub(crate) use found_pairs::FoundPairs;
pub(crate) use pair_sample::{PairSample, SampledPair};
pub(crate) use pairs::{ListedPairs, PairCounter, PairOutput};
pub(crate) use records::{
    CutRecords, Outcome, RecordOutput, check_annotations, check_editable, family_sizes, write_records,
};
pub(crate) use rows::{AnswerOutput, RowDestination, RowNames, add_passages, passage_rows, write_removed};
pub use stored_corpus::Replacing;
pub(crate) use stored_corpus::{Known, StoredCorpus, give_resources, temporary_index, written};

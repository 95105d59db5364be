//! From answers to files: records that stay, rows of pairs, clusters and removals; whole or not at all.

mod check;
mod clusters;
mod copy_records;
mod found_pairs;
mod join;
mod most_similar;
mod pairs;
mod records;
mod removals;
mod row_names;
mod warc;

pub(crate) use check::check_outputs;
pub use clusters::ListedCluster;
pub(crate) use clusters::{ClusterOutput, ListedClusters};
pub use found_pairs::FoundPair;
pub(crate) use found_pairs::for_each_pair;
pub(crate) use pairs::{ListedPairs, PairOutput};
pub(crate) use records::{RecordOutput, check_annotations, family_sizes, write_records};
pub(crate) use removals::write_removed;
pub(crate) use row_names::RowNames;

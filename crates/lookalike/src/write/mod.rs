//! From answers to files: records that stay, rows of pairs, clusters and removals; whole or not at all.

mod answers;
mod check;
mod copy_records;
mod join;
mod records;
mod row_names;
mod warc;

pub use answers::FoundPair;
pub(crate) use answers::{ClusterOutput, for_each_pair, write_pairs, write_removed};
pub(crate) use check::check_outputs;
pub(crate) use records::{RecordOutput, check_annotations, family_sizes, write_records};
pub(crate) use row_names::RowNames;

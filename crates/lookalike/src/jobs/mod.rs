//! Whole jobs, from inputs to published outputs.
//!
//! ```text
//! run          any job, by its rule
//! dedup        records that stay, a row for each removed one
//! pairs        a row for each pair
//! clusters     a row for each member of each cluster
//! recluster    the same answers from saved pairs
//! snapshot     ids and element sets in a file
//! checksum     exact copies
//! compare      two documents side by side
//! ```
//!
//! Each takes a [`Job`] and [`Resources`], and returns a [`Report`]. Outputs appear whole
//! or not at all, and all together.

mod checksum;
mod counts;
mod dedup;
mod list;
mod recluster;
mod report;
mod running;
mod snapshot;
mod summary;

pub use checksum::checksum;
pub use counts::{ClusterCounts, CopyCounts, DedupCounts, Family, PairCounts, ReclusterCounts, SourceCounts};
pub use dedup::dedup;
pub use list::{clusters, pairs};
pub use recluster::{Recluster, recluster};
pub use report::{Found, Report, SearchReport};
pub use snapshot::snapshot;

use crate::ground::{Progress, Result};
use crate::job::Job;
use crate::tools::{Compared, compare_documents};
use lookalike_core::Resources;
use lookalike_core::features::Features;
use lookalike_core::rule::Rule;
use lookalike_io::Inputs;

/// Runs a job as its rule says.
///
/// # Errors
/// As the job itself.
pub fn run(job: &Job, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    match job.rule {
        Rule::Pairs => pairs(job, resources, progress),
        Rule::Clusters => clusters(job, resources, progress),
        Rule::Keepers { .. } | Rule::Connected { .. } | Rule::Against => dedup(job, resources, progress),
    }
}

/// Compares two documents, each named as a file, or as `FILE:ID` with a file of records or a folder before the colon.
///
/// # Errors
/// If one cannot be found or read.
pub fn compare(left: &str, right: &str, inputs: &Inputs, features: &Features) -> Result<Compared> {
    compare_documents(left, right, inputs, features)
}

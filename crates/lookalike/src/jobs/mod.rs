//! Whole jobs, from inputs to published outputs.
//!
//! ```text
//! run          by the rule of the job:
//!                keepers, connected,
//!                against, beside                records that stay, a row for each removed one
//!                pairs                          a row for each pair
//!                clusters                       a row for each member of each cluster
//! answer       the same over documents in memory or in files, with the answers in memory
//! recluster    the same answers from saved pairs
//! index        documents put into a stored index
//! sources      which documents have passages of others
//! cut          texts without what occurred before
//! snapshot     ids and element sets in a file
//! checksum     exact copies
//! fingerprint  the SimHash of each document
//! signatures   the MinHash signature of each document
//! compare      two documents side by side
//! ```
//!
//! What is near to queries is a job of [`crate::ask`]. Each but `compare` takes a [`Job`] and [`Resources`], and
//! returns a [`Report`]. Outputs appear whole or not at all, and all together.

mod answer;
mod basis;
mod checksum;
mod dedup;
mod index;
mod list;
mod passages;
mod recluster;
mod running;
mod sketches;
mod snapshot;
mod stored_parameters;
mod summary;

pub use crate::corpus::{RepeatedId, RepeatedIdCounts, notation_of};
pub use crate::decide::{Histogram, RefusedCandidates, SimilarityBins};
pub use crate::report::{
    BasisOfPairs, ClusterCounts, CommonPassage, CopyCounts, CorpusCounts, CutCounts, DedupCounts, Family, Found,
    IndexCounts, PairCounts, PassageCounts, QueryState, ReclusterCounts, Report, SearchCounts, SearchReport,
    SourceCounts, UnmatchedStopWords,
};
pub use crate::write::{FoundPair, ListedCluster, Replacing};
pub use answer::{Answered, Answers, RowState, answer};
pub use checksum::checksum;
pub use index::{
    AdditionPolicy, IndexChange, Keying, add_to_index, add_to_open_index, create_index, dedup_into_index, expiry_after,
};
pub(crate) use list::list_pairs;
pub(crate) use passages::check_features;
pub use passages::{PassageCut, SourceSearch, cut, sources};
pub use recluster::{Recluster, recluster};
pub(crate) use running::{INPUTS_IN_MEMORY, JobCommand, Purpose, Running};
pub use sketches::{Signatures, SimHashFingerprints, fingerprint, signatures};
pub use snapshot::snapshot;
pub use stored_parameters::StoredParameters;

use crate::base::{Progress, Result};
use crate::job::Job;
use crate::tools::{self, Compared, Comparing};
use lookalike_core::Resources;
use lookalike_core::rule::Rule;

/// Runs a job as its rule says.
///
/// # Errors
/// If an input cannot be read, an output cannot be written, or the parameters do not fit each other; then no output
/// appears.
pub fn run(job: &Job, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    job.check_counts()?;
    match &job.rule {
        Rule::Pairs => list::pairs(job, resources, progress),
        Rule::Clusters => list::clusters(job, resources, progress),
        Rule::Keepers { .. } | Rule::Connected { .. } | Rule::Against | Rule::Beside { .. } => {
            dedup::dedup(job, None, resources, progress)
        }
    }
}

/// Compares two documents.
///
/// # Errors
/// If one cannot be found or read, or features, measure and fingerprints do not fit each other.
pub fn compare(request: &Comparing) -> Result<Compared> {
    compare_while(request, &|| true)
}

/// Compares two documents as long as `goes_on`, which stays false once it is.
///
/// # Errors
/// As [`compare`]; [`crate::Error::Interrupted`] if it does not go on.
pub fn compare_while(request: &Comparing, goes_on: &dyn Fn() -> bool) -> Result<Compared> {
    tools::compare(request, goes_on)
}

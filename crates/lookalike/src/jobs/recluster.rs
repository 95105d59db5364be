//! Another threshold or another choice of copies, from saved pairs: nothing is compared again.

use super::counts::{DedupCounts, ReclusterCounts};
use super::dedup::DedupOutputs;
use super::report::{Found, Report};
use super::running::{CorpusCounts, Running};
use crate::corpus::{Corpus, read_ids};
use crate::decide::{SavedPairs, order_of};
use crate::ground::{Error, OutputKind, Progress, Result};
use crate::job::Job;
use crate::write::{ClusterOutput, check_outputs, write_removed};
use lookalike_core::Resources;
use lookalike_core::rule::{Cluster, Order};
use lookalike_io::{RemovalRow, RowWriter, Sealed};
use std::path::{Path, PathBuf};

/// A job over saved pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Recluster {
    /// File of pairs, as `pairs` has written them.
    pub pairs: PathBuf,
    /// The rest: its inputs are the documents that the pairs were found in, or empty if only the pairs are known.
    pub job: Job,
}

/// Finds clusters and decides by the keepers rule from saved pairs, as a search at the threshold of the job would.
///
/// # Errors
/// If a file cannot be read or written, a row is no pair or names no document, or the order needs documents that are
/// not given.
pub fn recluster(recluster: &Recluster, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let Recluster { pairs, job } = recluster;
    let keep = job.rule.order().unwrap_or(&Order::First);
    let has_documents = !job.inputs.inputs.is_empty();
    if !has_documents && !matches!(keep, Order::First | Order::Last) {
        return Err(Error::DocumentsNeeded { order: keep.to_string() });
    }
    check_outputs(std::slice::from_ref(pairs), job.outputs.paths())?;
    let writes = [OutputKind::Records, OutputKind::Removed, OutputKind::Rows, OutputKind::Summary];
    let running = Running::begin(("recluster", &writes), job, resources, progress)?;
    if has_documents { of_records(running, pairs, keep) } else { of_pairs_alone(running, pairs, keep) }
}

fn of_records(running: Running<'_>, pairs: &Path, keep: &Order) -> Result<Report> {
    let (job, session) = (&running.job, &running.session);
    let found = running.discover()?;
    let clusters_output = begin_clusters(&running)?;
    let outputs = DedupOutputs::create(&found, job.outputs.records.as_deref(), job, session)?;
    let records = read_ids(&found, &job.inputs, session)?;
    let saved = SavedPairs::read_for(pairs, job.measure, &records.corpus)?;
    let decisions = saved.decide(&order_of(&records.corpus, keep)?);
    let mut written = outputs.write(&records, &decisions, job, session)?;
    let clusters = saved.clusters(records.corpus.len());
    written.extend(write_clusters(clusters_output, &records.corpus, &clusters, &running)?);
    let dedup = Some(DedupCounts::new(&records, &decisions));
    let counts = counts(&saved, &clusters, dedup);
    running.finish(written, Found::Recluster(counts), CorpusCounts::from(&records))
}

fn of_pairs_alone(running: Running<'_>, pairs: &Path, keep: &Order) -> Result<Report> {
    let (job, session) = (&running.job, &running.session);
    let clusters_output = begin_clusters(&running)?;
    let removed = job.outputs.removed.as_deref();
    let removed = removed.map(|path| RowWriter::create_with(path, RemovalRow::HEADER, &session.aside())).transpose()?;
    let (corpus, saved) = SavedPairs::read(pairs, job.measure)?;
    let decisions = saved.decide(&order_of(&corpus, keep)?);
    let mut written = Vec::new();
    if let Some(removed) = removed {
        written.push(write_removed(removed, &corpus, &decisions, session)?);
    }
    let clusters = saved.clusters(corpus.len());
    written.extend(write_clusters(clusters_output, &corpus, &clusters, &running)?);
    let counts = counts(&saved, &clusters, None);
    running.finish(written, Found::Recluster(counts), CorpusCounts::default())
}

fn begin_clusters(running: &Running<'_>) -> Result<Option<ClusterOutput>> {
    let outputs = &running.job.outputs;
    let begin = |path| ClusterOutput::create(path, outputs.clusters, &running.session.aside());
    outputs.rows.as_deref().map(begin).transpose()
}

fn write_clusters(
    output: Option<ClusterOutput>,
    corpus: &Corpus,
    clusters: &[Cluster],
    running: &Running<'_>,
) -> Result<Option<Sealed>> {
    output.map(|output| output.write(corpus, clusters, &running.session)).transpose()
}

fn counts(saved: &SavedPairs, clusters: &[Cluster], dedup: Option<DedupCounts>) -> ReclusterCounts {
    ReclusterCounts {
        pairs: saved.len() as u64,
        min_similarity: saved.min_similarity,
        clusters: clusters.len() as u64,
        clustered_documents: clusters.iter().map(|cluster| cluster.members.len() as u64).sum(),
        dedup,
    }
}

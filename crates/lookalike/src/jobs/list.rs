//! Pairs and clusters, listed without removing anything.

use super::counts::{ClusterCounts, PairCounts};
use super::report::{Found, Report, SearchReport};
use super::running::{CorpusCounts, Running};
use crate::corpus::Records;
use crate::ground::{OutputKind, Progress, Result};
use crate::job::Job;
use crate::pipeline;
use crate::write::{ClusterOutput, write_pairs};
use lookalike_core::Resources;
use lookalike_io::{Discovered, PairRow, RowWriter};

const LIST_OUTPUTS: [OutputKind; 2] = [OutputKind::Rows, OutputKind::Summary];

/// Lists all pairs at or above the threshold.
///
/// # Errors
/// As [`super::run()`].
pub(super) fn pairs(job: &Job, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let running = Running::begin(("pairs", &LIST_OUTPUTS), job, resources, progress)?;
    let found = running.discover()?;
    let (job, rows) = (&running.job, running.wanted(OutputKind::Rows)?);
    let writer = RowWriter::create_with(rows, PairRow::HEADER, &running.session.aside())?;
    let records = read(&running, found)?;
    let found = pipeline::pairs(&records.corpus, job.measure, job.method, &running.session)?;
    let (written, pairs) = write_pairs(writer, &records.corpus, &found, job.measure, &running.session)?;
    let search = SearchReport { method: found.method, recall: found.recall, candidates: found.joined.candidates };
    let (empty, bad_records) = (records.corpus.empty, records.bad_records);
    let counts = PairCounts { documents: records.corpus.len() as u64, empty, bad_records, pairs };
    running.finish(vec![written], Found::Pairs { counts, search }, CorpusCounts::from(&records))
}

/// Lists the connected components of the pairs at or above the threshold.
///
/// # Errors
/// As [`super::run()`].
pub(super) fn clusters(job: &Job, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let running = Running::begin(("clusters", &LIST_OUTPUTS), job, resources, progress)?;
    let found = running.discover()?;
    let (job, rows) = (&running.job, running.wanted(OutputKind::Rows)?);
    let output = ClusterOutput::create(rows, job.outputs.clusters, &running.session.aside())?;
    let records = read(&running, found)?;
    let found = pipeline::clusters(&records.corpus, job.measure, job.method, &running.session)?;
    let written = output.write(&records.corpus, &found.clusters, &running.session)?;
    let search = SearchReport { method: found.method, recall: found.recall, candidates: found.candidates };
    let counts = ClusterCounts::new(&records, &found.clusters);
    running.finish(vec![written], Found::Clusters { counts, search }, CorpusCounts::from(&records))
}

/// Reads the inputs of a job without references.
fn read(running: &Running<'_>, inputs: Discovered) -> Result<Records> {
    let sources = running.with_references(inputs)?;
    running.check_disk(&sources)?;
    let Job { inputs, features, .. } = &running.job;
    pipeline::read(&sources.references, &sources.inputs, inputs, features, &running.session)
}

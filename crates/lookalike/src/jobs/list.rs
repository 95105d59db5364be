//! Pairs and clusters, listed without removing anything.

use super::basis::basis_of;
use super::counts::{ClusterCounts, CorpusCounts, PairCounts};
use super::report::{Found, Report, SearchReport};
use super::running::{Command, Running};
use crate::corpus::{Corpus, Records};
use crate::decide::Histogram;
use crate::ground::{Error, OutputKind, Progress, Result};
use crate::job::{Check, Job};
use crate::pipeline;
use crate::write::{ClusterOutput, ListedClusters, ListedPairs, PairOutput, RowNames};
use lookalike_core::Resources;
use lookalike_io::Discovered;
use std::sync::Arc;

const WRITES: [OutputKind; 3] = [OutputKind::Rows, OutputKind::DocumentFrequencies, OutputKind::Summary];

/// The search, and the writing of what it found.
fn stages_of(job: &Job) -> usize {
    pipeline::stages(&job.rule, job.method) + usize::from(job.check == Check::Texts) + 1
}

/// Lists all pairs at or above the threshold.
///
/// # Errors
/// As [`super::run()`].
pub(super) fn pairs(job: &Job, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let writes = &[OutputKind::Rows, OutputKind::Summary, OutputKind::Histogram, OutputKind::DocumentFrequencies];
    let command = Command { name: "pairs", writes, stages: stages_of(job) };
    let running = Running::begin(command, job, resources, progress)?;
    running.job.check_comparison()?;
    // Rows name documents by ids, which references and inputs may share.
    if !job.inputs.against.is_empty() {
        return Err(Error::RuleAndReferences { rule: job.rule.name() });
    }
    let found = running.discover()?;
    let (job, rows) = (&running.job, running.rows()?);
    let output = PairOutput::create(rows, &job.outputs, job.measure.figure(), &running.session.staging())?;
    let (corpus, records) = read(&running, found)?;
    let search = if job.outputs.histogram.is_some() { pipeline::pairs_and_refused } else { pipeline::pairs };
    let mut found = search(&corpus, job.measure, job.method, &running.session)?;
    let output = output.describe(&basis_of(running.command, job, Some((found.method, found.recall)))?);
    let names = RowNames::new(&corpus.listing, &records, job.outputs.row_sources);
    let listed = output.write_as_stage(&names, (&corpus, &found), job.measure, &running.session)?;
    let ListedPairs { file, rows: listed, bins } = listed;
    let search = SearchReport {
        method: found.method,
        recall: found.recall,
        candidates: found.joined.candidates,
        refused: corpus.refused_by_texts(),
    };
    let (empty, bad_records) = (corpus.empty, records.bad_records);
    let counts = PairCounts { documents: corpus.len() as u64, empty, bad_records, pairs: bins.total() };
    let histogram = found.joined.refused.take().map(|refused| Histogram { pairs: bins, refused });
    let found = Found::Pairs { counts, search, histogram, listed };
    running.finish(file.into_iter().collect(), found, CorpusCounts::of(&corpus, &records))
}

/// Lists the connected components of the pairs at or above the threshold.
///
/// # Errors
/// As [`super::run()`].
pub(super) fn clusters(job: &Job, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let command = Command { name: "clusters", writes: &WRITES, stages: stages_of(job) };
    let running = Running::begin(command, job, resources, progress)?;
    running.job.check_comparison()?;
    let found = running.discover()?;
    let (job, rows) = (&running.job, running.rows()?);
    let output = ClusterOutput::create(rows, &job.outputs, &running.session.staging())?;
    let (corpus, records) = read(&running, found)?;
    let found = pipeline::clusters(&corpus, job.measure, job.method, &running.session)?;
    let output = output.describe(&basis_of(running.command, job, Some((found.method, found.recall)))?);
    let names = RowNames::new(&corpus.listing, &records, job.outputs.row_sources);
    let ListedClusters { file, listed } = output.write_as_stage(&names, &found.clusters, &running.session)?;
    let search = SearchReport {
        method: found.method,
        recall: found.recall,
        candidates: found.candidates,
        refused: corpus.refused_by_texts(),
    };
    let counts = ClusterCounts::new(&corpus, &records, &found.clusters);
    let found = Found::Clusters { counts, search, listed };
    running.finish(file.into_iter().collect(), found, CorpusCounts::of(&corpus, &records))
}

/// Reads the inputs of a job without references.
fn read(running: &Running<'_>, inputs: Discovered) -> Result<(Corpus, Arc<Records>)> {
    running.read(&running.with_references(inputs)?)
}

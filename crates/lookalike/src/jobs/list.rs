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
use crate::write::{ClusterOutput, RowNames, write_pairs};
use lookalike_core::Resources;
use lookalike_io::{Discovered, PairRow, RowWriter};
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
    let (job, rows) = (&running.job, running.wanted(OutputKind::Rows)?);
    let header = PairRow::header(job.measure.figure(), job.outputs.row_sources);
    let mut writer = RowWriter::create_with(rows, job.outputs.row_format, &header, &running.session.staging())?;
    let (corpus, records) = read(&running, found)?;
    let search = if job.outputs.histogram.is_some() { pipeline::pairs_and_refused } else { pipeline::pairs };
    let mut found = search(&corpus, job.measure, job.method, &running.session)?;
    writer.describe(&basis_of(running.command, job, Some((found.method, found.recall)))?);
    let names = RowNames::new(&corpus.listing, &records, job.outputs.row_sources);
    let (written, bins) = write_pairs((writer, &names), &corpus, &found, job.measure, &running.session)?;
    let search = SearchReport {
        method: found.method,
        recall: found.recall,
        candidates: found.joined.candidates,
        refused: corpus.refused_by_texts(),
    };
    let (empty, bad_records) = (corpus.empty, records.bad_records);
    let counts = PairCounts { documents: corpus.len() as u64, empty, bad_records, pairs: bins.total() };
    let histogram = found.joined.refused.take().map(|refused| Histogram { pairs: bins, refused });
    running.finish(vec![written], Found::Pairs { counts, search, histogram }, CorpusCounts::of(&corpus, &records))
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
    let (job, rows) = (&running.job, running.wanted(OutputKind::Rows)?);
    let output = ClusterOutput::create(rows, &job.outputs, &running.session.staging())?;
    let (corpus, records) = read(&running, found)?;
    let found = pipeline::clusters(&corpus, job.measure, job.method, &running.session)?;
    let output = output.describe(&basis_of(running.command, job, Some((found.method, found.recall)))?);
    let names = RowNames::new(&corpus.listing, &records, job.outputs.row_sources);
    let written = output.write_as_stage(&names, &found.clusters, &running.session)?;
    let search = SearchReport {
        method: found.method,
        recall: found.recall,
        candidates: found.candidates,
        refused: corpus.refused_by_texts(),
    };
    let counts = ClusterCounts::new(&corpus, &records, &found.clusters);
    running.finish(vec![written], Found::Clusters { counts, search }, CorpusCounts::of(&corpus, &records))
}

/// Reads the inputs of a job without references.
fn read(running: &Running<'_>, inputs: Discovered) -> Result<(Corpus, Arc<Records>)> {
    running.read(&running.with_references(inputs)?)
}

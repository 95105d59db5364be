//! Pairs and clusters, listed without removing anything.

use super::basis::basis_of;
use super::running::{Command, Running, stages_of};
use crate::corpus::{Corpus, Records};
use crate::decide::{Histogram, Refused};
use crate::ground::{Contradiction, OutputKind, Progress, Result, Stage};
use crate::job::Job;
use crate::pages::{Listed, sealed_page};
use crate::pipeline::{self, WantedPairs};
use crate::report::{ClusterCounts, CorpusCounts, PairCounts};
use crate::report::{Found, Report, SearchReport};
use crate::write::{ClusterOutput, ListedClusters, ListedPairs, PairOutput, RowNames};
use lookalike_core::Resources;
use lookalike_io::{outputs::Sealed, sources::Discovered};
use std::sync::Arc;

const WRITES: [OutputKind; 4] =
    [OutputKind::Rows, OutputKind::DocumentFrequencies, OutputKind::Report, OutputKind::Summary];

/// Lists all pairs at or above the threshold.
///
/// # Errors
/// As [`super::run()`].
pub(super) fn pairs(job: &Job, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let is_shown = job.outputs.histogram.is_some() || job.outputs.report.is_some();
    list_pairs(job, if is_shown { Refused::Sampled } else { Refused::Forgotten }, resources, progress)
}

/// Lists all pairs at or above the threshold; with a sample of refused candidates the report has a histogram.
///
/// # Errors
/// As [`super::run()`].
pub(crate) fn list_pairs(
    job: &Job,
    refused: Refused,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    let writes = &[
        OutputKind::Rows,
        OutputKind::Summary,
        OutputKind::Histogram,
        OutputKind::Report,
        OutputKind::DocumentFrequencies,
    ];
    let stages = [stages_of(job), vec![Stage::WRITING]].concat();
    let command = Command { name: "pairs", writes, stages };
    let running = Running::begin(command, job, resources, progress)?;
    running.job.check_comparison()?;
    // Rows name documents by ids, which references and inputs may share.
    if !job.inputs.against.is_empty() {
        return Err(Contradiction::RuleAndReferences { rule: job.rule.clone() }.into());
    }
    let found = running.discover()?;
    let job = &running.job;
    let rows = running.rows()?;
    let output = PairOutput::create(rows, &job.outputs, job.measure.figure(), &running.session.staging())?;
    let (corpus, records) = read(&running, found)?;
    let wanted = WantedPairs { refused, limit: job.outputs.pair_limit() };
    let mut found = pipeline::wanted_pairs(&corpus, job.measure, job.method, wanted, &running.session)?;
    let basis = basis_of(running.command, job, Some((found.method, found.recall)))?;
    let output = output.describe(&basis);
    let names = RowNames::new(&corpus.listing, &records, job.outputs.row_sources);
    let listed = output.write_as_stage(&names, (&corpus, &found), job.measure, &running.session)?;
    let ListedPairs { file, rows: listed, bins, sample } = listed;
    let search = SearchReport {
        method: found.method,
        recall: found.recall,
        candidates: Some(found.joined.candidates),
        refused: corpus.refused_by_texts(),
    };
    let empty = corpus.empty;
    let bad_records = records.bad_records;
    let counts = PairCounts { documents: corpus.len() as u64, empty, bad_records, pairs: bins.total() };
    let refused = found.joined.refused.take();
    let mut written: Vec<Sealed> = file.into_iter().collect();
    if let Some((file, sample)) = running.report_file()?.zip(sample) {
        let about = Listed { job, listing: &corpus.listing, records: &records, search: &search, basis: &basis };
        let page = about.page_of_pairs(&counts, sample, refused.as_ref(), &running.session)?;
        written.push(sealed_page(file, &page)?);
    }
    let histogram = refused.map(|refused| Histogram { pairs: bins, refused });
    let found = Found::Pairs { counts, search, histogram, listed };
    running.finish(written, found, CorpusCounts::of(&corpus, &records))
}

/// Lists the connected components of the pairs at or above the threshold.
///
/// # Errors
/// As [`super::run()`].
pub(super) fn clusters(job: &Job, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let stages = [stages_of(job), vec![Stage::WRITING]].concat();
    let command = Command { name: "clusters", writes: &WRITES, stages };
    let running = Running::begin(command, job, resources, progress)?;
    running.job.check_comparison()?;
    let found = running.discover()?;
    let job = &running.job;
    let rows = running.rows()?;
    let output = ClusterOutput::create(rows, &job.outputs, &running.session.staging())?;
    let (corpus, records) = read(&running, found)?;
    let found = pipeline::clusters(&corpus, job.measure, job.method, &running.session)?;
    let basis = basis_of(running.command, job, Some((found.method, found.recall)))?;
    let output = output.describe(&basis);
    let names = RowNames::new(&corpus.listing, &records, job.outputs.row_sources);
    let ListedClusters { file, listed } = output.write_as_stage(&names, &found.clusters, &running.session)?;
    let search = SearchReport {
        method: found.method,
        recall: found.recall,
        candidates: None,
        refused: corpus.refused_by_texts(),
    };
    let counts = ClusterCounts::new(&corpus, &records, &found.clusters);
    let mut written: Vec<Sealed> = file.into_iter().collect();
    if let Some(file) = running.report_file()? {
        let about = Listed { job, listing: &corpus.listing, records: &records, search: &search, basis: &basis };
        let page = about.page_of_clusters(&counts, &found.clusters, &running.session)?;
        written.push(sealed_page(file, &page)?);
    }
    let found = Found::Clusters { counts, search, listed };
    running.finish(written, found, CorpusCounts::of(&corpus, &records))
}

/// Reads the inputs of a job without references.
fn read(running: &Running<'_>, inputs: Discovered) -> Result<(Corpus, Arc<Records>)> {
    running.read(&running.with_references(inputs)?)
}

//! Pairs and clusters, listed without removing anything.

use super::running::{JobCommand, Running, stages_of};
use crate::base::{Contradiction, OutputKind, Progress, Result, Stage};
use crate::corpus::{Corpus, Records};
use crate::decide::{Histogram, Refused};
use crate::job::Job;
use crate::pages::SearchPage;
use crate::pipeline::{self, Clusters, FoldedPairs, PairRequest};
use crate::report::{ClusterCounts, CorpusCounts, Found, PairCounts, Report, SearchReport};
use crate::write::{ClusterOutput, ListedCluster, ListedClusters, ListedPairs, PairOutput, RowNames};
use lookalike_core::Resources;
use lookalike_io::outputs::Sealed;

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
    let running = Running::begin(JobCommand { name: "pairs", writes, stages }, job, resources, progress)?;
    running.job.check_comparison()?;
    // Rows name documents by ids, which references and inputs may share.
    if !job.inputs.against.is_empty() {
        return Err(Contradiction::RuleAndReferences { rule: job.rule.clone() }.into());
    }
    let inputs = running.discover()?;
    let Running { job, session, .. } = &running;
    let output = PairOutput::create(running.rows()?, &job.outputs, job.measure, &session.staging())?;
    let (corpus, records) = running.read(&running.with_references(inputs)?)?;
    let wanted = PairRequest { refused, limit: job.outputs.pair_limit() };
    let mut pairs = pipeline::wanted_pairs(&corpus, job.measure, job.method, wanted, session)?;
    let output = output.describe(&running.basis(Some(&report_of_pairs(&pairs, &corpus)))?);
    let names = RowNames::new(&corpus.listing, &records, job.outputs.row_sources);
    let listed = output.write_as_stage(&names, &corpus, &pairs, session)?;
    let (found, written) = report_pairs(&running, &corpus, &records, &mut pairs, listed)?;
    running.finish(written, found, CorpusCounts::new(&corpus, &records))
}

fn report_of_pairs(pairs: &FoldedPairs, corpus: &Corpus) -> SearchReport {
    SearchReport::new(pairs.method, pairs.recall, Some(pairs.joined.candidates), corpus)
}

/// The report of pairs, and the files: the rows, and the page if there is to be one.
pub(super) fn report_pairs(
    running: &Running<'_>,
    corpus: &Corpus,
    records: &Records,
    pairs: &mut FoldedPairs,
    listed: ListedPairs,
) -> Result<(Found, Vec<Sealed>)> {
    let ListedPairs { file, rows, bins, sample } = listed;
    let search = report_of_pairs(pairs, corpus);
    let documents = corpus.listing.inputs() as u64;
    let empty = corpus.empty;
    let counts = PairCounts { documents, empty, bad_records: records.bad_records, pairs: bins.total() };
    let refused = pairs.joined.refused.take();
    let page = match sample {
        Some(sample) => {
            let of_pairs = |page: SearchPage<'_>| page.of_pairs(&counts, sample, refused.as_ref());
            running.search_page(corpus, records, &search, of_pairs)?
        }
        None => None,
    };
    let histogram = refused.map(|refused| Histogram { pairs: bins, refused });
    let found = Found::Pairs { counts, search, histogram, listed: rows };
    Ok((found, file.into_iter().chain(page).collect()))
}

/// Lists the connected components of the pairs at or above the threshold.
///
/// # Errors
/// As [`super::run()`].
pub(super) fn clusters(job: &Job, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let writes = &[OutputKind::Rows, OutputKind::DocumentFrequencies, OutputKind::Report, OutputKind::Summary];
    let stages = [stages_of(job), vec![Stage::WRITING]].concat();
    let running = Running::begin(JobCommand { name: "clusters", writes, stages }, job, resources, progress)?;
    running.job.check_comparison()?;
    let inputs = running.discover()?;
    let Running { job, session, .. } = &running;
    let output = ClusterOutput::create(running.rows()?, &job.outputs, &session.staging())?;
    let (corpus, records) = running.read(&running.with_references(inputs)?)?;
    let found = pipeline::clusters(&corpus, job.measure, job.method, session)?;
    let search = SearchReport::new(found.method, found.recall, None, &corpus);
    let output = output.describe(&running.basis(Some(&search))?);
    let names = RowNames::new(&corpus.listing, &records, job.outputs.row_sources);
    let ListedClusters { file, listed } = output.write_as_stage(&names, &found.clusters, session)?;
    let (found, page) = report_clusters(&running, &corpus, &records, &found, listed)?;
    running.finish(file.into_iter().chain(page).collect(), found, CorpusCounts::new(&corpus, &records))
}

/// The report of clusters, and their page if there is to be one.
pub(super) fn report_clusters(
    running: &Running<'_>,
    corpus: &Corpus,
    records: &Records,
    found: &Clusters,
    listed: Vec<ListedCluster>,
) -> Result<(Found, Option<Sealed>)> {
    let search = SearchReport::new(found.method, found.recall, None, corpus);
    let counts = ClusterCounts::new(corpus, records, &found.clusters);
    let page = running.search_page(corpus, records, &search, |page| page.of_clusters(&counts, &found.clusters))?;
    Ok((Found::Clusters { counts, search, listed }, page))
}

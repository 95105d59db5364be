//! Another threshold or another choice of copies, from saved pairs: nothing is compared again.

use super::dedup::{RemovalOutputs, writing};
use super::running::{JobCommand, Running};
use crate::base::details::GroupConflict;
use crate::base::{Contradiction, Error, OutputKind, Progress, Result, Stage};
use crate::corpus::{Listing, Records, read_ids};
use crate::decide::{SavedPairs, order_of};
use crate::job::Job;
use crate::report::{BasisOfPairs, CorpusCounts, DedupCounts, Found, ReclusterCounts, Report};
use crate::run::Session;
use crate::write::{ClusterOutput, ListedClusters, RowNames, check_outputs};
use lookalike_core::Resources;
use lookalike_core::comparison::Measure;
use lookalike_core::rule::{Cluster, Decision, Order, Rule};
use lookalike_core::terms::Cosine;
use lookalike_core::vectors::VectorCosine;
use lookalike_io::{
    base::FileSelection,
    read::read_basis,
    rows::{RowSources, side_file},
    sources::Discovered,
};
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
    let keep = check(recluster)?;
    let (job, basis) = by_basis(pairs, job)?;
    job.check_no_groups(GroupConflict::SavedPairs)?;
    let has_documents = names_documents(&job);
    let running = Running::begin(command_of(&job), &job, resources, progress)?;
    let Running { job, session, .. } = &running;
    let found =
        if has_documents { running.with_references(running.discover()?)?.inputs } else { Discovered::nothing() };
    let clusters_output = begin_clusters(&running)?;
    let outputs = RemovalOutputs::create(&found, job.outputs.records.as_deref(), job, session)?;
    let (listing, records, saved) = read(pairs, &found, job, session)?;
    let (clusters, decisions) = decide(&saved, &listing, keep, session)?;
    let of_ids = Stage::over_documents(Stage::WRITING, listing.len());
    let (written, listed) = session.stage(if has_documents { writing(&records) } else { of_ids }, || {
        let mut written = outputs.write(&running, &listing, &records, &decisions)?;
        let names = RowNames::of_ids(&listing);
        let listed = clusters_output.map(|output| output.write(&names, &clusters, session)).transpose()?;
        let ListedClusters { file, listed } = listed.unwrap_or_default();
        written.extend(file);
        Ok((written, listed))
    })?;
    let counts = ReclusterCounts {
        pairs: saved.len() as u64,
        min_similarity: saved.min_similarity,
        clusters: clusters.len() as u64,
        clustered_documents: clusters.iter().map(|cluster| cluster.members.len() as u64).sum(),
        dedup: has_documents.then(|| DedupCounts::new(&listing, 0, &records, &decisions)),
        basis,
    };
    let corpus = has_documents.then(|| CorpusCounts::of_listed(&listing, &records));
    running.finish(written, Found::Recluster { counts, listed }, corpus.unwrap_or_default())
}

/// Checks that the job is one over saved pairs, and returns the order of its rule.
fn check(recluster: &Recluster) -> Result<&Order> {
    let Recluster { pairs, job } = recluster;
    let Rule::Keepers { keep } = &job.rule else {
        return Err(Contradiction::UnknownRule { command: "recluster", rule: job.rule.clone() }.into());
    };
    if !names_documents(job) && !matches!(keep, Order::First | Order::Last) {
        return Err(Error::Contradiction(Contradiction::DocumentsNeeded { order: keep.to_string() }));
    }
    if pairs == Path::new("-") {
        return Err(Contradiction::PairsFromStdin.into());
    }
    let beside = job.outputs.side_files();
    let beside = beside.iter().map(|(_, path)| (OutputKind::Basis, path));
    let named = std::slice::from_ref(pairs);
    check_outputs(named, &FileSelection::default(), &[side_file(pairs)], job.outputs.given().chain(beside))?;
    job.outputs.check_existing()?;
    Ok(keep)
}

fn names_documents(job: &Job) -> bool {
    !job.inputs.inputs.is_empty()
}

fn command_of(job: &Job) -> JobCommand {
    let mut stages = vec![Stage::READING_PAIRS, Stage::CONNECTING, Stage::WRITING];
    let mut writes: &[OutputKind] = &[OutputKind::Removed, OutputKind::Rows, OutputKind::Summary];
    if names_documents(job) {
        stages.insert(0, Stage::READING);
        writes =
            &[OutputKind::Records, OutputKind::LeftOut, OutputKind::Removed, OutputKind::Rows, OutputKind::Summary];
    }
    JobCommand { name: "recluster", writes, stages }
}

/// Reads the ids of the documents, if the job names these, and the pairs.
fn read(pairs: &Path, found: &Discovered, job: &Job, session: &Session<'_>) -> Result<(Listing, Records, SavedPairs)> {
    if names_documents(job) {
        let (listing, records) = read_ids(&Discovered::nothing(), found, &job.inputs, session)?;
        let saved = SavedPairs::read_for(pairs, job.measure, &listing, session)?;
        Ok((listing, records, saved))
    } else {
        let (listing, saved) = SavedPairs::read(pairs, job.measure, session)?;
        Ok((listing, Records::default(), saved))
    }
}

/// The job over a file of pairs, which does not ask for more than the file has, and the basis of the pairs.
fn by_basis(pairs: &Path, job: &Job) -> Result<(Job, Option<BasisOfPairs>)> {
    let mut job = job.clone();
    if job.inputs.inputs.is_empty() {
        // Pairs alone name no files.
        job.outputs.row_sources = RowSources::Absent;
    }
    let Some(basis) = read_basis(pairs)?.as_deref().and_then(BasisOfPairs::from_json) else { return Ok((job, None)) };
    let found = basis.measure();
    job.measure = as_of_vectors(job.measure, found);
    let wanted = job.measure;
    let path = pairs.to_owned();
    if wanted.kind() != found.kind() {
        return Err(Error::OtherMeasure { path, measure: wanted.kind(), pairs: found.kind() });
    }
    if wanted.limit().is_looser_than(found.limit()) {
        return Err(Error::BelowThreshold { path, limit: wanted.limit(), pairs: found.limit() });
    }
    if let Some(top) = basis.top {
        return Err(Error::NotAllPairs { path, top });
    }
    Ok((job, Some(basis)))
}

/// The clusters, and what the keepers rule decides about the listed documents, as a stage.
fn decide(
    saved: &SavedPairs,
    listing: &Listing,
    keep: &Order,
    session: &Session<'_>,
) -> Result<(Vec<Cluster>, Vec<Decision>)> {
    session.stage(Stage::over_documents(Stage::CONNECTING, listing.len()), || {
        let order = order_of(listing, keep, session.stages.progress)?;
        Ok((saved.clusters(listing.len()), saved.decide(&order)))
    })
}

fn begin_clusters(running: &Running<'_>) -> Result<Option<ClusterOutput>> {
    let outputs = &running.job.outputs;
    if outputs.rows.is_none() && outputs.top.is_none() {
        return Ok(None);
    }
    ClusterOutput::create(running.rows()?, outputs, &running.session.staging()).map(Some)
}

/// A cosine that is asked for, of vectors if the pairs are such: who asks cannot know.
fn as_of_vectors(requested: Measure, of_pairs: Measure) -> Measure {
    match (requested, of_pairs) {
        (Measure::Cosine(Cosine { threshold, .. }), Measure::VectorCosine(_)) => {
            Measure::VectorCosine(VectorCosine { threshold })
        }
        _ => requested,
    }
}

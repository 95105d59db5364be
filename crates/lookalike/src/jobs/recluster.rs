//! Another threshold or another choice of copies, from saved pairs: nothing is compared again.

use super::dedup::{DedupOutputs, writing};
use super::running::{Command, Running};
use crate::corpus::{Listing, read_ids};
use crate::decide::{SavedPairs, order_of};
use crate::ground::details::GroupConflict;
use crate::ground::{Contradiction, Error, OutputKind, Progress, Result, Stage};
use crate::job::Job;
use crate::report::{BasisOfPairs, CorpusCounts, DedupCounts, Found, ReclusterCounts, Report};
use crate::run::Session;
use crate::write::{ClusterOutput, ListedClusters, RowNames, check_outputs, write_removed};
use lookalike_core::Resources;
use lookalike_core::comparison::Measure;
use lookalike_core::rule::{Cluster, Decision, Order, Rule};
use lookalike_core::terms::Cosine;
use lookalike_core::vectors::VectorCosine;
use lookalike_io::{
    RowWriter,
    ground::Selection,
    read::read_basis,
    rows::{RemovalRow, RowSources, side_file},
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
    let Rule::Keepers { keep } = &job.rule else {
        return Err(Contradiction::UnknownRule { command: "recluster", rule: job.rule.clone() }.into());
    };
    let has_documents = !job.inputs.inputs.is_empty();
    if !has_documents && !matches!(keep, Order::First | Order::Last) {
        return Err(Error::Contradiction(Contradiction::DocumentsNeeded { order: keep.to_string() }));
    }
    if pairs == Path::new("-") {
        return Err(Contradiction::PairsFromStdin.into());
    }
    let beside = job.outputs.side_files();
    let beside = beside.iter().map(|(_, path)| (OutputKind::Basis, path));
    check_outputs(
        (std::slice::from_ref(pairs), &Selection::default()),
        &[side_file(pairs)],
        job.outputs.given().chain(beside),
    )?;
    job.outputs.check_existing()?;
    let writes: &[OutputKind] = match has_documents {
        true => &[OutputKind::Records, OutputKind::LeftOut, OutputKind::Removed, OutputKind::Rows, OutputKind::Summary],
        false => &[OutputKind::Removed, OutputKind::Rows, OutputKind::Summary],
    };
    // Documents and pairs are read, clusters and decisions are made and written.
    let basis = read_basis(pairs)?.as_deref().and_then(BasisOfPairs::of);
    let measure = basis.as_ref().map_or(job.measure, |basis| as_of_vectors(job.measure, basis.measure()));
    let job = &Job { measure, ..job.clone() };
    if let Some(basis) = &basis {
        let path = pairs.clone();
        let wanted = job.measure;
        let found = basis.measure();
        if wanted.kind() != found.kind() {
            return Err(Error::OtherMeasure { path, measure: wanted.kind(), pairs: found.kind() });
        }
        if wanted.limit().is_looser_than(found.limit()) {
            return Err(Error::BelowThreshold { path, limit: wanted.limit(), pairs: found.limit() });
        }
        if let Some(top) = basis.top {
            return Err(Error::NotAllPairs { path, top });
        }
    }
    job.check_no_groups(GroupConflict::SavedPairs)?;
    let mut stages = vec![Stage::READING_PAIRS, Stage::CONNECTING, Stage::WRITING];
    if has_documents {
        stages.insert(0, Stage::READING);
    }
    let command = Command { name: "recluster", writes, stages };
    let running = Running::begin(command, job, resources, progress)?;
    if has_documents {
        of_records(running, (pairs, basis), keep)
    } else {
        of_pairs_alone(running, (pairs, basis), keep)
    }
}

/// A file of pairs, and what they say of themselves.
type Pairs<'a> = (&'a Path, Option<BasisOfPairs>);

fn of_records(running: Running<'_>, (pairs, basis): Pairs<'_>, keep: &Order) -> Result<Report> {
    let job = &running.job;
    let session = &running.session;
    let found = running.with_references(running.discover()?)?.inputs;
    let clusters_output = begin_clusters(&running)?;
    let outputs = DedupOutputs::create(&found, job.outputs.records.as_deref(), job, session)?;
    let (listing, records) = read_ids(&Discovered::nothing(), &found, &job.inputs, session)?;
    let saved = SavedPairs::read_for(pairs, job.measure, &listing, session)?;
    let (clusters, decisions) = decide(&saved, &listing, keep, session)?;
    let (written, listed) = session.stage(writing(&records), || {
        let mut written = outputs.write((&listing, &records), &decisions, job, session)?;
        let ListedClusters { file, listed } = write_clusters(clusters_output, &listing, &clusters, session)?;
        written.extend(file);
        Ok((written, listed))
    })?;
    let dedup = Some(DedupCounts::new(&listing, 0, &records, &decisions));
    let counts = ReclusterCounts { basis, ..counts(&saved, &clusters, dedup) };
    running.finish(written, Found::Recluster { counts, listed }, CorpusCounts::of_listed(&listing, &records))
}

fn of_pairs_alone(running: Running<'_>, (pairs, basis): Pairs<'_>, keep: &Order) -> Result<Report> {
    let job = &running.job;
    let session = &running.session;
    let clusters_output = begin_clusters(&running)?;
    let removed = job.outputs.removed.as_deref();
    let header = RemovalRow::header(job.measure.figure(), RowSources::Absent);
    let removed = removed.map(|path| RowWriter::create_with(path, None, &header, &session.staging())).transpose()?;
    let (listing, saved) = SavedPairs::read(pairs, job.measure, session)?;
    let (clusters, decisions) = decide(&saved, &listing, keep, session)?;
    let (written, listed) = session.stage(Stage::over_documents(Stage::WRITING, listing.len()), || {
        let removed = removed
            .map(|writer| write_removed(writer, &RowNames::of_ids(&listing), (&decisions, job.measure), session))
            .transpose()?;
        let ListedClusters { file, listed } = write_clusters(clusters_output, &listing, &clusters, session)?;
        Ok((removed.into_iter().chain(file).collect(), listed))
    })?;
    let counts = ReclusterCounts { basis, ..counts(&saved, &clusters, None) };
    running.finish(written, Found::Recluster { counts, listed }, CorpusCounts::default())
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

fn write_clusters(
    output: Option<ClusterOutput>,
    listing: &Listing,
    clusters: &[Cluster],
    session: &Session<'_>,
) -> Result<ListedClusters> {
    let written = output.map(|output| output.write(&RowNames::of_ids(listing), clusters, session));
    written.unwrap_or_else(|| Ok(ListedClusters::default()))
}

fn counts(saved: &SavedPairs, clusters: &[Cluster], dedup: Option<DedupCounts>) -> ReclusterCounts {
    ReclusterCounts {
        pairs: saved.len() as u64,
        min_similarity: saved.min_similarity,
        clusters: clusters.len() as u64,
        clustered_documents: clusters.iter().map(|cluster| cluster.members.len() as u64).sum(),
        dedup,
        basis: None,
    }
}

/// A cosine that is asked for, of vectors if the pairs are such: who asks cannot know.
fn as_of_vectors(asked: Measure, of_pairs: Measure) -> Measure {
    match (asked, of_pairs) {
        (Measure::Cosine(Cosine { threshold, .. }), Measure::VectorCosine(_)) => {
            Measure::VectorCosine(VectorCosine { threshold })
        }
        _ => asked,
    }
}

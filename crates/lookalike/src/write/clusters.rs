//! Clusters as rows or as an array: all of them by their first document, or the largest ones.

use super::rows::RowNames;
use crate::base::{Result, Stage};
use crate::job::{ClusterLayout, Outputs};
use crate::run::Session;
use lookalike_core::rule::Cluster;
use lookalike_io::{
    AtomicFile, RowWriter,
    base::Staging,
    formats::{RecordFormat, names_one_value},
    outputs::Sealed,
    rows::ClusterRow,
};
use serde::Serialize;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::path::Path;

/// Members of a cluster that a report names.
const MAX_MEMBERS: usize = 100;

/// A cluster in a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCluster {
    /// Number of its members.
    pub documents: u64,
    /// Its first members in input order, at most 100.
    pub first: Vec<ClusterRow<'static>>,
}

/// A cluster in a JSON array.
#[derive(Serialize)]
struct ClusterGroup<'a> {
    cluster: usize,
    ids: Vec<&'a str>,
    /// The file of each member, if they are named.
    #[serde(skip_serializing_if = "Option::is_none")]
    sources: Option<Vec<Cow<'a, str>>>,
}

/// Destination of clusters, and their number.
pub(crate) struct ClusterOutput {
    target: ClusterTarget,
    /// Number of clusters that are listed, the largest ones; `None` for all.
    top: Option<NonZeroUsize>,
}

/// Files are staging files until they are published.
enum ClusterTarget {
    Rows(RowWriter),
    Json(Box<AtomicFile>),
    Report,
}

/// The clusters that are listed.
#[derive(Default)]
pub(crate) struct ListedClusters {
    /// The file.
    pub(crate) file: Option<Sealed>,
    /// The clusters, if they go to the report.
    pub(crate) listed: Vec<ListedCluster>,
}

impl ClusterOutput {
    /// Begins the file, in the layout that the outputs ask for, else the one that the extension of `path` names; or the
    /// list in the report if there is no path.
    pub(crate) fn create(path: Option<&Path>, outputs: &Outputs, staging: &Staging) -> Result<Self> {
        let Outputs { clusters, row_format, row_sources, top, .. } = *outputs;
        let layout = |path| {
            let extension = if names_one_value(path) { ClusterLayout::Json } else { ClusterLayout::Rows };
            (path, clusters.unwrap_or(extension))
        };
        let target = match path.map(layout) {
            None => ClusterTarget::Report,
            Some((path, ClusterLayout::Rows)) => ClusterTarget::Rows(RowWriter::create_with(
                path,
                row_format,
                &ClusterRow::header(row_sources),
                staging,
            )?),
            Some((path, ClusterLayout::Json)) => {
                RecordFormat::JsonArray.check_extension(path)?;
                ClusterTarget::Json(Box::new(AtomicFile::create_with(path, staging)?))
            }
        };
        Ok(Self { target, top })
    }

    /// Lets rows say what they depend on, where their format has a place for it.
    pub(crate) fn describe(mut self, basis: &str) -> Self {
        if let ClusterTarget::Rows(writer) = &mut self.target {
            writer.describe(basis);
        }
        self
    }

    /// Writes the clusters, as a stage.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub(crate) fn write_as_stage(
        self,
        names: &RowNames<'_>,
        clusters: &[Cluster],
        session: &Session<'_>,
    ) -> Result<ListedClusters> {
        session.stage(Stage::over_documents(Stage::WRITING, names.len()), || self.write(names, clusters, session))
    }

    /// Writes the clusters. Each has the number that it has among all clusters.
    ///
    /// # Errors
    /// If the output cannot be written, or the job is cancelled; then it does not appear.
    pub(crate) fn write(
        self,
        names: &RowNames<'_>,
        clusters: &[Cluster],
        session: &Session<'_>,
    ) -> Result<ListedClusters> {
        let mut wanted: Vec<(usize, &Cluster)> = clusters.iter().enumerate().collect();
        if let Some(top) = self.top {
            // A stable sort: of clusters of the same size the first comes first.
            wanted.sort_by_key(|(_, cluster)| Reverse(cluster.members.len()));
            wanted.truncate(top.get());
        }
        let file = match self.target {
            ClusterTarget::Rows(writer) => write_rows(writer, names, &wanted, session)?,
            ClusterTarget::Json(file) => write_array(*file, names, &wanted, session)?,
            ClusterTarget::Report => return Ok(ListedClusters { file: None, listed: listed(names, &wanted) }),
        };
        Ok(ListedClusters { file: Some(file), listed: Vec::new() })
    }
}

/// The clusters for a report.
fn listed(names: &RowNames<'_>, clusters: &[(usize, &Cluster)]) -> Vec<ListedCluster> {
    let list = |&(number, cluster): &(usize, &Cluster)| {
        let first = cluster.members.iter().take(MAX_MEMBERS).map(|&member| ClusterRow {
            cluster: number as u64,
            id: Cow::Owned(names.id(member).to_owned()),
            source: names.source(member).map(|source| Cow::Owned(source.into_owned())),
        });
        ListedCluster { documents: cluster.members.len() as u64, first: first.collect() }
    };
    clusters.iter().map(list).collect()
}

/// Writes a row for each member of each cluster.
///
/// # Errors
/// If the output cannot be written, or the job is cancelled; then it does not appear.
fn write_rows(
    mut writer: RowWriter,
    names: &RowNames<'_>,
    clusters: &[(usize, &Cluster)],
    session: &Session<'_>,
) -> Result<Sealed> {
    for &(number, cluster) in clusters {
        session.stages.check_sometimes(number as u64)?;
        for &member in &cluster.members {
            let id = names.id(member).into();
            writer.write(&ClusterRow { cluster: number as u64, id, source: names.source(member) })?;
        }
    }
    Ok(writer.seal()?)
}

/// Writes the clusters as one JSON array of objects with the ids of their members.
///
/// # Errors
/// If the output cannot be written, or the job is cancelled; then it does not appear.
fn write_array(
    mut file: AtomicFile,
    names: &RowNames<'_>,
    clusters: &[(usize, &Cluster)],
    session: &Session<'_>,
) -> Result<Sealed> {
    file.write(b"[")?;
    for (row, &(number, cluster)) in clusters.iter().enumerate() {
        session.stages.check_sometimes(number as u64)?;
        let ids = cluster.members.iter().map(|&member| names.id(member)).collect();
        let sources = cluster.members.iter().map(|&member| names.source(member)).collect();
        file.write(if row == 0 { b"\n" } else { b",\n" })?;
        file.write(lookalike_io::write::to_json(&ClusterGroup { cluster: number, ids, sources })?.as_bytes())?;
    }
    file.write(b"\n]\n")?;
    Ok(file.seal()?)
}

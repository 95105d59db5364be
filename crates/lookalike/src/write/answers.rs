//! Writing pairs, clusters and removals as rows.

use super::row_names::RowNames;
use crate::corpus::Corpus;
use crate::decide::{PackedPair, Pairs, SimilarityBins};
use crate::ground::{Result, Stage};
use crate::job::{ClusterLayout, Outputs};
use crate::run::Session;
use crate::spill::{ExternalSort, Repeats, Share};
use lookalike_core::measure::{Figure, Measure, Overlap, VerifiedPair};
use lookalike_core::rule::{Cluster, Decision, Reason};
use lookalike_core::{DocId, Ragged};
use lookalike_io::{AtomicFile, ClusterRow, PairFigure, PairRow, RecordFormat, RemovalRow, RowWriter, Sealed, Staging};
use serde::Serialize;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

/// A cluster in a JSON array.
#[derive(Serialize)]
struct ClusterGroup<'a> {
    cluster: usize,
    ids: Vec<&'a str>,
    /// The file of each member, if they are named.
    #[serde(skip_serializing_if = "Option::is_none")]
    sources: Option<Vec<Cow<'a, str>>>,
}

/// Writes all pairs of documents as a stage, sorted by the input order of the first and then of the second; returns
/// their number by similarity.
///
/// Pairs of documents with equal sets are made while writing: a group of n equal documents has n (n - 1) / 2 of them.
///
/// # Errors
/// If the output cannot be written, or the job is cancelled; then it does not appear.
pub(crate) fn write_pairs(
    (mut writer, names): (RowWriter, &RowNames<'_>),
    corpus: &Corpus,
    pairs: &Pairs,
    measure: Measure,
    session: &Session<'_>,
) -> Result<(Sealed, SimilarityBins)> {
    let listing = &corpus.listing;
    session.stage(Stage::over_documents("writing", listing.len()), || {
        let (mut bins, mut count, mut done) = (SimilarityBins::default(), 0, 0);
        for_each_pair(pairs, corpus, measure, session, |pair| {
            count += 1;
            bins.add(pair.similarity);
            check_sometimes(count, session)?;
            session.stages.progress.advance(u64::from(pair.a.0) - done);
            done = pair.a.0.into();
            Ok(writer.write(&pair.row(names, measure.figure()))?)
        })?;
        session.stages.progress.advance(listing.len() as u64 - done);
        Ok((writer.seal()?, bins))
    })
}

/// Ends the job between rows if the user wants that.
fn check_sometimes(row: u64, session: &Session<'_>) -> Result<()> {
    if row.is_multiple_of(1024) { session.stages.check() } else { Ok(()) }
}

/// A pair of documents, a before b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundPair {
    /// The earlier document.
    pub a: DocId,
    /// The later document.
    pub b: DocId,
    /// Their similarity by the measure.
    pub similarity: f64,
    /// What they have in common.
    pub reason: Reason,
    /// The share of a that is in b, and that of b that is in a; `None` where no sets were compared.
    pub containments: Option<[f64; 2]>,
}

impl FoundPair {
    fn row<'l>(&self, names: &RowNames<'l>, figure: Figure) -> PairRow<'l> {
        let documents = [self.a, self.b];
        let row = PairRow::new(documents.map(|d| names.id(d)), PairFigure::of(figure, self.similarity), self.reason);
        let row = row.with_sources(documents.map(|document| names.source(document)));
        match self.containments {
            Some(containments) if figure == Figure::Containment => row.with_containments(containments),
            _ => row,
        }
    }
}

/// Calls `visit` with each pair of documents, a before b, sorted. Beside references, these are the pairs of a reference
/// and another document.
pub(crate) fn for_each_pair(
    pairs: &Pairs,
    corpus: &Corpus,
    measure: Measure,
    session: &Session<'_>,
    mut visit: impl FnMut(FoundPair) -> Result<()>,
) -> Result<()> {
    let (members, references) = (pairs.groups.members(), corpus.listing.references);
    let of_first = if references == 0 { pairs.groups.len() } else { references };
    let neighbours = neighbours(pairs, session)?;
    let mut partners: Vec<FoundPair> = Vec::new();
    for a in DocId::all(of_first) {
        let group = pairs.groups.representative(a);
        partners.clear();
        let mut add = |group: DocId, pair: FoundPair, reason: fn(&Corpus, [DocId; 2]) -> Reason| {
            let later = members.get(group.index());
            let later = &later[later.partition_point(|&member| member <= a || member.index() < references)..];
            partners.extend(later.iter().map(|&b| FoundPair { b, reason: reason(corpus, [a, b]), ..pair }));
        };
        let similarity = measure.similarity_of_equals(corpus.sets.size(a));
        let equal = FoundPair { a, b: a, similarity, reason: Reason::Equal, containments: Some([1.0; 2]) };
        add(group, equal, |corpus, pair| Reason::of_equal(corpus.is_same_text(pair)));
        for &pair in neighbours.get(group.index()) {
            let VerifiedPair { b, found, .. } = pair.into();
            let containments = found.overlap().map(Overlap::containments);
            let near = FoundPair { a, b, similarity: measure.similarity(found), reason: Reason::Near, containments };
            add(b, near, |_, _| Reason::Near);
        }
        partners.sort_unstable_by_key(|pair| pair.b);
        partners.iter().try_for_each(|&pair| visit(pair))?;
    }
    Ok(())
}

/// The pairs of each document, by document: each pair of groups from both sides, with the document as `a`.
fn neighbours(pairs: &Pairs, session: &Session<'_>) -> Result<Ragged<PackedPair>> {
    let mut both = ExternalSort::new(&session.spill, Repeats::Kept, session.spill.budget().share(Share::PairsBothWays));
    let mut offsets = vec![0; pairs.groups.len() + 1];
    for (pair, row) in pairs.joined.pairs().zip(0..) {
        check_sometimes(row, session)?;
        let VerifiedPair { a, b, found } = pair;
        both.extend([pair, VerifiedPair { a: b, b: a, found: found.turned() }].map(PackedPair::from))?;
        offsets[a.index() + 1] += 1;
        offsets[b.index() + 1] += 1;
    }
    for document in 1..offsets.len() {
        offsets[document] += offsets[document - 1];
    }
    Ok(Ragged::from_parts(offsets, both.finish()?)?)
}

/// The output of clusters, in its staging file until it is published.
pub(crate) enum ClusterOutput {
    Rows(RowWriter),
    Json(Box<AtomicFile>),
}

impl ClusterOutput {
    /// Begins the output, in the layout that the outputs ask for, else the one that the extension of `path` names.
    pub(crate) fn create(path: &Path, outputs: &Outputs, staging: &Staging) -> Result<Self> {
        let Outputs { clusters, row_format, row_sources, .. } = *outputs;
        Ok(match clusters.unwrap_or_else(|| layout_of(path)) {
            ClusterLayout::Rows => {
                Self::Rows(RowWriter::create_with(path, row_format, &ClusterRow::header(row_sources), staging)?)
            }
            ClusterLayout::Json => {
                RecordFormat::JsonArray.check_extension(path)?;
                Self::Json(Box::new(AtomicFile::create_with(path, staging)?))
            }
        })
    }

    /// Lets rows say what they depend on, where their format has a place for it.
    pub(crate) fn describe(mut self, basis: &str) -> Self {
        if let Self::Rows(writer) = &mut self {
            writer.describe(basis);
        }
        self
    }

    /// Writes all clusters, as a stage.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub(crate) fn write_as_stage(
        self,
        names: &RowNames<'_>,
        clusters: &[Cluster],
        session: &Session<'_>,
    ) -> Result<Sealed> {
        session.stage(Stage::over_documents("writing", names.len()), || self.write(names, clusters, session))
    }

    /// Writes all clusters.
    ///
    /// # Errors
    /// If the output cannot be written, or the job is cancelled; then it does not appear.
    pub(crate) fn write(self, names: &RowNames<'_>, clusters: &[Cluster], session: &Session<'_>) -> Result<Sealed> {
        match self {
            Self::Rows(writer) => write_cluster_rows(writer, names, clusters, session),
            Self::Json(file) => write_cluster_groups(*file, names, clusters, session),
        }
    }
}

fn layout_of(path: &Path) -> ClusterLayout {
    let is_json = path.extension().and_then(OsStr::to_str).is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    if is_json { ClusterLayout::Json } else { ClusterLayout::Rows }
}

/// Writes a row for each member of each cluster.
///
/// # Errors
/// If the output cannot be written, or the job is cancelled; then it does not appear.
fn write_cluster_rows(
    mut writer: RowWriter,
    names: &RowNames<'_>,
    clusters: &[Cluster],
    session: &Session<'_>,
) -> Result<Sealed> {
    for (cluster, found) in clusters.iter().enumerate() {
        check_sometimes(cluster as u64, session)?;
        for &member in &found.members {
            let (id, source) = (names.id(member).into(), names.source(member));
            writer.write(&ClusterRow { cluster: cluster as u64, id, source })?;
        }
    }
    Ok(writer.seal()?)
}

/// Writes the clusters as one JSON array of objects with the ids of their members.
///
/// # Errors
/// If the output cannot be written, or the job is cancelled; then it does not appear.
fn write_cluster_groups(
    mut file: AtomicFile,
    names: &RowNames<'_>,
    clusters: &[Cluster],
    session: &Session<'_>,
) -> Result<Sealed> {
    file.write(b"[")?;
    for (cluster, found) in clusters.iter().enumerate() {
        check_sometimes(cluster as u64, session)?;
        let ids = found.members.iter().map(|&member| names.id(member)).collect();
        let sources = found.members.iter().map(|&member| names.source(member)).collect();
        file.write(if cluster == 0 { b"\n" } else { b",\n" })?;
        file.write(lookalike_io::to_json(&ClusterGroup { cluster, ids, sources })?.as_bytes())?;
    }
    file.write(b"\n]\n")?;
    Ok(file.seal()?)
}

/// Writes a row for each removed document, in input order.
pub(crate) fn write_removed(
    mut writer: RowWriter,
    names: &RowNames<'_>,
    (decisions, measure): (&[Decision], Measure),
    session: &Session<'_>,
) -> Result<Sealed> {
    for (document, decision) in names.documents().zip(decisions) {
        check_sometimes(document.0.into(), session)?;
        if let Decision::Removed { kept, similarity, reason } = *decision {
            let documents = [document, kept];
            let figure = PairFigure::of(measure.figure(), similarity);
            let row = RemovalRow::new(documents.map(|document| names.id(document)), figure, reason);
            writer.write(&row.with_sources(documents.map(|document| names.source(document))))?;
        }
    }
    Ok(writer.seal()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline;
    use crate::testing::{jaccard, session};
    use lookalike_core::features::Features;
    use lookalike_core::method::Method;

    #[test]
    fn pairs_of_equal_documents_are_written_out_in_order() {
        let (measure, session) = (jaccard("0.5"), session());
        let near = "one two three four five six seven eight nine";
        let nearer = "one two three four five six seven eight ten";
        let texts = [("a", near), ("b", "else"), ("c", nearer), ("d", near), ("e", "Else!"), ("f", nearer)];
        let corpus = Corpus::from_texts(&Features::default(), texts).unwrap();
        let pairs = pipeline::pairs(&corpus, measure, Method::default(), &session).unwrap();
        let mut found = Vec::new();
        for_each_pair(&pairs, &corpus, measure, &session, |FoundPair { a, b, similarity, reason, .. }| {
            let [a, b] = [a, b].map(|document| corpus.listing.ids.get(document));
            found.push(format!("{a}{b} {similarity:.2} {}", reason.name()));
            Ok(())
        })
        .unwrap();
        let expected = [
            "ac 0.67 near",
            "ad 1.00 identical",
            "af 0.67 near",
            "be 1.00 equal",
            "cd 0.67 near",
            "cf 1.00 identical",
            "df 0.67 near",
        ];
        assert_eq!(found, expected);
    }
}

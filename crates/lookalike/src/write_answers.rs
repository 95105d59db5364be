//! Writing pairs, clusters and removals as rows.

use crate::corpus::Corpus;
use crate::error::Result;
use crate::pipeline::Pairs;
use crate::session::Session;
use lookalike_core::DocId;
use lookalike_core::decide::{Cluster, Decision, Reason};
use lookalike_core::equal_sets::Members;
use lookalike_io::{AtomicFile, RowField, RowWriter, Sealed};
use serde::Serialize;

/// Fields of the rows of pairs.
pub const PAIRS_HEADER: &[RowField] = &[RowField::text("a"), RowField::text("b"), RowField::number("similarity")];
/// Fields of the rows of clusters.
pub const CLUSTERS_HEADER: &[RowField] = &[RowField::count("cluster"), RowField::text("key")];
pub(crate) const REMOVED_HEADER: &[RowField] =
    &[RowField::text("key"), RowField::text("kept"), RowField::number("similarity"), RowField::text("reason")];

#[derive(Serialize)]
struct PairRow<'a> {
    a: &'a str,
    b: &'a str,
    similarity: f64,
}

#[derive(Serialize)]
struct ClusterRow<'a> {
    cluster: usize,
    key: &'a str,
}

#[derive(Serialize)]
struct ClusterGroup<'a> {
    cluster: usize,
    keys: Vec<&'a str>,
}

#[derive(Serialize)]
struct RemovedRow<'a> {
    key: &'a str,
    kept: &'a str,
    similarity: f64,
    reason: &'static str,
}

/// Writes all pairs of documents, sorted by the input order of the first and then of the second; returns their number.
///
/// Pairs of documents with equal sets are made while writing: a group of n equal documents has n (n - 1) / 2 of them.
///
/// # Errors
/// If the output cannot be written, or the job is cancelled; then it does not appear.
pub fn write_pairs(
    mut writer: RowWriter,
    corpus: &Corpus,
    pairs: &Pairs,
    session: &Session<'_>,
) -> Result<(Sealed, u64)> {
    let mut count = 0;
    for_each_pair(corpus.len(), pairs, |a, b, similarity| {
        count += 1;
        check_sometimes(count, session)?;
        Ok(writer.write(&PairRow { a: corpus.keys.get(a), b: corpus.keys.get(b), similarity })?)
    })?;
    Ok((writer.seal()?, count))
}

/// Ends the job between rows if the user wants that.
fn check_sometimes(row: u64, session: &Session<'_>) -> Result<()> {
    if row.is_multiple_of(1024) { session.stages.check() } else { Ok(()) }
}

/// Calls `visit` with each pair of documents, a before b, sorted.
fn for_each_pair(
    documents: usize,
    pairs: &Pairs,
    mut visit: impl FnMut(DocId, DocId, f64) -> Result<()>,
) -> Result<()> {
    let members = pairs.groups.members();
    let neighbours = neighbours(documents, pairs);
    let mut partners: Vec<(DocId, f64)> = Vec::new();
    for a in DocId::all(documents) {
        let group = pairs.groups.representative(a);
        partners.clear();
        let mut add = |group: DocId, similarity: f64, members: &Members| {
            let later = members.of(group);
            let later = &later[later.partition_point(|&member| member <= a)..];
            partners.extend(later.iter().map(|&b| (b, similarity)));
        };
        add(group, 1.0, &members);
        let first = neighbours.partition_point(|&(from, _, _)| from < group);
        for &(_, to, similarity) in neighbours[first..].iter().take_while(|&&(from, _, _)| from == group) {
            add(to, similarity, &members);
        }
        partners.sort_unstable_by_key(|&(b, _)| b);
        partners.iter().try_for_each(|&(b, similarity)| visit(a, b, similarity))?;
    }
    Ok(())
}

/// Each pair of groups from both sides, sorted by the first.
fn neighbours(documents: usize, pairs: &Pairs) -> Vec<(DocId, DocId, f64)> {
    debug_assert_eq!(documents, pairs.groups.len());
    let both = |pair: &lookalike_core::verify::VerifiedPair| {
        let similarity = pair.overlap.jaccard();
        [(pair.a, pair.b, similarity), (pair.b, pair.a, similarity)]
    };
    let mut all: Vec<_> = pairs.joined.pairs.iter().flat_map(both).collect();
    all.sort_unstable_by_key(|&(from, to, _)| (from, to));
    all
}

/// Writes a row for each member of each cluster.
///
/// # Errors
/// If the output cannot be written, or the job is cancelled; then it does not appear.
pub fn write_cluster_rows(
    mut writer: RowWriter,
    corpus: &Corpus,
    clusters: &[Cluster],
    session: &Session<'_>,
) -> Result<Sealed> {
    for (cluster, found) in clusters.iter().enumerate() {
        check_sometimes(cluster as u64, session)?;
        for &member in &found.members {
            writer.write(&ClusterRow { cluster, key: corpus.keys.get(member) })?;
        }
    }
    Ok(writer.seal()?)
}

/// Writes the clusters as one JSON array of objects with the keys of their members.
///
/// # Errors
/// If the output cannot be written, or the job is cancelled; then it does not appear.
pub fn write_cluster_groups(
    mut file: AtomicFile,
    corpus: &Corpus,
    clusters: &[Cluster],
    session: &Session<'_>,
) -> Result<Sealed> {
    file.write(b"[")?;
    for (cluster, found) in clusters.iter().enumerate() {
        check_sometimes(cluster as u64, session)?;
        let keys = found.members.iter().map(|&member| corpus.keys.get(member)).collect();
        file.write(if cluster == 0 { b"\n" } else { b",\n" })?;
        file.write(lookalike_io::to_json(&ClusterGroup { cluster, keys })?.as_bytes())?;
    }
    file.write(b"\n]\n")?;
    Ok(file.seal()?)
}

/// Writes a row for each removed document, in input order.
pub(crate) fn write_removed(
    mut writer: RowWriter,
    corpus: &Corpus,
    decisions: &[Decision],
    session: &Session<'_>,
) -> Result<Sealed> {
    for (document, decision) in corpus.ids().zip(decisions) {
        if let Decision::Removed { kept, similarity, reason } = *decision {
            check_sometimes(document.0.into(), session)?;
            let reason = match reason {
                Reason::Exact => "exact",
                Reason::Near => "near",
            };
            let (key, kept) = (corpus.keys.get(document), corpus.keys.get(kept));
            writer.write(&RemovedRow { key, kept, similarity, reason })?;
        }
    }
    Ok(writer.seal()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::pipeline;
    use crate::progress::Silent;
    use crate::session::Session;

    #[test]
    fn pairs_of_equal_documents_are_written_out_in_order() {
        let options = Options { threshold: "0.5".parse().unwrap(), ..Options::default() };
        let session = Session::new(&options, &Silent).unwrap();
        let near = "one two three four five six seven eight nine";
        let nearer = "one two three four five six seven eight ten";
        let texts = [("a", near), ("b", "else"), ("c", nearer), ("d", near), ("e", "Else!"), ("f", nearer)];
        let corpus = Corpus::from_texts(&options, texts).unwrap();
        let pairs = pipeline::pairs(&corpus, &session).unwrap();
        let mut found = Vec::new();
        for_each_pair(corpus.len(), &pairs, |a, b, similarity| {
            found.push(format!("{}{} {similarity:.2}", corpus.keys.get(a), corpus.keys.get(b)));
            Ok(())
        })
        .unwrap();
        assert_eq!(found, ["ac 0.67", "ad 1.00", "af 0.67", "be 1.00", "cd 0.67", "cf 1.00", "df 0.67"]);
    }
}

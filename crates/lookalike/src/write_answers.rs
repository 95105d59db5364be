//! Writing pairs, clusters and removals as rows.

use crate::answers::Pairs;
use crate::corpus::Corpus;
use crate::error::Result;
use crate::join::{PackedPair, pack, unpack};

use crate::session::Session;
use crate::spill::ExternalSort;
use lookalike_core::DocId;
use lookalike_core::array::Array;
use lookalike_core::decide::{Cluster, Decision, Reason};
use lookalike_core::equal_sets::Members;
use lookalike_core::similarity::Overlap;
use lookalike_core::verify::VerifiedPair;
use lookalike_io::{AtomicFile, RowWriter, Sealed};
use serde::Serialize;

/// Fields of the rows of pairs.
pub const PAIRS_HEADER: &[&str] = &["a", "b", "similarity"];
/// Fields of the rows of clusters.
pub const CLUSTERS_HEADER: &[&str] = &["cluster", "key"];
pub(crate) const REMOVED_HEADER: &[&str] = &["key", "kept", "similarity", "reason"];

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
    for_each_pair(pairs, session, |a, b, similarity| {
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
    pairs: &Pairs,
    session: &Session<'_>,
    mut visit: impl FnMut(DocId, DocId, f64) -> Result<()>,
) -> Result<()> {
    let members = pairs.groups.members();
    let neighbours = Neighbours::new(pairs, session)?;
    let mut partners: Vec<(DocId, f64)> = Vec::new();
    for a in DocId::all(pairs.groups.len()) {
        let group = pairs.groups.representative(a);
        partners.clear();
        let mut add = |group: DocId, similarity: f64, members: &Members| {
            let later = members.of(group);
            let later = &later[later.partition_point(|&member| member <= a)..];
            partners.extend(later.iter().map(|&b| (b, similarity)));
        };
        add(group, 1.0, &members);
        for pair in neighbours.of(group) {
            add(pair.b, pair.overlap.jaccard(), &members);
        }
        partners.sort_unstable_by_key(|&(b, _)| b);
        partners.iter().try_for_each(|&(b, similarity)| visit(a, b, similarity))?;
    }
    Ok(())
}

/// Each pair of groups from both sides.
struct Neighbours {
    /// Sorted.
    pairs: Array<PackedPair>,
    /// By document: where its pairs end.
    ends: Vec<usize>,
}

impl Neighbours {
    fn new(pairs: &Pairs, session: &Session<'_>) -> Result<Self> {
        let mut both = ExternalSort::new(&session.spill, session.spill.share(16));
        let mut ends = vec![0; pairs.groups.len()];
        for VerifiedPair { a, b, overlap } in pairs.joined.pairs() {
            let turned = Overlap { left: overlap.right, right: overlap.left, ..overlap };
            both.extend([VerifiedPair { a, b, overlap }, VerifiedPair { a: b, b: a, overlap: turned }].map(pack))?;
            ends[a.index()] += 1;
            ends[b.index()] += 1;
        }
        for document in 1..ends.len() {
            ends[document] += ends[document - 1];
        }
        Ok(Self { pairs: both.finish()?, ends })
    }

    /// The pairs of a document, each with it as `a`.
    fn of(&self, document: DocId) -> impl Iterator<Item = VerifiedPair> {
        let index = document.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        self.pairs.slice(start..self.ends[index]).iter().map(|&pair| unpack(pair))
    }
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
        for_each_pair(&pairs, &session, |a, b, similarity| {
            found.push(format!("{}{} {similarity:.2}", corpus.keys.get(a), corpus.keys.get(b)));
            Ok(())
        })
        .unwrap();
        assert_eq!(found, ["ac 0.67", "ad 1.00", "af 0.67", "be 1.00", "cd 0.67", "cf 1.00", "df 0.67"]);
    }
}

//! Pairs as rows: all of them in input order, or the most similar ones.

use super::most_similar::MostSimilar;
use super::row_names::RowNames;
use crate::corpus::Corpus;
use crate::decide::{PackedPair, Pairs, SimilarityBins};
use crate::ground::{Result, Stage};
use crate::job::Outputs;
use crate::run::Session;
use crate::spill::{ExternalSort, Repeats, Share};
use lookalike_core::measure::{Figure, Measure, Overlap, VerifiedPair};
use lookalike_core::rule::Reason;
use lookalike_core::{DocId, Ragged};
use lookalike_io::{PairFigure, PairRow, RowWriter, Sealed, Staging};
use std::path::Path;

/// Where the rows of pairs go, and which.
pub(crate) struct PairOutput {
    target: Target,
    /// `None` if all pairs are listed.
    most_similar: Option<MostSimilar>,
}

enum Target {
    /// A file, in its staging file until it is published.
    File(RowWriter),
    /// The report of the job.
    Report(Vec<PairRow<'static>>),
}

/// The rows of pairs, and the number of all pairs by similarity.
pub(crate) struct ListedPairs {
    /// The file of rows.
    pub(crate) file: Option<Sealed>,
    /// The rows, if they go to the report.
    pub(crate) rows: Vec<PairRow<'static>>,
    pub(crate) bins: SimilarityBins,
}

impl PairOutput {
    /// Begins the file of rows, or the list in the report if there is no path.
    pub(crate) fn create(path: Option<&Path>, outputs: &Outputs, figure: Figure, staging: &Staging) -> Result<Self> {
        let target = match path {
            Some(path) => {
                let header = PairRow::header(figure, outputs.row_sources);
                Target::File(RowWriter::create_with(path, outputs.row_format, &header, staging)?)
            }
            None => Target::Report(Vec::new()),
        };
        Ok(Self { target, most_similar: outputs.top.map(MostSimilar::new) })
    }

    /// Lets rows say what they depend on, where their format has a place for it.
    pub(crate) fn describe(mut self, basis: &str) -> Self {
        if let Target::File(writer) = &mut self.target {
            writer.describe(basis);
        }
        self
    }

    /// Writes pairs of documents as a stage: all of them, sorted by the input order of the first and then of the
    /// second, or the most similar ones, these first.
    ///
    /// Pairs of documents with equal sets are made while writing: a group of n equal documents has n (n - 1) / 2 of
    /// them.
    ///
    /// # Errors
    /// If the output cannot be written, or the job is cancelled; then it does not appear.
    pub(crate) fn write_as_stage(
        self,
        names: &RowNames<'_>,
        (corpus, pairs): (&Corpus, &Pairs),
        measure: Measure,
        session: &Session<'_>,
    ) -> Result<ListedPairs> {
        let Self { mut target, mut most_similar } = self;
        let (documents, figure) = (corpus.listing.len(), measure.figure());
        session.stage(Stage::over_documents(Stage::WRITING, documents), || {
            let (mut bins, mut count, mut done) = (SimilarityBins::default(), 0, 0);
            for_each_pair(pairs, corpus, measure, session, |pair| {
                count += 1;
                bins.add(pair.similarity);
                session.stages.check_sometimes(count)?;
                session.stages.progress.advance(u64::from(pair.a.0) - done);
                done = pair.a.0.into();
                match &mut most_similar {
                    Some(most_similar) => most_similar.offer(pair),
                    None => target.add(pair.row(names, figure))?,
                }
                Ok(())
            })?;
            let listed = most_similar.map(MostSimilar::into_sorted).unwrap_or_default();
            listed.iter().try_for_each(|pair| target.add(pair.row(names, figure)))?;
            session.stages.progress.advance(documents as u64 - done);
            Ok(match target {
                Target::File(writer) => ListedPairs { file: Some(writer.seal()?), rows: Vec::new(), bins },
                Target::Report(rows) => ListedPairs { file: None, rows, bins },
            })
        })
    }
}

impl Target {
    fn add(&mut self, row: PairRow<'_>) -> Result<()> {
        match self {
            Self::File(writer) => writer.write(&row)?,
            Self::Report(rows) => rows.push(row.into_owned()),
        }
        Ok(())
    }
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
        session.stages.check_sometimes(row)?;
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

//! The pairs of documents that follow from the pairs of groups.

use super::row_names::RowNames;
use crate::corpus::Corpus;
use crate::decide::{PackedPair, Pairs};
use crate::ground::Result;
use crate::run::Session;
use crate::spill::{ExternalSort, Repeats, Share};
use lookalike_core::measure::{Figure, Measure, Overlap, VerifiedPair};
use lookalike_core::method::EstimateIntervals;
use lookalike_core::rule::Reason;
use lookalike_core::{Array, DocId, Ragged};
use lookalike_io::{PairFigure, PairRow};

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
    /// The interval of the similarity, with a confidence of 95 %, where it is an estimate.
    pub interval: Option<(f64, f64)>,
}

impl FoundPair {
    /// The row of the pair.
    pub(super) fn row<'l>(&self, names: &RowNames<'l>, figure: Figure) -> PairRow<'l> {
        let documents = [self.a, self.b];
        let row = PairRow::new(documents.map(|d| names.id(d)), PairFigure::of(figure, self.similarity), self.reason);
        let row = row.with_sources(documents.map(|document| names.source(document)));
        match (self.containments, self.interval) {
            (Some(containments), _) if figure == Figure::Containment => row.with_containments(containments),
            (_, Some(interval)) => row.with_interval(interval),
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
    let neighbours = Neighbours::new(pairs, &members, session)?;
    let mut partners: Vec<FoundPair> = Vec::new();
    let (are_estimates, mut intervals) = (measure.is_estimate(), EstimateIntervals::default());
    let mut interval = |overlap: Option<Overlap>| Some(intervals.of(overlap.filter(|_| are_estimates)?));
    for a in DocId::all(of_first) {
        let group = pairs.groups.representative(a);
        partners.clear();
        let mut add = |group: DocId, pair: FoundPair, reason: fn(&Corpus, [DocId; 2]) -> Reason| {
            let later = members.get(group.index());
            let later = &later[later.partition_point(|&member| member <= a || member.index() < references)..];
            partners.extend(later.iter().map(|&b| FoundPair { b, reason: reason(corpus, [a, b]), ..pair }));
        };
        let size = corpus.sets.size(a);
        let similarity = measure.similarity_of_equals(size);
        let of_equals = interval(Some(Overlap { common: size, left: size, right: size }));
        let (reason, containments) = (Reason::Equal, Some([1.0; 2]));
        let equal = FoundPair { a, b: a, similarity, reason, containments, interval: of_equals };
        add(group, equal, |corpus, pair| Reason::of_equal(corpus.is_same_text(pair)));
        for VerifiedPair { b, found, .. } in neighbours.of(group) {
            let (overlap, similarity) = (found.overlap(), measure.similarity(found));
            let (containments, interval) = (overlap.map(Overlap::containments), interval(overlap));
            let near = FoundPair { a, b, similarity, reason: Reason::Near, containments, interval };
            add(b, near, |_, _| Reason::Near);
        }
        partners.sort_unstable_by_key(|pair| pair.b);
        partners.iter().try_for_each(|&pair| visit(pair))?;
    }
    Ok(())
}

/// The pairs of groups by group, which is the `a` of its pairs.
struct Neighbours<'a> {
    /// All pairs, sorted, and by `a` where those of each group begin.
    pairs: &'a Array<PackedPair>,
    starts: Vec<u64>,
    /// Pairs turned round: those from whose second group a later member of the first can be met.
    turned: Ragged<PackedPair>,
}

impl<'a> Neighbours<'a> {
    fn new(pairs: &'a Pairs, members: &Ragged<DocId>, session: &Session<'_>) -> Result<Self> {
        let (spill, groups) = (&session.spill, pairs.groups.len());
        let mut turned = ExternalSort::new(spill, Repeats::Kept, spill.budget().share(Share::PairsBothWays));
        let (mut starts, mut turned_starts) = (vec![0; groups + 1], vec![0; groups + 1]);
        for (VerifiedPair { a, b, found }, row) in pairs.joined.pairs().zip(0..) {
            session.stages.check_sometimes(row)?;
            starts[a.index() + 1] += 1;
            // Of groups with one member each, none can be met so: the first comes first.
            if members.get(a.index()).last() > members.get(b.index()).first() {
                turned.extend([PackedPair::from(VerifiedPair { a: b, b: a, found: found.turned() })])?;
                turned_starts[b.index() + 1] += 1;
            }
        }
        for group in 1..starts.len() {
            starts[group] += starts[group - 1];
            turned_starts[group] += turned_starts[group - 1];
        }
        let turned = Ragged::from_parts(turned_starts, turned.finish()?)?;
        Ok(Self { pairs: &pairs.joined.pairs, starts, turned })
    }

    fn of(&self, group: DocId) -> impl Iterator<Item = VerifiedPair> {
        let range = self.starts[group.index()] as usize..self.starts[group.index() + 1] as usize;
        let turned = self.turned.get(group.index());
        self.pairs.slice(range).iter().chain(turned).map(|&pair| pair.into())
    }
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

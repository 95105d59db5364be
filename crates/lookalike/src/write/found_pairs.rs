//! The pairs of documents that follow from the pairs of groups.

use super::row_names::RowNames;
use crate::corpus::Corpus;
use crate::decide::{PackedPair, Pairs};
use crate::ground::Result;
use crate::run::Session;
use crate::spill::{ExternalSort, Repeats, Share};
use lookalike_core::measure::{EqualSets, Figure, Measure, Overlap, VerifiedPair};
use lookalike_core::method::EstimateIntervals;
use lookalike_core::rule::Reason;
use lookalike_core::{Array, DocId, Ragged, prefix_sums};
use lookalike_io::{PairFigure, PairRow};

/// Number of pairs whose places are found at once, for those who look them up one by one.
const BATCH_PAIRS: usize = 1 << 10;

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

/// The pairs of documents, a before b, sorted. Beside references, these are the pairs of a reference and another
/// document.
///
/// They are found in two steps, because the pairs of a group of n equal documents are n (n - 1) / 2: one thread goes
/// through the places of pairs in order, a batch at a time, and any thread looks up what stands there.
pub(crate) struct FoundPairs<'a> {
    corpus: &'a Corpus,
    measure: Measure,
    groups: &'a EqualSets,
    /// The documents of each group.
    members: Ragged<DocId>,
    neighbours: Neighbours<'a>,
}

/// Where a pair of documents was found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairPlace {
    pub(crate) a: DocId,
    pub(crate) b: DocId,
    /// The number of b's group among the neighbours of a's; `None` if a and b are in one group.
    neighbour: Option<u32>,
}

impl<'a> FoundPairs<'a> {
    /// The pairs of documents in `pairs` of groups.
    ///
    /// # Errors
    /// If temporary files cannot be written, or the job is cancelled.
    pub(crate) fn new(pairs: &'a Pairs, corpus: &'a Corpus, measure: Measure, session: &Session<'_>) -> Result<Self> {
        let members = pairs.groups.members();
        let neighbours = Neighbours::new(pairs, &members, session)?;
        Ok(Self { corpus, measure, groups: &pairs.groups, members, neighbours })
    }

    /// Calls `visit` with each pair, in order.
    pub(crate) fn for_each(&self, session: &Session<'_>, mut visit: impl FnMut(FoundPair) -> Result<()>) -> Result<()> {
        let mut intervals = EstimateIntervals::default();
        for (place, row) in self.batches(BATCH_PAIRS).flatten().zip(0..) {
            session.stages.check_sometimes(row)?;
            visit(self.at(place, &mut intervals))?;
        }
        Ok(())
    }

    /// The places of all pairs, in order, in batches of `pairs`; the last one is smaller.
    pub(crate) fn batches(&self, pairs: usize) -> impl Iterator<Item = Vec<PairPlace>> {
        let references = self.corpus.listing.references;
        let of_first = if references == 0 { self.groups.len() } else { references };
        let (mut documents, mut partners) = (DocId::all(of_first), Vec::new().into_iter());
        std::iter::from_fn(move || {
            let mut batch = Vec::with_capacity(pairs);
            while batch.len() < pairs {
                batch.extend(partners.by_ref().take(pairs - batch.len()));
                if partners.len() == 0 {
                    let Some(a) = documents.next() else { break };
                    partners = self.partners_of(a);
                }
            }
            Some(batch).filter(|batch| !batch.is_empty())
        })
    }

    /// The places of the pairs of which `a` is the first document, by their second one.
    fn partners_of(&self, a: DocId) -> std::vec::IntoIter<PairPlace> {
        let (group, references) = (self.groups.representative(a), self.corpus.listing.references);
        let neighbours = self.neighbours.of(group).zip(0..).map(|(pair, number)| (pair.b(), Some(number)));
        let mut partners = Vec::new();
        for (group, neighbour) in [(group, None)].into_iter().chain(neighbours) {
            let members = self.members.get(group.index());
            let later = &members[members.partition_point(|&b| b <= a || b.index() < references)..];
            partners.extend(later.iter().map(|&b| PairPlace { a, b, neighbour }));
        }
        partners.sort_unstable_by_key(|place| place.b);
        partners.into_iter()
    }

    /// The pair at a place.
    pub(crate) fn at(&self, PairPlace { a, b, neighbour }: PairPlace, intervals: &mut EstimateIntervals) -> FoundPair {
        let (corpus, measure) = (self.corpus, self.measure);
        let (similarity, reason, overlap) = match neighbour {
            None => {
                let size = corpus.sets.size(a);
                let reason = Reason::of_equal(corpus.is_same_text([a, b]));
                (measure.similarity_of_equals(size), reason, Some(Overlap { common: size, left: size, right: size }))
            }
            Some(number) => {
                let found = VerifiedPair::from(self.neighbours.nth(self.groups.representative(a), number)).found;
                (measure.similarity(found), Reason::Near, found.overlap())
            }
        };
        let containments = match neighbour {
            // Also of empty sets.
            None => Some([1.0; 2]),
            Some(_) => overlap.map(Overlap::containments),
        };
        let interval = overlap.filter(|_| measure.is_estimate()).map(|overlap| intervals.of(overlap));
        FoundPair { a, b, similarity, reason, containments, interval }
    }
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
        prefix_sums(&mut starts);
        prefix_sums(&mut turned_starts);
        let turned = Ragged::from_parts(turned_starts, turned.finish()?)?;
        Ok(Self { pairs: &pairs.joined.pairs, starts, turned })
    }

    fn of(&self, group: DocId) -> impl Iterator<Item = &PackedPair> {
        let (pairs, turned) = self.parts_of(group);
        pairs.iter().chain(turned)
    }

    /// The pair of a group with its neighbour of this number, counted as in [`Self::of`].
    fn nth(&self, group: DocId, number: u32) -> PackedPair {
        let (pairs, turned) = self.parts_of(group);
        let number = number as usize;
        if number < pairs.len() { pairs[number] } else { turned[number - pairs.len()] }
    }

    fn parts_of(&self, group: DocId) -> (&[PackedPair], &[PackedPair]) {
        let range = self.starts[group.index()] as usize..self.starts[group.index() + 1] as usize;
        (self.pairs.slice(range), self.turned.get(group.index()))
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
        let all = FoundPairs::new(&pairs, &corpus, measure, &session).unwrap();
        all.for_each(&session, |FoundPair { a, b, similarity, reason, .. }| {
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
        for (size, batches) in [(1, vec![1; 7]), (3, vec![3, 3, 1]), (7, vec![7]), (8, vec![7])] {
            assert!(all.batches(size).map(|batch| batch.len()).eq(batches), "batches of {size}");
            let places = all.batches(size).flatten().map(|PairPlace { a, b, .. }| (a, b));
            assert!(places.eq(all.batches(100).flatten().map(|PairPlace { a, b, .. }| (a, b))));
        }
    }
}

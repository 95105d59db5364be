//! The pairs of documents that follow from the pairs of groups.

use super::rows::RowNames;
use crate::base::Result;
use crate::corpus::Corpus;
use crate::decide::{FoldedPairs, PackedPair};
use crate::run::Session;
use crate::spill::{ExternalSort, Repeats, Share};
use lookalike_core::comparison::{EqualSets, Measure, VerifiedPair};
use lookalike_core::rule::Reason;
use lookalike_core::signatures::EstimateIntervals;
use lookalike_core::similarity::{Agreement, Figure, Overlap};
use lookalike_core::{Array, DocId, Ragged, prefix_sums};
use lookalike_io::rows::{Figures, PairRow, Verified};

/// A pair of documents, a before b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundPair {
    /// The earlier document.
    pub a: DocId,
    /// The later document.
    pub b: DocId,
    /// Result of their verification.
    pub verified: Verified,
    /// Reason of the pair.
    pub reason: Reason,
}

impl FoundPair {
    /// The row of the pair.
    pub(super) fn row<'l>(&self, names: &RowNames<'l>, figure: Figure) -> PairRow<'l> {
        let documents = [self.a, self.b];
        let figures = Figures::new(figure, self.verified);
        let row = PairRow::new(documents.map(|document| names.id(document)), figures, self.reason);
        PairRow { sources: documents.map(|document| names.source(document)), ..row }
    }
}

/// The pairs of documents, a before b, sorted. Beside references, these are the pairs of a reference and another
/// document.
///
/// They are found in two steps: where a pair is found is cheap, and must come in order, one batch of locations after
/// the other; looking up what is found there takes longer, and any thread can do it. A document with a million equal
/// ones has a million pairs: so the unit of work is a number of pairs, not a document.
pub(crate) struct FoundPairs<'a> {
    corpus: &'a Corpus,
    measure: Measure,
    groups: &'a EqualSets,
    /// The documents of each group.
    members: Ragged<DocId>,
    neighbours: Neighbours<'a>,
}

/// Location of a pair of documents.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairLocation {
    pub(crate) a: DocId,
    pub(crate) b: DocId,
    /// The pair of their groups, by its number in [`Neighbours`]; `None` if a and b are in one group.
    groups: Option<usize>,
}

impl<'a> FoundPairs<'a> {
    /// The pairs of documents in `pairs` of groups.
    ///
    /// # Errors
    /// If temporary files cannot be written, or the job is cancelled.
    pub(crate) fn new(
        pairs: &'a FoldedPairs,
        corpus: &'a Corpus,
        measure: Measure,
        session: &Session<'_>,
    ) -> Result<Self> {
        let members = pairs.groups.members();
        let neighbours = Neighbours::new(pairs, &members, session)?;
        Ok(Self { corpus, measure, groups: &pairs.groups, members, neighbours })
    }

    /// Number of pairs that are located at once: some tenths of a millisecond of work, and some hundred kilobytes with
    /// their rows.
    pub(crate) const BATCH: usize = 1 << 10;

    /// Calls `visit` with each pair, in order.
    pub(crate) fn for_each(&self, session: &Session<'_>, mut visit: impl FnMut(FoundPair) -> Result<()>) -> Result<()> {
        let mut intervals = EstimateIntervals::default();
        for (location, row) in self.batches(Self::BATCH).flatten().zip(0..) {
            session.stages.check_sometimes(row)?;
            visit(self.at(location, &mut intervals))?;
        }
        Ok(())
    }

    /// The locations of all pairs, in order, in batches of `pairs`; the last one may have fewer.
    pub(crate) fn batches(&self, pairs: usize) -> impl Iterator<Item = Vec<PairLocation>> {
        let references = self.corpus.listing.references;
        let of_first = if references == 0 { self.groups.len() } else { references };
        let mut documents = DocId::all(of_first);
        let mut partners = Vec::new().into_iter();
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

    /// The locations of the pairs of which `a` is the first document, by their second one.
    fn partners_of(&self, a: DocId) -> std::vec::IntoIter<PairLocation> {
        let group = self.groups.representative(a);
        let references = self.corpus.listing.references;
        let neighbours = self.neighbours.of_group(group).map(|(number, group)| (group, Some(number)));
        let mut partners = Vec::new();
        for (group, groups) in [(group, None)].into_iter().chain(neighbours) {
            let members = self.members.get(group.index());
            let later = &members[members.partition_point(|&b| b <= a || b.index() < references)..];
            partners.extend(later.iter().map(|&b| PairLocation { a, b, groups }));
        }
        partners.sort_unstable_by_key(|location| location.b);
        partners.into_iter()
    }

    /// The pair at a location.
    pub(crate) fn at(&self, location: PairLocation, intervals: &mut EstimateIntervals) -> FoundPair {
        let PairLocation { a, b, groups } = location;
        let measure = self.measure;
        let (similarity, reason, overlap, containments) = match groups {
            None => {
                let size = self.corpus.sets.size(a);
                let overlap = Overlap { common: size, left: size, right: size };
                let reason = Reason::of_equal(self.corpus.is_same_text([a, b]));
                (measure.similarity_of_equals(size), reason, Some(overlap), Some([1.0; 2]))
            }
            Some(number) => {
                let found = self.neighbours.found(number);
                let overlap = found.overlap();
                let similarity = measure.similarity(found);
                let is_uncertain = measure.is_estimate() && !measure.is_reached_by(similarity);
                let reason = if is_uncertain { Reason::Uncertain } else { Reason::Near };
                (similarity, reason, overlap, overlap.map(Overlap::containments))
            }
        };
        let interval = overlap.filter(|_| measure.is_estimate()).map(|overlap| intervals.get(overlap));
        FoundPair { a, b, verified: Verified { similarity, containments, interval }, reason }
    }
}

/// The pairs of groups by group, which is the `a` of its pairs.
struct Neighbours<'a> {
    /// Pairs, sorted, and by `a` where those of each group begin.
    pairs: &'a Array<PackedPair>,
    starts: Vec<u64>,
    /// Pairs turned round: those from whose second group a later member of the first can be met.
    turned: Ragged<PackedPair>,
}

impl<'a> Neighbours<'a> {
    fn new(pairs: &'a FoldedPairs, members: &Ragged<DocId>, session: &Session<'_>) -> Result<Self> {
        let spill = &session.spill;
        let groups = pairs.groups.len();
        let mut turned = ExternalSort::new(spill, Repeats::Kept, spill.budget().share(Share::PairsBothWays));
        let mut starts = vec![0; groups + 1];
        let mut turned_starts = vec![0; groups + 1];
        for (pair, row) in pairs.joined.pairs().zip(0..) {
            let VerifiedPair { a, b, .. } = pair;
            session.stages.check_sometimes(row)?;
            starts[a.index() + 1] += 1;
            // Of groups with one member each, none can be met so: the first comes first.
            if members.get(a.index()).last() > members.get(b.index()).first() {
                turned.extend([PackedPair::from(pair.turned())])?;
                turned_starts[b.index() + 1] += 1;
            }
        }
        prefix_sums(&mut starts);
        prefix_sums(&mut turned_starts);
        let turned = Ragged::from_parts(turned_starts, turned.finish()?)?;
        Ok(Self { pairs: &pairs.joined.pairs, starts, turned })
    }

    /// The neighbours of a group, each with the number of the pair: pairs that were turned round have their numbers
    /// behind all others.
    fn of_group(&self, group: DocId) -> impl Iterator<Item = (usize, DocId)> {
        let range = |starts: &[u64]| starts[group.index()] as usize..starts[group.index() + 1] as usize;
        let pairs = range(&self.starts);
        let turned = range(self.turned.offsets());
        let numbered = (pairs.start..).zip(self.pairs.slice(pairs));
        numbered
            .chain((self.pairs.len() + turned.start..).zip(self.turned.values().slice(turned)))
            .map(|(number, pair)| (number, pair.b()))
    }

    /// Agreement of a pair, by its number. One pair is read of a list that may be long, and in a file.
    fn found(&self, number: usize) -> Agreement {
        let (pairs, place) = match number.checked_sub(self.pairs.len()) {
            None => (self.pairs, number),
            Some(place) => (self.turned.values(), place),
        };
        VerifiedPair::from(pairs.slice(place..place + 1)[0]).found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline;
    use crate::testing::{jaccard, session};
    use lookalike_core::comparison::{Features, Method};

    const NEAR: &str = "one two three four five six seven eight nine";
    const NEARER: &str = "one two three four five six seven eight ten";
    const LONGER: &str = "one two three four five six seven eight nine twenty";

    /// The pairs of these texts, and how many each batch has.
    fn found(texts: &[(&str, &str)], batch: usize) -> (Vec<String>, Vec<usize>) {
        let measure = jaccard("0.5");
        let session = session();
        let corpus = Corpus::from_texts(&Features::default(), texts.iter().copied()).unwrap();
        let pairs = pipeline::pairs(&corpus, measure, Method::default(), &session).unwrap();
        let found = FoundPairs::new(&pairs, &corpus, measure, &session).unwrap();
        let show = |FoundPair { a, b, verified: Verified { similarity, .. }, reason }: FoundPair| {
            let [a, b] = [a, b].map(|document| corpus.listing.ids.get(document));
            format!("{a}{b} {similarity:.2} {}", reason.name())
        };
        let mut visited = Vec::new();
        let visit = |pair| {
            visited.push(show(pair));
            Ok(())
        };
        found.for_each(&session, visit).unwrap();
        let mut intervals = EstimateIntervals::default();
        let looked_up = found.batches(batch).flatten().map(|location| show(found.at(location, &mut intervals)));
        assert!(looked_up.eq(visited.iter().cloned()));
        (visited, found.batches(batch).map(|batch| batch.len()).collect())
    }

    #[test]
    fn pairs_of_equal_documents_are_written_out_in_order() {
        let texts = [("a", NEAR), ("b", "else"), ("c", NEARER), ("d", NEAR), ("e", "Else!"), ("f", NEARER)];
        let expected = [
            "ac 0.67 near",
            "ad 1.00 identical",
            "af 0.67 near",
            "be 1.00 equal",
            "cd 0.67 near",
            "cf 1.00 identical",
            "df 0.67 near",
        ];
        for (size, batches) in [(1, vec![1; 7]), (3, vec![3, 3, 1]), (7, vec![7]), (8, vec![7])] {
            let (pairs, sizes) = found(&texts, size);
            assert_eq!((&pairs[..], sizes), (&expected.map(String::from)[..], batches));
        }
    }

    #[test]
    fn groups_with_neighbours_on_both_sides_have_the_similarity_of_each() {
        let texts = [("a", LONGER), ("b", NEAR), ("c", NEARER), ("d", LONGER), ("e", NEAR)];
        let expected = [
            "ab 0.83 near",
            "ac 0.57 near",
            "ad 1.00 identical",
            "ae 0.83 near",
            "bc 0.67 near",
            "bd 0.83 near",
            "be 1.00 identical",
            "cd 0.57 near",
            "ce 0.67 near",
            "de 0.83 near",
        ];
        assert_eq!(found(&texts, 4), (expected.map(String::from).to_vec(), vec![4, 4, 2]));
    }

    #[test]
    fn no_pairs_are_no_batch() {
        assert_eq!(found(&[("a", NEAR), ("b", "else")], 4), (vec![], vec![]));
    }
}

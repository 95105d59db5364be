//! Another threshold or another choice of what is kept, from saved pairs: nothing is read or compared again.
//!
//! The pairs hold all that the keepers rule and the components need, as long as the new threshold is not below the one
//! they were found with. Of the order of the documents they say enough for `first` and `last`: rows are sorted by a and
//! then by b, both in the order of the documents, and a comes before b.

use crate::corpus::{Ids, Listing};
use crate::ground::{Error, Result, Stage};
use crate::run::Session;
use hashbrown::HashTable;
use lookalike_core::DocId;
use lookalike_core::measure::{Figure, Measure};
use lookalike_core::rule::{Cluster, Decision, RatedPair, Reason, clusters, decide_by_pairs};
use lookalike_io::{PairFigure, PairRow, read_pairs};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

/// Pairs of documents with their similarities, as a job has written them.
#[derive(Debug, Clone)]
pub(crate) struct SavedPairs {
    /// The earlier document first.
    pairs: Vec<RatedPair>,
    /// Those with identical texts, sorted; the smaller document first.
    identical: Vec<[DocId; 2]>,
    /// Minimum similarity of all pairs in the file; 1 if there are none.
    pub(crate) min_similarity: f64,
}

impl SavedPairs {
    /// Reads those pairs of a file that reach the threshold, and the documents that its rows name.
    ///
    /// # Errors
    /// If the file cannot be read, a row is no pair, or the job is cancelled.
    pub(crate) fn read(path: &Path, measure: Measure, session: &Session<'_>) -> Result<(Listing, Self)> {
        let mut names = Names::default();
        let (mut pairs, mut identical) = (Vec::new(), Vec::new());
        let min_similarity = read_rows(path, measure, session, |[a, b], similarity, reason| {
            let (a, b) = (names.number(a)?, names.number(b)?);
            names.note_order(a, b);
            if measure.is_reached_by(similarity) {
                pairs.push(RatedPair { a, b, similarity, reason });
                identical.extend((reason == Reason::Identical).then_some([a, b]));
            }
            Ok(())
        })?;
        let (ids, renumbered) = names.into_ids();
        let numbers =
            pairs.iter_mut().flat_map(|pair| [&mut pair.a, &mut pair.b]).chain(identical.iter_mut().flatten());
        numbers.for_each(|document| *document = renumbered[document.index()]);
        Ok((Listing::of_ids(ids), Self::new(pairs, identical, min_similarity)))
    }

    /// Reads those pairs of listed documents that reach the threshold.
    ///
    /// # Errors
    /// If the file cannot be read, a row is no pair, the job is cancelled, or [`Error::UnknownId`] for a document that
    /// is not listed.
    pub(crate) fn read_for(path: &Path, measure: Measure, listing: &Listing, session: &Session<'_>) -> Result<Self> {
        let mut table = IdTable::default();
        listing.documents().for_each(|document| table.insert(&listing.ids, document));
        let find = |id: &str| {
            let found = table.find(&listing.ids, id);
            found.ok_or_else(|| Error::UnknownId { path: path.to_owned(), id: id.to_owned() })
        };
        let (mut pairs, mut identical) = (Vec::new(), Vec::new());
        let min_similarity = read_rows(path, measure, session, |[a, b], similarity, reason| {
            let (a, b) = (find(a)?, find(b)?);
            if measure.is_reached_by(similarity) {
                pairs.push(RatedPair { a: a.min(b), b: a.max(b), similarity, reason });
                identical.extend((reason == Reason::Identical).then_some([a, b]));
            }
            Ok(())
        })?;
        Ok(Self::new(pairs, identical, min_similarity))
    }

    fn new(pairs: Vec<RatedPair>, mut identical: Vec<[DocId; 2]>, min_similarity: f64) -> Self {
        identical.iter_mut().for_each(|pair| pair.sort_unstable());
        identical.sort_unstable();
        Self { pairs, identical, min_similarity }
    }

    /// Whether a row says that two documents have identical texts.
    fn are_identical(&self, mut pair: [DocId; 2]) -> bool {
        pair.sort_unstable();
        self.identical.binary_search(&pair).is_ok()
    }

    /// Number of pairs that reach the threshold.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The connected components of `documents` documents, ordered by their first document.
    pub(crate) fn clusters(&self, documents: usize) -> Vec<Cluster> {
        clusters(documents, self.pairs.iter().map(|pair| (pair.a, pair.b)))
    }

    /// Decides by the keepers rule about the documents that `order` names, as a search at this threshold would.
    pub(crate) fn decide(&self, order: &[DocId]) -> Vec<Decision> {
        let mut decisions = decide_by_pairs(order.len(), order, self.pairs.iter().copied());
        for (document, decision) in DocId::all(order.len()).zip(&mut decisions) {
            *decision = decision.with_texts(|kept| self.are_identical([document, kept]));
        }
        decisions
    }
}

/// Calls `visit` with each row of a file, as a stage; returns the minimum similarity.
///
/// Rows that say no reason count as equal if their similarity is 1.
fn read_rows(
    path: &Path,
    measure: Measure,
    session: &Session<'_>,
    mut visit: impl FnMut([&str; 2], f64, Reason) -> Result<()>,
) -> Result<f64> {
    // What cannot be asked for its size cannot be read either, and that is said there.
    let total = std::fs::metadata(path).map_or(0, |found| found.len());
    session.stage(Stage::over_bytes("reading pairs", total), || {
        let (mut min, mut done) = (f64::INFINITY, 0);
        read_pairs(path, |row, read_bytes| {
            if read_bytes > done {
                session.stages.check()?;
                session.stages.progress.advance(read_bytes - done);
                done = read_bytes;
            }
            let similarity = similarity_by(&row, measure).ok_or_else(|| Error::OtherMeasure {
                path: path.to_owned(),
                measure: measure.name(),
                pairs: measure_of(&row),
            })?;
            min = min.min(similarity);
            let named = row.reason.as_deref().and_then(Reason::of_name);
            visit([&row.a, &row.b], similarity, named.unwrap_or_else(|| Reason::of_similarity(similarity)))
        })?;
        Ok(if min.is_finite() { min } else { 1.0 })
    })
}

/// The similarity of a row by a measure; `None` if the row is of another one.
fn similarity_by(row: &PairRow<'_>, measure: Measure) -> Option<f64> {
    let figure = measure.figure();
    let is_containment = row.containment_of_a.is_some();
    row.figure()?.similarity(figure).filter(|_| is_containment == (figure == Figure::Containment))
}

/// What is known of the measure of a row.
fn measure_of(row: &PairRow<'_>) -> &'static str {
    match row.figure() {
        Some(PairFigure::Common(_)) => "overlap",
        Some(PairFigure::Distance(_)) => "hamming",
        Some(PairFigure::Similarity(_)) if row.containment_of_a.is_some() => "containment",
        Some(PairFigure::Similarity(_)) | None => "a similarity",
    }
}

/// A hash table of documents by their ids, which stand elsewhere. The hash function has a random key for each run:
/// without the key nobody can choose ids that collide.
#[derive(Default)]
struct IdTable {
    hasher: RandomState,
    table: HashTable<DocId>,
}

impl IdTable {
    fn find(&self, ids: &Ids, id: &str) -> Option<DocId> {
        self.table.find(self.hasher.hash_one(id), |&document| ids.get(document) == id).copied()
    }

    fn insert(&mut self, ids: &Ids, document: DocId) {
        let hash = |document: &DocId| self.hasher.hash_one(ids.get(*document));
        self.table.insert_unique(hash(&document), document, hash);
    }
}

/// Ids in the order in which they are met.
#[derive(Default)]
struct Names {
    ids: Ids,
    table: IdTable,
    /// The row before.
    last: Option<(DocId, DocId)>,
    /// Documents of which the first comes before the second.
    order: Vec<(DocId, DocId)>,
}

impl Names {
    fn number(&mut self, id: &str) -> Result<DocId> {
        let Self { ids, table, .. } = self;
        if let Some(known) = table.find(ids, id) {
            return Ok(known);
        }
        let document = DocId::from_index(ids.len())?;
        ids.push(id);
        table.insert(ids, document);
        Ok(document)
    }

    /// Notes what a row says: a stands before b, and behind the a of the row before; if that is the same, its b stands
    /// before this one.
    fn note_order(&mut self, a: DocId, b: DocId) {
        match self.last.replace((a, b)) {
            Some((same, partner)) if same == a => self.order.push((partner, b)),
            Some((earlier, _)) => self.order.extend([(earlier, a), (a, b)]),
            None => self.order.push((a, b)),
        }
    }

    /// The documents in an order that agrees with all rows; where rows contradict each other, in
    /// that of their ids. Returns the new number of each as well.
    fn into_ids(self) -> (Ids, Vec<DocId>) {
        let mut renumbered: Vec<DocId> = DocId::all(self.ids.len()).collect();
        let order = sorted(self.ids.len(), self.order);
        for (old, new) in order.iter().zip(DocId::all(self.ids.len())) {
            renumbered[old.index()] = new;
        }
        (order.into_iter().map(|old| self.ids.get(old)).collect(), renumbered)
    }
}

/// Topological order (Kahn 1962): of the documents that nothing must come before any more, always the lowest number.
fn sorted(documents: usize, mut order: Vec<(DocId, DocId)>) -> Vec<DocId> {
    order.sort_unstable();
    let mut waiting_for = vec![0u32; documents];
    order.iter().for_each(|(_, later)| waiting_for[later.index()] += 1);
    let is_free = |document: &DocId| waiting_for[document.index()] == 0;
    let mut free: BinaryHeap<Reverse<DocId>> = DocId::all(documents).filter(is_free).map(Reverse).collect();
    let mut sorted = Vec::with_capacity(documents);
    while let Some(Reverse(document)) = free.pop() {
        sorted.push(document);
        let first = order.partition_point(|&(earlier, _)| earlier < document);
        for (_, later) in order[first..].iter().take_while(|&&(earlier, _)| earlier == document) {
            waiting_for[later.index()] -= 1;
            if waiting_for[later.index()] == 0 {
                free.push(Reverse(*later));
            }
        }
    }
    sorted.extend(DocId::all(documents).filter(|document| waiting_for[document.index()] > 0));
    sorted
}

#[cfg(test)]
mod tests;

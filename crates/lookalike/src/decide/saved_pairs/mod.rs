//! Another threshold or another choice of what is kept, from saved pairs: nothing is read or compared again.
//!
//! The pairs hold all that the keepers rule and the components need, as long as the new threshold is not below the one
//! they were found with. Of the order of the documents they say enough for `first` and `last`: rows are sorted by a and
//! then by b, both in the order of the documents, and a comes before b.

mod sizes;

use crate::base::{Error, Result, Stage};
use crate::corpus::{Ids, Listing, SeenIds};
use crate::run::Session;
use lookalike_core::DocId;
use lookalike_core::comparison::{Measure, MeasureKind, MeasureName};
use lookalike_core::details::PointKind;
use lookalike_core::rule::{Cluster, Decision, RatedPair, Reason, clusters, decide_by_pairs};
use lookalike_core::similarity::{Figure, Metric};
use lookalike_io::{read::read_pairs, rows::PairRow};
use sizes::{SizedPair, by_falling_size, sorted};
use std::path::Path;

/// Pairs of documents with their similarities, as a job has written them.
#[derive(Debug, Clone, Default)]
pub(crate) struct SavedPairs {
    /// The earlier document first.
    pairs: Vec<RatedPair>,
    /// Pairs with identical texts, sorted; the smaller document first.
    identical: Vec<[DocId; 2]>,
    /// Sizes of the two documents of each pair, of containments.
    sizes: Vec<SizedPair>,
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
        let mut saved = Self::default();
        saved.min_similarity = read_rows(path, measure, session, |row| {
            let documents = [names.number(row.ids[0])?, names.number(row.ids[1])?];
            names.note_order(documents);
            saved.push(documents, &row, measure);
            Ok(())
        })?;
        let (ids, renumbered) = names.into_ids();
        saved.renumber(&renumbered);
        Ok((Listing { ids, ..Listing::default() }, saved.finished()))
    }

    /// Reads those pairs of listed documents that reach the threshold.
    ///
    /// # Errors
    /// If the file cannot be read, a row is no pair, the job is cancelled, or [`Error::UnknownId`] for a document that
    /// is not listed.
    pub(crate) fn read_for(path: &Path, measure: Measure, listing: &Listing, session: &Session<'_>) -> Result<Self> {
        let mut table = SeenIds::default();
        listing.documents().for_each(|document| table.insert_from(&listing.ids, document));
        let find = |id: &str| {
            let found = table.find_in(&listing.ids, id);
            found.ok_or_else(|| Error::UnknownId { path: path.to_owned(), id: id.to_owned() })
        };
        let mut saved = Self::default();
        saved.min_similarity = read_rows(path, measure, session, |row| {
            saved.push([find(row.ids[0])?, find(row.ids[1])?], &row, measure);
            Ok(())
        })?;
        Ok(saved.finished())
    }

    /// Takes a row, if it reaches the threshold.
    fn push(&mut self, [a, b]: [DocId; 2], row: &SavedRow<'_>, measure: Measure) {
        let SavedRow { similarity, reason, shares, .. } = *row;
        if measure.is_reached_by(similarity) {
            self.pairs.push(RatedPair { a: a.min(b), b: a.max(b), similarity, reason });
            self.identical.extend((reason == Reason::Identical).then_some([a, b]));
            self.sizes.extend(shares.map(|shares| SizedPair::new([a, b], shares)));
        }
    }

    /// Gives each document another number.
    fn renumber(&mut self, renumbered: &[DocId]) {
        let Self { pairs, identical, sizes, .. } = self;
        let rated = pairs.iter_mut().flat_map(|pair| [&mut pair.a, &mut pair.b]);
        let sized = sizes.iter_mut().flat_map(|pair| &mut pair.documents);
        let numbers = rated.chain(identical.iter_mut().flatten()).chain(sized);
        numbers.for_each(|document| *document = renumbered[document.index()]);
    }

    /// Pairs, sorted to be searched.
    fn finished(mut self) -> Self {
        self.identical.iter_mut().for_each(|pair| pair.sort_unstable());
        self.identical.sort_unstable();
        self
    }

    /// Returns whether a row says that two documents have identical texts.
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

    /// Decides by the keepers rule about the documents that `order` names, as a search at this threshold would: of
    /// containments by falling size first.
    pub(crate) fn decide(&self, order: &[DocId]) -> Vec<Decision> {
        let by_size = (!self.sizes.is_empty()).then(|| by_falling_size(&self.sizes, order));
        let order = by_size.as_deref().unwrap_or(order);
        let mut decisions = decide_by_pairs(order.len(), order, self.pairs.iter().copied());
        for (document, decision) in DocId::all(order.len()).zip(&mut decisions) {
            *decision = decision.with_texts(|kept| self.are_identical([document, kept]));
        }
        decisions
    }
}

/// Facts of a row about two documents.
struct SavedRow<'a> {
    ids: [&'a str; 2],
    similarity: f64,
    reason: Reason,
    /// The share of each document that is in the other, of containments.
    shares: Option<[f64; 2]>,
}

impl<'a> SavedRow<'a> {
    /// A row by a measure; `None` if it is of another one. Without a reason, documents whose similarity is 1 count as
    /// equal, in both directions.
    fn from_pair(row: &'a PairRow<'_>, measure: Measure) -> Option<Self> {
        let similarity = row.figures.similarity(measure.figure())?;
        let shares = row.figures.containments();
        let both_ways = shares.map_or(similarity, |[of_a, of_b]| of_a.min(of_b));
        let reason = row.reason.unwrap_or_else(|| Reason::of_similarity(both_ways));
        Some(Self { ids: [&row.a, &row.b], similarity, reason, shares })
    }
}

/// Calls `visit` with each row of a file, as a stage; returns the minimum similarity.
fn read_rows(
    path: &Path,
    measure: Measure,
    session: &Session<'_>,
    mut visit: impl FnMut(SavedRow<'_>) -> Result<()>,
) -> Result<f64> {
    // A file without a size cannot be read either: that error is reported there.
    let total = std::fs::metadata(path).map_or(0, |found| found.len());
    session.stage(Stage::over_bytes(Stage::READING_PAIRS, total), || {
        let mut min = f64::INFINITY;
        let mut done = 0;
        read_pairs(path, |row, read_bytes| {
            if read_bytes > done {
                session.stages.check()?;
                session.stages.progress.advance(read_bytes - done);
                done = read_bytes;
            }
            let row = SavedRow::from_pair(&row, measure).ok_or_else(|| Error::OtherFigure {
                path: path.to_owned(),
                measure,
                pairs: measure_of(&row),
            })?;
            min = min.min(row.similarity);
            visit(row)
        })?;
        Ok(if min.is_finite() { min } else { 1.0 })
    })
}

/// The kind of measure of a row; `None` if its figure is one of several.
fn measure_of(row: &PairRow<'_>) -> Option<MeasureKind> {
    let kinds = [
        (MeasureName::Containment, None, Figure::Containment),
        (MeasureName::Overlap, None, Figure::Common),
        (MeasureName::Hamming, Some(PointKind::Fingerprints), Figure::Distance { width: u32::MAX }),
        (MeasureName::Euclidean, Some(PointKind::Vectors), Figure::VectorDistance(Metric::Euclidean)),
        (MeasureName::Jaccard, Some(PointKind::Signatures), Figure::EstimatedSimilarity),
    ];
    let found = kinds.into_iter().find(|&(_, _, figure)| row.figures.similarity(figure).is_some());
    found.map(|(name, points, _)| MeasureKind { name, points, weights: None })
}

/// Ids in the order in which they are met.
#[derive(Default)]
struct Names {
    ids: Ids,
    table: SeenIds,
    /// The row before.
    last: Option<(DocId, DocId)>,
    /// Documents of which the first comes before the second.
    order: Vec<(DocId, DocId)>,
}

impl Names {
    fn number(&mut self, id: &str) -> Result<DocId> {
        let Self { ids, table, .. } = self;
        if let Some(known) = table.find_in(ids, id) {
            return Ok(known);
        }
        let document = DocId::from_index(ids.len())?;
        ids.push(id);
        table.insert_from(ids, document);
        Ok(document)
    }

    /// Notes what a row says: a stands before b, and behind the a of the row before; if that is the same, its b stands
    /// before this one.
    fn note_order(&mut self, [a, b]: [DocId; 2]) {
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

#[cfg(test)]
mod tests;

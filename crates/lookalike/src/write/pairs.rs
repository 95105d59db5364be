//! Pairs as rows: all of them in input order, or the most similar ones.

use super::found_pairs::{FoundPair, FoundPairs, PairLocation};
use super::pair_sample::{MostSimilar, PairSample, SampledPair};
use super::rows::{RowDestination, RowNames};
use crate::base::{Result, Stage};
use crate::corpus::Corpus;
use crate::decide::{FoldedPairs, SimilarityBins};
use crate::job::Outputs;
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::comparison::Measure;
use lookalike_core::signatures::EstimateIntervals;
use lookalike_core::similarity::Figure;
use lookalike_io::{
    base::Staging,
    outputs::Sealed,
    rows::PairRow,
    write::{EncodedRows, RowEncoder},
};
use std::path::Path;

/// Bytes of an encoded row beside its ids and sources, about.
const BYTES_BESIDE_NAMES: usize = 1 << 7;

/// Destination of the rows of pairs, and their number.
pub(crate) struct PairOutput {
    rows: RowDestination<PairRow<'static>>,
    /// `None` if all pairs are listed.
    most_similar: Option<MostSimilar>,
    /// Number of all pairs by similarity, and a sample for the page if there is to be one.
    counts: PairCounter,
    measure: Measure,
}

/// Counter of pairs by similarity, with a sample for a page if there is to be one.
pub(crate) struct PairCounter {
    bins: SimilarityBins,
    sample: Option<PairSample>,
}

impl PairCounter {
    /// No pairs yet.
    pub(crate) fn new(outputs: &Outputs, figure: Figure) -> Self {
        Self { bins: SimilarityBins::default(), sample: outputs.report.as_ref().map(|_| PairSample::new(figure)) }
    }

    pub(crate) fn add(&mut self, pair: FoundPair) {
        self.bins.add(pair.verified.similarity);
        if let Some(sample) = &mut self.sample {
            sample.offer(SampledPair::from(pair));
        }
    }

    /// The counts of pairs whose rows are in a file, or in the report.
    pub(crate) fn listed(self, file: Option<Sealed>, rows: Vec<PairRow<'static>>) -> ListedPairs {
        ListedPairs { file, rows, bins: self.bins, sample: self.sample }
    }
}

/// The rows of pairs, and the number of all pairs by similarity.
pub(crate) struct ListedPairs {
    /// The file of rows.
    pub(crate) file: Option<Sealed>,
    /// The rows, if they go to the report.
    pub(crate) rows: Vec<PairRow<'static>>,
    pub(crate) bins: SimilarityBins,
    /// Some of all pairs, if there is to be a page.
    pub(crate) sample: Option<PairSample>,
}

impl PairOutput {
    /// Begins the file of rows, or the list in the report if there is no path.
    pub(crate) fn create(path: Option<&Path>, outputs: &Outputs, measure: Measure, staging: &Staging) -> Result<Self> {
        let figure = measure.figure();
        let rows = RowDestination::create(path, outputs, &PairRow::header(figure, outputs.row_sources), staging)?;
        let most_similar = outputs.top.map(MostSimilar::new);
        Ok(Self { rows, most_similar, counts: PairCounter::new(outputs, figure), measure })
    }

    /// Lets rows say what they depend on, where their format has a place for it.
    pub(crate) fn describe(mut self, basis: &str) -> Self {
        self.rows.describe(basis);
        self
    }

    /// Writes pairs of documents as a stage: all of them, sorted by the input order of the first and then of the
    /// second, or the most similar ones, these first.
    ///
    /// Pairs of documents with equal sets are made while writing: a group of n equal documents has n (n - 1) / 2 of
    /// them. All threads look pairs up and encode their rows, a batch at a time; one at a time writes them in order.
    ///
    /// # Errors
    /// If the output cannot be written, or the job is cancelled; then it does not appear.
    pub(crate) fn write_as_stage(
        self,
        names: &RowNames<'_>,
        corpus: &Corpus,
        pairs: &FoldedPairs,
        session: &Session<'_>,
    ) -> Result<ListedPairs> {
        let documents = corpus.listing.len();
        let figure = self.measure.figure();
        session.stage(Stage::over_documents(Stage::WRITING, documents), || {
            let found = FoundPairs::new(pairs, corpus, self.measure, session)?;
            let encoder = self.encoder();
            let look_up = |intervals: &mut EstimateIntervals, locations: Vec<PairLocation>| {
                let pairs: Vec<FoundPair> = locations.into_iter().map(|pair| found.at(pair, intervals)).collect();
                let rows = encoder.as_ref().map(|encoder| encoder.encode(pairs.iter().map(|p| p.row(names, figure))));
                Ok(FoundBatch { pairs, rows: rows.transpose()? })
            };
            let mut listing = PairListing { output: self, names, figure, session, done_docs: 0 };
            let list = |batch: Result<FoundBatch>| listing.add(batch?);
            let pace = session.pace_for(FoundPairs::BATCH * pair_bytes(names, encoder.as_ref()));
            ordered_map(found.batches(FoundPairs::BATCH), pace, EstimateIntervals::default, look_up, list)?;
            listing.finish(documents)
        })
    }

    /// The encoder of all rows; `None` if they go to the report, or only some are listed.
    fn encoder(&self) -> Option<RowEncoder> {
        match &self.rows {
            RowDestination::File(writer) if self.most_similar.is_none() => Some(writer.encoder()),
            RowDestination::File(_) | RowDestination::Report(_) => None,
        }
    }
}

/// Memory in bytes that a pair takes until it is written, about.
fn pair_bytes(names: &RowNames<'_>, encoder: Option<&RowEncoder>) -> usize {
    // A growing buffer has up to twice the room that it needs.
    let of_row = |encoder: &RowEncoder| 2 * (2 * names.mean_bytes() + BYTES_BESIDE_NAMES) + encoder.row_bytes();
    size_of::<PairLocation>() + size_of::<FoundPair>() + encoder.map_or(0, of_row)
}

/// Pairs in order, and their rows if all are written to a file.
struct FoundBatch {
    pairs: Vec<FoundPair>,
    rows: Option<EncodedRows>,
}

/// Takes pairs in order.
struct PairListing<'a> {
    output: PairOutput,
    names: &'a RowNames<'a>,
    figure: Figure,
    session: &'a Session<'a>,
    /// Number of documents of which all pairs were added as their first document, at least.
    done_docs: u64,
}

impl PairListing<'_> {
    fn add(&mut self, FoundBatch { pairs, rows }: FoundBatch) -> Result<()> {
        self.session.stages.check()?;
        pairs.iter().for_each(|&pair| self.output.counts.add(pair));
        match (&mut self.output.most_similar, &mut self.output.rows, rows) {
            (Some(most_similar), _, _) => pairs.iter().for_each(|&pair| most_similar.offer(pair)),
            (None, RowDestination::File(writer), Some(rows)) => writer.append(rows)?,
            (None, _, _) => self.list(&pairs)?,
        }
        if let Some(last) = pairs.last() {
            self.advance_to(last.a.0.into());
        }
        Ok(())
    }

    fn advance_to(&mut self, done_docs: u64) {
        if done_docs > self.done_docs {
            self.session.stages.progress.advance(done_docs - self.done_docs);
            self.done_docs = done_docs;
        }
    }

    /// Completes the rows when all pairs of `documents` documents were added.
    fn finish(mut self, documents: usize) -> Result<ListedPairs> {
        let listed = self.output.most_similar.take().map(MostSimilar::into_sorted).unwrap_or_default();
        self.list(&listed)?;
        self.advance_to(documents as u64);
        let PairOutput { rows, counts, .. } = self.output;
        let (file, rows) = rows.finish()?;
        Ok(counts.listed(file, rows))
    }

    fn list(&mut self, pairs: &[FoundPair]) -> Result<()> {
        let Self { output, names, figure, .. } = self;
        pairs.iter().try_for_each(|pair| output.rows.add(pair.row(names, *figure), PairRow::into_owned))
    }
}

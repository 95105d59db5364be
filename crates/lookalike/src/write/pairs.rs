//! Pairs as rows: all of them in input order, or the most similar ones.

use super::found_pairs::{FoundPair, FoundPairs, PairLocation};
use super::most_similar::MostSimilar;
use super::pair_sample::{PairSample, SampledPair};
use super::row_names::RowNames;
use crate::corpus::Corpus;
use crate::decide::{Pairs, SimilarityBins};
use crate::ground::{Result, Stage};
use crate::job::Outputs;
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::comparison::Measure;
use lookalike_core::signatures::EstimateIntervals;
use lookalike_core::similarity::Figure;
use lookalike_io::{
    RowWriter,
    ground::Staging,
    outputs::Sealed,
    rows::PairRow,
    write::{EncodedRows, RowEncoder},
};
use std::path::Path;

/// Bytes of an encoded row beside its ids and sources, about.
const BYTES_BESIDE_NAMES: usize = 1 << 7;

/// Where the rows of pairs go, and which.
pub(crate) struct PairOutput {
    target: Target,
    /// `None` if all pairs are listed.
    most_similar: Option<MostSimilar>,
    /// A sample for the page, if there is to be one.
    sample: Option<PairSample>,
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
    /// Some of all pairs, if there is to be a page.
    pub(crate) sample: Option<PairSample>,
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
        let sample = outputs.report.as_ref().map(|_| PairSample::new(figure));
        Ok(Self { target, most_similar: outputs.top.map(MostSimilar::new), sample })
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
    /// them. All threads look pairs up and encode their rows, a batch at a time; one at a time writes them in order.
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
        let documents = corpus.listing.len();
        let figure = measure.figure();
        session.stage(Stage::over_documents(Stage::WRITING, documents), || {
            let found = FoundPairs::new(pairs, corpus, measure, session)?;
            let encoder = self.encoder();
            let look_up = |intervals: &mut EstimateIntervals, locations: Vec<PairLocation>| {
                let pairs: Vec<FoundPair> = locations.into_iter().map(|pair| found.at(pair, intervals)).collect();
                let rows = encoder.as_ref().map(|encoder| encoder.encode(pairs.iter().map(|p| p.row(names, figure))));
                Ok(FoundBatch { pairs, rows: rows.transpose()? })
            };
            let mut listing = PairListing::new(self, names, figure, session);
            let list = |batch: Result<FoundBatch>| listing.add(batch?);
            let pace = session.pace_for(FoundPairs::BATCH * pair_bytes(names, encoder.as_ref()));
            ordered_map(found.batches(FoundPairs::BATCH), pace, EstimateIntervals::default, look_up, list)?;
            listing.finish(documents)
        })
    }

    /// The encoder of all rows; `None` if they go to the report, or only some are listed.
    fn encoder(&self) -> Option<RowEncoder> {
        match (&self.target, &self.most_similar) {
            (Target::File(writer), None) => Some(writer.encoder()),
            (Target::File(_), Some(_)) | (Target::Report(_), _) => None,
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
    bins: SimilarityBins,
    /// Number of documents of which all pairs were added as their first document, at least.
    done_docs: u64,
}

impl<'a> PairListing<'a> {
    fn new(output: PairOutput, names: &'a RowNames<'a>, figure: Figure, session: &'a Session<'a>) -> Self {
        Self { output, names, figure, session, bins: SimilarityBins::default(), done_docs: 0 }
    }

    fn add(&mut self, FoundBatch { pairs, rows }: FoundBatch) -> Result<()> {
        self.session.stages.check()?;
        for &pair in &pairs {
            self.bins.add(pair.verified.similarity);
            if let Some(sample) = &mut self.output.sample {
                sample.offer(SampledPair::from(pair));
            }
        }
        match (&mut self.output.most_similar, &mut self.output.target, rows) {
            (Some(most_similar), _, _) => pairs.iter().for_each(|&pair| most_similar.offer(pair)),
            (None, Target::File(writer), Some(rows)) => writer.append(rows)?,
            (None, target, _) => pairs.iter().try_for_each(|pair| target.add(pair.row(self.names, self.figure)))?,
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
        listed.iter().try_for_each(|pair| self.output.target.add(pair.row(self.names, self.figure)))?;
        self.advance_to(documents as u64);
        let Self { output: PairOutput { target, sample, .. }, bins, .. } = self;
        Ok(match target {
            Target::File(writer) => ListedPairs { file: Some(writer.seal()?), rows: Vec::new(), bins, sample },
            Target::Report(rows) => ListedPairs { file: None, rows, bins, sample },
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

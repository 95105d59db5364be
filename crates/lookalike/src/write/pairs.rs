//! Pairs as rows: all of them in input order, or the most similar ones.

use super::found_pairs::{FoundPair, for_each_pair};
use super::most_similar::MostSimilar;
use super::pair_sample::{PairSample, SampledPair};
use super::row_names::RowNames;
use crate::corpus::Corpus;
use crate::decide::{Pairs, SimilarityBins};
use crate::ground::{Result, Stage};
use crate::job::Outputs;
use crate::run::Session;
use lookalike_core::measure::{Figure, Measure};
use lookalike_io::{PairRow, RowWriter, Sealed, Staging};
use std::path::Path;

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
        let Self { mut target, mut most_similar, mut sample } = self;
        let (documents, figure) = (corpus.listing.len(), measure.figure());
        session.stage(Stage::over_documents(Stage::WRITING, documents), || {
            let (mut bins, mut count, mut done) = (SimilarityBins::default(), 0, 0);
            for_each_pair(pairs, corpus, measure, session, |pair| {
                count += 1;
                bins.add(pair.similarity);
                if let Some(sample) = &mut sample {
                    let FoundPair { a, b, similarity, reason, .. } = pair;
                    sample.offer(SampledPair { documents: [a, b], similarity, reason });
                }
                session.stages.check_sometimes(count)?;
                if u64::from(pair.a.0) > done {
                    session.stages.progress.advance(u64::from(pair.a.0) - done);
                    done = pair.a.0.into();
                }
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
                Target::File(writer) => ListedPairs { file: Some(writer.seal()?), rows: Vec::new(), bins, sample },
                Target::Report(rows) => ListedPairs { file: None, rows, bins, sample },
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

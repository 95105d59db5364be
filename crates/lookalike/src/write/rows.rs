//! Rows of answers: their destination, a file or the report of the job, and what they call their documents.

use crate::base::{Progress, Result};
use crate::corpus::{Listing, Records};
use crate::job::Outputs;
use crate::passages::{Attribution, SharedPassage, SharedSource};
use crate::run::Session;
use lookalike_core::comparison::Measure;
use lookalike_core::rule::Decision;
use lookalike_core::similarity::Figure;
use lookalike_core::{DocId, printed_path};
use lookalike_io::{
    RowWriter,
    base::Staging,
    outputs::Sealed,
    rows::{AnswerFields, AnswerRow, Column, Figures, PassageRow, RemovalRow, Row, RowSources, SourceRow, Verified},
};
use std::borrow::Cow;
use std::path::Path;

/// Destination of the rows of a job.
pub(crate) enum RowDestination<R> {
    /// A file, in its staging file until it is published.
    File(RowWriter),
    /// The report of the job.
    Report(Vec<R>),
}

impl<R> RowDestination<R> {
    /// Begins the file of rows, or the list in the report if there is no path.
    pub(crate) fn create(path: Option<&Path>, outputs: &Outputs, header: &[Column], staging: &Staging) -> Result<Self> {
        let Some(path) = path else { return Ok(Self::Report(Vec::new())) };
        Ok(Self::File(RowWriter::create_with(path, outputs.row_format, header, staging)?))
    }

    /// Lets rows say what they depend on, where their format has a place for it.
    pub(crate) fn describe(&mut self, basis: &str) {
        if let Self::File(writer) = self {
            writer.describe(basis);
        }
    }

    /// Adds a row, which the report keeps as `into_owned` makes it.
    pub(crate) fn add<T: Row>(&mut self, row: T, into_owned: impl FnOnce(T) -> R) -> Result<()> {
        match self {
            Self::File(writer) => writer.write(&row)?,
            Self::Report(rows) => rows.push(into_owned(row)),
        }
        Ok(())
    }

    /// The file, to be published, and the rows for the report.
    pub(crate) fn finish(self) -> Result<(Option<Sealed>, Vec<R>)> {
        Ok(match self {
            Self::File(writer) => (Some(writer.seal()?), Vec::new()),
            Self::Report(rows) => (None, rows),
        })
    }
}

/// Destination of the answers of a search.
pub(crate) struct AnswerOutput {
    rows: RowDestination<AnswerRow<'static>>,
    /// Number of rows in the report that were shown.
    shown: usize,
}

impl AnswerOutput {
    /// Begins the file of rows, or the list in the report if there is no path.
    pub(crate) fn create(
        path: Option<&Path>,
        outputs: &Outputs,
        figure: Figure,
        fields: AnswerFields,
        staging: &Staging,
    ) -> Result<Self> {
        let rows = RowDestination::create(path, outputs, &AnswerRow::header(figure, fields), staging)?;
        Ok(Self { rows, shown: 0 })
    }

    pub(crate) fn add(&mut self, row: AnswerRow<'_>) -> Result<()> {
        self.rows.add(row, AnswerRow::into_owned)
    }

    /// Shows the rows so far to who reads them while they are written, or waits for them at a terminal.
    pub(crate) fn show(&mut self, progress: &dyn Progress) -> Result<()> {
        match &mut self.rows {
            RowDestination::File(writer) => writer.show()?,
            RowDestination::Report(rows) => {
                progress.answered(&rows[self.shown..]);
                self.shown = rows.len();
            }
        }
        Ok(())
    }

    /// The file, to be published, and the rows for the report.
    pub(crate) fn finish(self) -> Result<(Option<Sealed>, Vec<AnswerRow<'static>>)> {
        self.rows.finish()
    }
}

/// Adds all passages of a document, source by source; or a row that says that it has none.
pub(crate) fn add_passages<'n>(
    output: &mut RowDestination<SourceRow<'static>>,
    found: &Attribution,
    name_of: impl Fn(DocId) -> &'n str,
) -> Result<()> {
    if found.sources.is_empty() {
        return output.add(SourceRow::unsourced(name_of(found.document)), SourceRow::into_owned);
    }
    for (rank, source) in (1..).zip(&found.sources) {
        for row in passage_rows(found, rank, source, &name_of) {
            output.add(SourceRow::Passage(row), SourceRow::into_owned)?;
        }
    }
    Ok(())
}

/// The rows of the passages that a document has in a source of a rank.
pub(crate) fn passage_rows<'n>(
    found: &Attribution,
    rank: u64,
    source: &SharedSource,
    name_of: impl Fn(DocId) -> &'n str,
) -> impl Iterator<Item = PassageRow<'n>> {
    let share = |tokens: usize| tokens as f64 / found.tokens.max(1) as f64;
    let of_source = PassageRow {
        id: name_of(found.document).into(),
        share_in_all: share(found.covered),
        rank,
        source: name_of(source.source).into(),
        share: share(source.covered),
        ..PassageRow::default()
    };
    source.passages.iter().map(move |&SharedPassage { tokens, here, there }| PassageRow {
        tokens: tokens as u64,
        start: here.start,
        end: here.end,
        line: here.line,
        end_line: here.end_line,
        source_start: there.start,
        source_end: there.end,
        source_line: there.line,
        source_end_line: there.end_line,
        ..of_source.clone()
    })
}

/// Writes a row for each removed document, in input order.
pub(crate) fn write_removed(
    mut writer: RowWriter,
    names: &RowNames<'_>,
    decisions: &[Decision],
    measure: Measure,
    session: &Session<'_>,
) -> Result<Sealed> {
    for (document, decision) in names.documents().zip(decisions) {
        session.stages.check_sometimes(document.0.into())?;
        if let Decision::Removed { kept, similarity, reason } = *decision {
            let documents = [document, kept];
            let figures = Figures::new(measure.figure(), Verified::from_similarity(similarity));
            let row = RemovalRow::new(documents.map(|document| names.id(document)), figures, reason);
            writer.write(&RemovalRow { sources: documents.map(|document| names.source(document)), ..row })?;
        }
    }
    Ok(writer.seal()?)
}

/// The ids of documents, and the files of those of a job whose rows name them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowNames<'a> {
    listing: &'a Listing,
    records: Option<&'a Records>,
}

impl<'a> RowNames<'a> {
    /// Documents with records.
    pub(crate) fn new(listing: &'a Listing, records: &'a Records, sources: RowSources) -> Self {
        let records = match sources {
            RowSources::Absent => None,
            RowSources::Named => Some(records),
        };
        Self { listing, records }
    }

    /// Documents of which only the ids are known.
    pub(crate) fn of_ids(listing: &'a Listing) -> Self {
        Self { listing, records: None }
    }

    /// The id of a document.
    pub(crate) fn id(&self, document: DocId) -> &'a str {
        self.listing.ids.get(document)
    }

    /// The file of a document, as the user named it; `None` if rows name no files.
    pub(crate) fn source(&self, document: DocId) -> Option<Cow<'a, str>> {
        let records = self.records?;
        let place = records.place(document);
        let source = records.sources.get(place.source as usize)?;
        Some(Cow::Owned(printed_path(&source.place(place.number).path).into_owned()))
    }

    /// The mean length in bytes of an id, and of the file of the first document where rows name files.
    pub(super) fn mean_bytes(&self) -> usize {
        let (_, text) = self.listing.ids.parts();
        let source = self.documents().next().and_then(|first| self.source(first));
        text.len().div_ceil(self.len().max(1)) + source.map_or(0, |source| source.len())
    }

    /// The documents, in input order.
    pub(crate) fn documents(&self) -> impl Iterator<Item = DocId> + use<> {
        DocId::all(self.len())
    }

    /// Number of documents.
    pub(crate) fn len(&self) -> usize {
        self.listing.len()
    }
}

//! Documents that are near to a query.

use super::question::Queries;
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use lookalike_core::DocId;
use lookalike_core::comparison::Measure;
use lookalike_core::rule::{Near, Reason};
use lookalike_core::signatures::estimate_interval;
use lookalike_core::similarity::{Agreement, Figure, Overlap};
use lookalike_index::Finding;
use lookalike_io::{
    columns::table_of_rows,
    rows::{AnswerFields, AnswerRow, Figures, NumberedRow, StoredFields, Verified, numbered},
};

/// A document that is near to a query.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FoundAnswer {
    /// Its id.
    pub(super) id: String,
    /// Its row, if it stands in one.
    pub(super) row: Option<u64>,
    /// Stored fields of the document, if the index stores some.
    pub(super) fields: Option<StoredFields<'static>>,
    /// Result of the comparison; the query is the first document.
    pub(super) found: Finding,
    /// The similarity: exact, or estimated.
    pub(super) similarity: f64,
    /// Reason of the answer.
    pub(super) reason: Reason,
}

impl FoundAnswer {
    /// The row that tells it, as the answer of a rank to a query. An estimate below the threshold of `measure` is
    /// marked.
    pub(super) fn into_row<'r>(self, query: &'r str, rank: u64, measure: Measure) -> AnswerRow<'r> {
        let Self { id, row, fields, found, similarity, reason } = self;
        let containments = found.overlap().map(Overlap::containments);
        let of_signatures = || found.overlap().filter(|_| measure.is_estimate()).map(estimate_interval);
        let interval = found.interval().or_else(of_signatures);
        let is_uncertain = reason == Reason::Near && interval.is_some() && !measure.is_reached_by(similarity);
        let reason = if is_uncertain { Reason::Uncertain } else { reason };
        let figures = Figures::new(measure.figure(), Verified { similarity, containments, interval });
        AnswerRow { id: id.into(), fields, rows: [None, row], ..AnswerRow::new(query, rank, "", figures, reason) }
    }
}

/// A document that is near to a query, of a corpus that was read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbour {
    pub(super) document: DocId,
    pub(super) found: Agreement,
    pub(super) similarity: f64,
}

impl Near for Neighbour {
    type Place = DocId;

    fn similarity(&self) -> f64 {
        self.similarity
    }

    fn place(&self) -> DocId {
        self.document
    }
}

impl Neighbour {
    /// The answer that it is to a query.
    pub(super) fn answer(self, queries: &Queries<'_>, query: DocId) -> FoundAnswer {
        let Self { document, found, similarity } = self;
        FoundAnswer {
            id: queries.corpus.listing.ids.get(document).to_owned(),
            row: queries.records.row(document),
            fields: None,
            found: Finding::Verified(found),
            similarity,
            reason: queries.get(query).reason(queries.get(document), found),
        }
    }
}

/// The answers of a search as columns, of which those of numbers of rows come before the ids.
///
/// # Errors
/// Only if columns differ in length, which they never do.
pub fn answers_batch(
    listed: &[AnswerRow<'static>],
    figure: Figure,
    fields: AnswerFields,
) -> Result<RecordBatch, ArrowError> {
    let header = numbered(&AnswerRow::header(figure, fields));
    table_of_rows(&header, listed.iter().map(|row| NumberedRow { row, numbers: row.rows }))
}

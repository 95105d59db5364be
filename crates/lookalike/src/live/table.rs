//! The rows of answers as columns of Arrow, called as in the rows.

use arrow_array::{ArrayRef, Float64Array, LargeStringArray, RecordBatch, StringArray, UInt64Array};
use arrow_schema::ArrowError;
use lookalike_core::measure::Figure;
use lookalike_io::{AnswerFields, AnswerFigure, AnswerRow, PairFigure, StoredFields};
use std::sync::Arc;

/// The figures that rows say, as a column called as in the rows.
fn figures(figure: Figure, rows: &[AnswerRow<'static>]) -> (&'static str, ArrayRef) {
    let told = || rows.iter().map(AnswerRow::figure);
    let counts = || -> ArrayRef {
        let count = |figure| match figure {
            Some(PairFigure::Common(count) | PairFigure::Distance(count)) => Some(count),
            Some(PairFigure::Similarity(_) | PairFigure::EuclideanDistance(_)) => None,
            Some(PairFigure::EstimatedSimilarity(_)) | None => None,
        };
        Arc::new(told().map(count).collect::<UInt64Array>())
    };
    match figure {
        Figure::Similarity | Figure::Containment | Figure::EstimatedSimilarity => {
            let similarities = rows.iter().map(|row| row.similarity).collect::<Float64Array>();
            ("similarity", Arc::new(similarities))
        }
        Figure::Common => ("common", counts()),
        Figure::Distance { .. } => ("distance", counts()),
        Figure::EuclideanDistance => {
            let distances = rows.iter().map(|row| row.euclidean_distance).collect::<Float64Array>();
            ("euclidean_distance", Arc::new(distances))
        }
    }
}

/// The answers of a search as columns, of which those of numbers of rows come before the ids.
///
/// # Errors
/// Only if columns differ in length, which they never do.
pub fn answers_batch(
    listed: &[AnswerRow<'static>],
    (figure, fields): (AnswerFigure, AnswerFields),
) -> Result<RecordBatch, ArrowError> {
    let row = |side: usize| Arc::new(listed.iter().map(|row| row.rows[side]).collect::<UInt64Array>()) as ArrayRef;
    let text = |of: for<'a> fn(&'a AnswerRow<'static>) -> &'a str| {
        Arc::new(LargeStringArray::from_iter_values(listed.iter().map(of))) as ArrayRef
    };
    let ranks = UInt64Array::from_iter_values(listed.iter().map(|row| row.rank));
    let mut columns = vec![
        ("query_row", row(0)),
        ("query", text(|row| &row.query)),
        ("rank", Arc::new(ranks) as ArrayRef),
        ("row", row(1)),
        ("id", text(|row| &row.id)),
    ];
    let shares = |of: fn(&AnswerRow<'static>) -> Option<f64>| {
        Arc::new(listed.iter().map(of).collect::<Float64Array>()) as ArrayRef
    };
    match figure {
        AnswerFigure::Exact(Figure::EstimatedSimilarity) | AnswerFigure::Estimated => {
            columns.push(("estimated_similarity", shares(|row| row.estimated_similarity)));
            columns.push(("interval_low", shares(|row| row.interval_low)));
            columns.push(("interval_high", shares(|row| row.interval_high)));
        }
        AnswerFigure::Exact(figure) => columns.push(figures(figure, listed)),
    }
    if figure == AnswerFigure::Exact(Figure::Containment) {
        columns.push(("containment_of_query", shares(|row| row.containment_of_query)));
        columns.push(("containment_of_id", shares(|row| row.containment_of_id)));
    }
    let reasons = StringArray::from_iter_values(listed.iter().map(|row| &*row.reason));
    columns.push(("reason", Arc::new(reasons)));
    if fields == AnswerFields::Told {
        let fields = listed.iter().map(|row| row.fields.as_ref().map(StoredFields::as_json));
        columns.push(("fields", Arc::new(fields.collect::<LargeStringArray>())));
    }
    let columns = columns.into_iter().map(|(name, column)| (name, column, true));
    RecordBatch::try_from_iter_with_nullable(columns)
}

//! The rows of answers as columns of Arrow.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use lookalike_core::similarity::Figure;
use lookalike_io::{AnswerFields, AnswerRow, NumberedRow, numbered, table_of_rows};

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

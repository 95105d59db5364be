//! What can be wrong with the columns and parameters of a batch.

use crate::array_types::ArrayTypes;
use arrow_schema::DataType;
use lookalike_core::stored::Damage;
use lookalike_core::{counted, thousands};
use lookalike_io::Problem;

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// A column or parameter that cannot be used. Rows are counted from 0 in the array that was given, which may be a
/// slice.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Parameters that cannot be used, or frequencies of different sizes.
    #[error(transparent)]
    Parameters(#[from] lookalike_core::Error),
    /// A column of another type than needed.
    #[error("column `{column}`: expected {expected}, found {found}")]
    ColumnType {
        /// Name of the column.
        column: &'static str,
        /// All types that would have been accepted.
        expected: ArrayTypes,
        /// The type of the array.
        found: DataType,
    },
    /// Columns of one table with different numbers of rows.
    #[error("column `{column}`: expected {}, found {}", counted(*expected as u64, "row"), thousands(*found as u64))]
    RowCount {
        /// Name of the column.
        column: &'static str,
        /// Rows of the columns beside it.
        expected: usize,
        /// Its rows.
        found: usize,
    },
    /// A null where every row needs a value.
    #[error("column `{column}`, row {row}: expected a value, found null")]
    Null {
        /// Name of the column.
        column: &'static str,
        /// The first such row.
        row: usize,
    },
    /// A number that is negative or too large.
    #[error("column `{column}`, row {row}: expected a number from 0 to {}, found {found}", u32::MAX)]
    NumberRange {
        /// Name of the column.
        column: &'static str,
        /// The first such row.
        row: usize,
        /// The number.
        found: i128,
    },
    /// The number of a document that is not there.
    #[error("column `{column}`, row {row}: expected one of {documents} documents, counted from 0; found {found}")]
    UnknownDocument {
        /// Name of the column.
        column: &'static str,
        /// The first such row.
        row: usize,
        /// Number of documents.
        documents: usize,
        /// The number in the row.
        found: u32,
    },
    /// A set whose elements do not strictly ascend as unsigned numbers.
    #[error("column `{column}`, row {row}: the elements of the set do not strictly ascend")]
    UnsortedSet {
        /// Name of the column.
        column: &'static str,
        /// The first such row.
        row: usize,
    },
    /// A set with a null among its elements.
    #[error("column `{column}`, row {row}: an element of the set is null")]
    NullElement {
        /// Name of the column.
        column: &'static str,
        /// The first such row.
        row: usize,
    },
    /// A list that does not lie within the values of its array.
    #[error("column `{column}`, row {row}: the offsets of the list do not fit its values")]
    ListOffsets {
        /// Name of the column.
        column: &'static str,
        /// The first such row.
        row: usize,
    },
    /// A set of items that cannot be used.
    #[error("column `{column}`, row {row}: {problem}")]
    Items {
        /// Name of the column.
        column: &'static str,
        /// The first such row.
        row: usize,
        /// What is wrong with its items.
        problem: Problem,
    },
    /// A position behind the last element of its set.
    #[error("column `{column}`, row {row}: expected a position of at most the size {size}, found {found}")]
    Position {
        /// Name of the column.
        column: &'static str,
        /// The first such row.
        row: usize,
        /// Number of elements of the set.
        size: u32,
        /// The position.
        found: u32,
    },
    /// Packed entries that are cut or of another kind.
    #[error("column `{column}`, row {row}: expected entries of 24 bytes, found {}", counted(*bytes as u64, "byte"))]
    Entries {
        /// Name of the column.
        column: &'static str,
        /// The first such row.
        row: usize,
        /// Bytes of the value.
        bytes: usize,
    },
    /// A number of parts that cannot be dealt to.
    #[error("expected 1 to {max} parts, found {found}")]
    Parts {
        /// The largest number.
        max: u32,
        /// The number.
        found: u32,
    },
    /// A similarity outside its range.
    #[error("column `{column}`, row {row}: expected a similarity from 0 to 1, found {found}")]
    Similarity {
        /// Name of the column.
        column: &'static str,
        /// The first such row.
        row: usize,
        /// The value.
        found: f64,
    },
    /// Bytes that are not those of a frequency table as they were written.
    #[error("the stored frequencies cannot be read: {damage}")]
    Damaged {
        /// What is wrong.
        #[from]
        damage: Damage,
    },
    /// A value that cannot be expressed in JSON.
    #[error("cannot express a value as JSON")]
    Json(#[from] serde_json::Error),
}

impl Error {
    /// The same error for an array of which the one that was given is a part: `rows` other rows come before it.
    #[must_use]
    pub fn after_rows(mut self, rows: usize) -> Self {
        match &mut self {
            Self::Null { row, .. }
            | Self::NumberRange { row, .. }
            | Self::UnknownDocument { row, .. }
            | Self::UnsortedSet { row, .. }
            | Self::NullElement { row, .. }
            | Self::ListOffsets { row, .. }
            | Self::Items { row, .. }
            | Self::Position { row, .. }
            | Self::Entries { row, .. }
            | Self::Similarity { row, .. } => *row += rows,
            Self::Parameters(_)
            | Self::ColumnType { .. }
            | Self::RowCount { .. }
            | Self::Parts { .. }
            | Self::Damaged { .. }
            | Self::Json(_) => {}
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_from_the_beginning_of_the_whole_array() {
        let error = Error::UnsortedSet { column: "sets", row: 3 }.after_rows(1000);
        assert_eq!(error.to_string(), "column `sets`, row 1003: the elements of the set do not strictly ascend");
        let error = Error::Position { column: "x", row: 0, size: 5, found: 7 }.after_rows(2);
        assert_eq!(error.to_string(), "column `x`, row 2: expected a position of at most the size 5, found 7");
        let error = Error::RowCount { column: "x", expected: 1, found: 2 }.after_rows(9);
        assert_eq!(error.to_string(), "column `x`: expected 1 row, found 2");
    }
}

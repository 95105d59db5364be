//! Errors of the columns and parameters of a batch.

use arrow_array::Array;
use arrow_schema::DataType;
use lookalike_core::stored::Damage;
use lookalike_core::{counted, thousands};
use lookalike_io::{Problem, base::details::ColumnTypes};

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
        /// Types that are accepted.
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
        /// Rows of the column.
        found: usize,
    },
    /// A row of a column that cannot be used.
    #[error("column `{column}`, row {row}: {fault}")]
    Row {
        /// Name of the column.
        column: &'static str,
        /// The first such row.
        row: usize,
        /// Fault of the row.
        fault: RowFault,
    },
    /// A number of parts that is 0 or too large.
    #[error("expected 1 to {max} parts, found {found}")]
    Parts {
        /// Maximum number of parts.
        max: u32,
        /// Number of parts in the call.
        found: u32,
    },
    /// Bytes that are not those of a frequency table, or were changed since they were written.
    #[error("the stored frequencies cannot be read: {damage}")]
    Damaged {
        /// The fault.
        #[from]
        damage: Damage,
    },
    /// A value that cannot be expressed in JSON.
    #[error("cannot express a value as JSON")]
    Json(#[from] serde_json::Error),
}

/// Fault of one row of a column.
#[derive(Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RowFault {
    /// A null where every row needs a value.
    #[error("expected a value, found null")]
    Null,
    /// A number that is negative or too large.
    #[error("expected a number from 0 to {}, found {found}", u32::MAX)]
    NumberRange {
        /// The number.
        found: i128,
    },
    /// A number of a document that is not below the number of documents.
    #[error("expected one of {documents} documents, counted from 0; found {found}")]
    UnknownDocument {
        /// Number of documents.
        documents: usize,
        /// The number in the row.
        found: u32,
    },
    /// A set whose elements do not strictly ascend as unsigned numbers.
    #[error("the elements of the set do not strictly ascend")]
    UnsortedSet,
    /// A set with a null among its elements.
    #[error("an element of the set is null")]
    NullElement,
    /// A list that does not lie within the values of its array.
    #[error("the offsets of the list do not fit its values")]
    ListOffsets,
    /// A set of items that cannot be used.
    #[error("{problem}")]
    Items {
        /// The fault of its items.
        problem: Problem,
    },
    /// A position behind the last element of its set.
    #[error("expected a position of at most the size {size}, found {found}")]
    Position {
        /// Number of elements of the set.
        size: u32,
        /// The position.
        found: u32,
    },
    /// Packed entries that are truncated, or bytes of another kind.
    #[error("expected entries of {expected} bytes, found {}", counted(*found as u64, "byte"))]
    Entries {
        /// Bytes of an entry.
        expected: usize,
        /// Bytes of the value.
        found: usize,
    },
    /// A similarity outside its range.
    #[error("expected a similarity from 0 to 1, found {found}")]
    Similarity {
        /// The value.
        found: f64,
    },
}

impl RowFault {
    /// The error of this fault in a row of a column.
    pub(crate) fn at(self, column: &'static str, row: usize) -> Error {
        Error::Row { column, row, fault: self }
    }
}

/// The types that a column of a batch may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ArrayTypes {
    /// Types of texts.
    #[error("Utf8, LargeUtf8 or Utf8View")]
    Texts,
    /// Types of sets of items.
    #[error("{0}")]
    Items(ColumnTypes),
    /// Types of element sets.
    #[error("LargeList or List of UInt64 or Int64, or a dictionary of such with Int32 keys")]
    Sets,
    /// Types of whole numbers.
    #[error("UInt32, UInt64, Int32 or Int64")]
    Numbers,
    /// Types of blocking keys.
    #[error("Int64 or UInt64")]
    Keys,
    /// Types of packed entries.
    #[error("LargeBinary or Binary")]
    Bytes,
    /// The type of similarities.
    #[error("Float64")]
    Similarities,
}

impl Error {
    /// The error of a column of another type than expected.
    pub(crate) fn column_type(column: &'static str, expected: ArrayTypes, array: &dyn Array) -> Self {
        Self::ColumnType { column, expected, found: array.data_type().clone() }
    }

    /// The error for an array of which the one that was given is a part: `rows` other rows come before it.
    #[must_use]
    pub fn after_rows(mut self, rows: usize) -> Self {
        if let Self::Row { row, .. } = &mut self {
            *row += rows;
        }
        self
    }
}

/// Column, row and fault of an error.
#[cfg(test)]
pub(crate) fn fault(error: Error) -> (&'static str, usize, RowFault) {
    match error {
        Error::Row { column, row, fault } => (column, row, fault),
        other => panic!("{other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_from_the_beginning_of_the_whole_array() {
        let error = RowFault::UnsortedSet.at("sets", 3).after_rows(1000);
        assert_eq!(error.to_string(), "column `sets`, row 1003: the elements of the set do not strictly ascend");
        let error = RowFault::Position { size: 5, found: 7 }.at("x", 0).after_rows(2);
        assert_eq!(error.to_string(), "column `x`, row 2: expected a position of at most the size 5, found 7");
        let error = Error::RowCount { column: "x", expected: 1, found: 2 }.after_rows(9);
        assert_eq!(error.to_string(), "column `x`: expected 1 row, found 2");
    }
}

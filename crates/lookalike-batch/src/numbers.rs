//! Columns of numbers: document numbers, ranks, sizes, positions.
//!
//! Engines disagree about integer types (Spark has no unsigned ones), and a number below 2^32 is the same in all of
//! them: columns are taken in the four usual types, and each value is checked when it is read. A cast of the whole
//! column beforehand would copy it.

use crate::error::{ArrayTypes, Error, Result, RowFault};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt32Type, UInt64Type};
use arrow_buffer::NullBuffer;

/// A column of numbers from 0 to 2^32 - 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DocumentNumbers<'a> {
    pub(crate) column: &'static str,
    len: usize,
    values: Values<'a>,
    nulls: Option<&'a NullBuffer>,
}

#[derive(Debug, Clone, Copy)]
enum Values<'a> {
    UInt32(&'a [u32]),
    UInt64(&'a [u64]),
    Int32(&'a [i32]),
    Int64(&'a [i64]),
}

impl<'a> DocumentNumbers<'a> {
    /// The column under its name.
    ///
    /// # Errors
    /// [`Error::ColumnType`].
    pub(crate) fn new(column: &'static str, array: &'a dyn Array) -> Result<Self> {
        let values = if let Some(array) = array.as_primitive_opt::<UInt32Type>() {
            Values::UInt32(array.values())
        } else if let Some(array) = array.as_primitive_opt::<UInt64Type>() {
            Values::UInt64(array.values())
        } else if let Some(array) = array.as_primitive_opt::<Int32Type>() {
            Values::Int32(array.values())
        } else if let Some(array) = array.as_primitive_opt::<Int64Type>() {
            Values::Int64(array.values())
        } else {
            return Err(Error::column_type(column, ArrayTypes::Numbers, array));
        };
        Ok(Self { column, len: array.len(), values, nulls: array.nulls() })
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The number in a row that exists; `None` for null.
    ///
    /// # Errors
    /// [`RowFault::NumberRange`].
    pub(crate) fn get(&self, row: usize) -> Result<Option<u32>> {
        if self.nulls.is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(None);
        }
        let found: i128 = match self.values {
            Values::UInt32(values) => values[row].into(),
            Values::UInt64(values) => values[row].into(),
            Values::Int32(values) => values[row].into(),
            Values::Int64(values) => values[row].into(),
        };
        u32::try_from(found).map(Some).map_err(|_| RowFault::NumberRange { found }.at(self.column, row))
    }

    /// The number in a row that exists.
    ///
    /// # Errors
    /// [`RowFault::Null`], [`RowFault::NumberRange`].
    pub(crate) fn present(&self, row: usize) -> Result<u32> {
        self.get(row)?.ok_or_else(|| RowFault::Null.at(self.column, row))
    }
}

/// Checks that a column has as many rows as those beside it.
pub(crate) fn check_rows(column: &'static str, expected: usize, found: usize) -> Result<()> {
    if found == expected { Ok(()) } else { Err(Error::RowCount { column, expected, found }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::fault;
    use arrow_array::{Float64Array, Int32Array, Int64Array, UInt32Array, UInt64Array};

    #[test]
    fn all_integer_types_give_the_same_numbers() {
        let signed = Int64Array::from(vec![Some(-1), Some(7), None, Some(1 << 32)]).slice(1, 2);
        let arrays: [&dyn Array; 4] = [
            &UInt32Array::from(vec![Some(7), None]),
            &UInt64Array::from(vec![Some(7), None]),
            &Int32Array::from(vec![Some(7), None]),
            &signed,
        ];
        for array in arrays {
            let numbers = DocumentNumbers::new("x", array).unwrap();
            assert_eq!((numbers.len(), numbers.get(0).unwrap(), numbers.get(1).unwrap()), (2, Some(7), None));
            assert_eq!(fault(numbers.present(1).unwrap_err()), ("x", 1, RowFault::Null));
        }
    }

    #[test]
    fn values_out_of_range_and_other_types_are_refused() {
        let array = Int64Array::from(vec![-1, 1 << 32]);
        let numbers = DocumentNumbers::new("x", &array).unwrap();
        for (row, found) in [(0, -1), (1, 1 << 32)] {
            assert_eq!(fault(numbers.get(row).unwrap_err()), ("x", row, RowFault::NumberRange { found }));
        }
        let error = DocumentNumbers::new("x", &Float64Array::from(vec![1.0])).unwrap_err();
        assert_eq!(error.to_string(), "column `x`: expected UInt32, UInt64, Int32 or Int64, found Float64");
    }
}

//! Columns of lists: element sets coming in, ragged arrays going out.
//!
//! Going out, offsets and values of a ragged array become the buffers of a `LargeList` as they are. Coming in, a set
//! may be a list of 32-bit or 64-bit offsets, of unsigned elements or of the same 64 bits read as signed: Spark has
//! only 32-bit offsets and signed numbers. A column may be dictionary-encoded: pairs of few documents then name the
//! rows of a column of sets. Nothing is copied; order is checked set by set, because filters and
//! intersections rely on it.

use crate::error::{ArrayTypes, Error, Result, RowFault};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, LargeListArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::Field;
use lookalike_core::Ragged;
use lookalike_core::documents::ElementSet;
use std::ops::Range;
use std::sync::Arc;

/// A column of element sets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SetColumn<'a> {
    column: &'static str,
    /// Numbers of the lists, by row of a dictionary-encoded column.
    keys: Option<&'a [i32]>,
    /// Nulls of the rows.
    nulls: Option<&'a NullBuffer>,
    offsets: Offsets<'a>,
    /// Number of lists.
    lists: usize,
    /// Nulls of the lists.
    null_lists: Option<&'a NullBuffer>,
    elements: &'a [u64],
    null_elements: Option<&'a NullBuffer>,
}

/// Begins of the lists, and the end of the last.
#[derive(Debug, Clone, Copy)]
enum Offsets<'a> {
    Bits32(&'a [i32]),
    Bits64(&'a [i64]),
}

impl<'a> SetColumn<'a> {
    /// The column under its name.
    ///
    /// # Errors
    /// [`Error::ColumnType`].
    pub(crate) fn new(column: &'static str, array: &'a dyn Array) -> Result<Self> {
        let error = || Error::column_type(column, ArrayTypes::Sets, array);
        let dictionary = array.as_dictionary_opt::<Int32Type>();
        let lists: &dyn Array = dictionary.map_or(array, |dictionary| dictionary.values());
        let keys = dictionary.map(|dictionary| &**dictionary.keys().values());
        let null_lists = lists.nulls();
        let (offsets, values) = if let Some(lists) = lists.as_list_opt::<i64>() {
            (Offsets::Bits64(lists.value_offsets()), lists.values())
        } else {
            let lists = lists.as_list_opt::<i32>().ok_or_else(error)?;
            (Offsets::Bits32(lists.value_offsets()), lists.values())
        };
        let elements: &[u64] = match values.as_primitive_opt::<UInt64Type>() {
            Some(values) => values.values(),
            None => bytemuck::cast_slice(values.as_primitive_opt::<Int64Type>().ok_or_else(error)?.values()),
        };
        let null_elements = values.nulls().filter(|nulls| nulls.null_count() > 0);
        let lists = lists.len();
        Ok(Self { column, keys, nulls: array.nulls(), offsets, lists, null_lists, elements, null_elements })
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.keys.map_or(self.lists, <[i32]>::len)
    }

    /// The set in a row that exists; `None` for null.
    ///
    /// # Errors
    /// [`RowFault::UnsortedSet`], [`RowFault::NullElement`], [`RowFault::ListOffsets`].
    pub(crate) fn get(&self, row: usize) -> Result<Option<ElementSet<'a>>> {
        let Self { column, .. } = *self;
        if self.nulls.is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(None);
        }
        // A negative key becomes a number that is too large for a list.
        let list = self.keys.map_or(row, |keys| keys[row] as usize);
        if list >= self.lists {
            return Err(RowFault::ListOffsets.at(column, row));
        }
        if self.null_lists.is_some_and(|nulls| nulls.is_null(list)) {
            return Ok(None);
        }
        let range = self.range(list);
        let elements = self.elements.get(range.clone()).ok_or_else(|| RowFault::ListOffsets.at(column, row))?;
        if self.null_elements.is_some_and(|nulls| range.into_iter().any(|element| nulls.is_null(element))) {
            return Err(RowFault::NullElement.at(column, row));
        }
        ElementSet::new(elements).map(Some).map_err(|_| RowFault::UnsortedSet.at(column, row))
    }

    /// Arrays from another language may have any offsets: a negative one becomes a number that is too large for a
    /// slice.
    fn range(&self, list: usize) -> Range<usize> {
        match self.offsets {
            Offsets::Bits32(offsets) => offsets[list] as usize..offsets[list + 1] as usize,
            Offsets::Bits64(offsets) => offsets[list] as usize..offsets[list + 1] as usize,
        }
    }

    /// The sets in order.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = Result<Option<ElementSet<'a>>>> {
        (0..self.len()).map(|row| self.get(row))
    }
}

/// The lists as an Arrow array, with their values turned into another array of as many. Offsets are not copied.
///
/// Items are declared nullable, though none is null: so the type equals the one that other tools write without a word
/// about it.
pub(crate) fn large_list<T: Clone>(
    lists: Ragged<T>,
    nulls: Option<NullBuffer>,
    to_array: impl FnOnce(Vec<T>) -> ArrayRef,
) -> LargeListArray {
    let (offsets, values) = lists.into_parts();
    let values = to_array(values.into_vec());
    // A ragged array has ascending offsets from 0, and no array in memory has 2^63 values.
    let offsets: Vec<i64> = bytemuck::allocation::cast_vec(offsets);
    let field = Arc::new(Field::new_list_field(values.data_type().clone(), true));
    LargeListArray::new(field, OffsetBuffer::new(offsets.into()), values, nulls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::fault;
    use arrow_array::{DictionaryArray, Int32Array, Int64Array, ListArray, StringArray, UInt64Array};
    use lookalike_core::Array as CoreArray;

    fn sets_of(array: &dyn Array) -> Result<Vec<Option<Vec<u64>>>> {
        SetColumn::new("x", array)?.iter().map(|set| Ok(set?.map(|set| set.to_vec()))).collect()
    }

    fn lists(sets: &[Option<&[u64]>]) -> LargeListArray {
        let options = |set: &[u64]| set.iter().copied().map(Some).collect::<Vec<_>>();
        LargeListArray::from_iter_primitive::<UInt64Type, _, _>(sets.iter().map(|set| set.map(options)))
    }

    #[test]
    fn dictionaries_name_their_sets() {
        let sets: ArrayRef = Arc::new(lists(&[Some(&[9]), None, Some(&[1, 2])]).slice(1, 2));
        let keys = Int32Array::from(vec![Some(0), Some(1), None, Some(1)]);
        let array = DictionaryArray::new(keys, sets);
        assert_eq!(sets_of(&array).unwrap(), [None, Some(vec![1, 2]), None, Some(vec![1, 2])]);
        assert_eq!(sets_of(&array.slice(1, 2)).unwrap(), [Some(vec![1, 2]), None]);
        let texts: ArrayRef = Arc::new(StringArray::from(vec!["x"]));
        let error = sets_of(&DictionaryArray::new(Int32Array::from(vec![0]), texts)).unwrap_err();
        assert!(matches!(error, Error::ColumnType { .. }), "{error}");
    }

    #[test]
    fn slices_nulls_and_signed_elements_are_read() {
        let array = lists(&[Some(&[9]), Some(&[1, u64::MAX]), None, Some(&[])]);
        let expected = vec![Some(vec![1, u64::MAX]), None, Some(vec![])];
        assert_eq!(sets_of(&array.slice(1, 3)).unwrap(), expected);
        assert!(sets_of(&array.slice(2, 0)).unwrap().is_empty());
        let signed = vec![Some(vec![Some(1), Some(-1)]), None, Some(vec![])];
        assert_eq!(sets_of(&ListArray::from_iter_primitive::<Int64Type, _, _>(signed)).unwrap(), expected);
    }

    #[test]
    fn values_that_are_no_sets_are_refused() {
        let unsorted = lists(&[Some(&[2, 1]), Some(&[1]), Some(&[3, 3])]);
        let refused = |array: &dyn Array| fault(sets_of(array).unwrap_err());
        assert_eq!(refused(&unsorted), ("x", 0, RowFault::UnsortedSet));
        assert_eq!(refused(&unsorted.slice(1, 2)), ("x", 1, RowFault::UnsortedSet));
        let null =
            LargeListArray::from_iter_primitive::<UInt64Type, _, _>([Some(vec![Some(1)]), Some(vec![Some(1), None])]);
        assert_eq!(refused(&null), ("x", 1, RowFault::NullElement));
        assert_eq!(sets_of(&null.slice(0, 1)).unwrap(), [Some(vec![1])]);
        let words: ArrayRef = Arc::new(StringArray::from(vec!["a"]));
        let field = Arc::new(Field::new_list_field(words.data_type().clone(), true));
        let words = LargeListArray::new(field, OffsetBuffer::from_lengths([1]), words, None);
        for array in [&words as &dyn Array, &UInt64Array::from(vec![1]), &Int64Array::from(vec![1])] {
            let error = sets_of(array).unwrap_err();
            let expected = format!("column `x`: expected {}, found {}", ArrayTypes::Sets, array.data_type());
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn ragged_arrays_cross_without_a_copy() {
        let values = vec![1u64, 2, 3];
        let address = values.as_ptr();
        let offsets = vec![0u64, 2, 2, 3];
        let offsets_address = offsets.as_ptr().cast::<i64>();
        let ragged = Ragged::from_parts(offsets, CoreArray::Owned(values)).unwrap();
        let array = large_list(ragged, None, |values| Arc::new(UInt64Array::from(values)));
        assert_eq!(array.values().as_primitive::<UInt64Type>().values().as_ptr(), address);
        assert_eq!(array.value_offsets().as_ptr(), offsets_address);
        assert_eq!(sets_of(&array).unwrap(), [Some(vec![1, 2]), Some(vec![]), Some(vec![3])]);
    }
}

//! Columns of vectors: lists of numbers, of fixed size or not.

use super::item_lists::{from_zero, list_item};
use crate::base::Problem;
use crate::sources::FieldNames;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, Float32Array, Float64Array};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, FieldRef};
use lookalike_core::documents::Content;
use std::ops::Range;

/// The vectors of a batch.
#[derive(Debug)]
pub(crate) struct VectorLists {
    offsets: OffsetBuffer<i64>,
    nulls: Option<NullBuffer>,
    components: NumberArray,
}

#[derive(Debug, Clone)]
enum NumberArray {
    /// Floats of 16 and 32 bits.
    Single(Float32Array),
    /// Numbers of all other types.
    Double(Float64Array),
}

impl VectorLists {
    /// Returns whether a column of this type holds lists of numbers.
    pub(crate) fn are_of(data_type: &DataType) -> bool {
        list_item(data_type).is_some_and(|item| item.data_type().is_numeric())
    }

    /// Returns whether the numbers of a column of this type can be whole ones of 32 bits.
    pub(crate) fn are_exact(data_type: &DataType) -> bool {
        let is_exact = |item: &FieldRef| item.data_type().is_integer() || *item.data_type() == DataType::Float64;
        list_item(data_type).is_some_and(is_exact)
    }

    pub(crate) fn from_array(array: &ArrayRef) -> Result<Self, ArrowError> {
        let not_lists = || ArrowError::CastError(format!("{} is no list", array.data_type()));
        let item = list_item(array.data_type()).ok_or_else(not_lists)?;
        let is_single = matches!(item.data_type(), DataType::Float16 | DataType::Float32);
        let lists = cast(array, &DataType::LargeList(FieldRef::clone(item)))?;
        let lists = lists.as_list_opt::<i64>().ok_or_else(not_lists)?;
        let (offsets, values) = from_zero(lists.offsets().to_vec());
        let of_rows = lists.values().slice(values.start, values.len());
        let components = if is_single {
            NumberArray::Single(cast(&of_rows, &DataType::Float32)?.as_primitive::<Float32Type>().clone())
        } else {
            NumberArray::Double(cast(&of_rows, &DataType::Float64)?.as_primitive::<Float64Type>().clone())
        };
        Ok(Self { offsets, nulls: lists.nulls().cloned(), components })
    }

    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Total size of the vectors of some rows in bytes, of 32 bits a component.
    pub(crate) fn bytes(&self, rows: &Range<usize>) -> u64 {
        (self.offsets[rows.end] - self.offsets[rows.start]) as u64 * size_of::<f32>() as u64
    }

    /// The vector or signature of a row, and its size in bytes; `None` for null.
    pub(crate) fn content(
        &self,
        row: usize,
        names: &FieldNames,
        limit: Option<u64>,
    ) -> Result<Option<(Content<'static>, u64)>, Problem> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(None);
        }
        let places = self.offsets[row] as usize..self.offsets[row + 1] as usize;
        let bytes = (places.len() * size_of::<f32>()) as u64;
        Problem::check_size(bytes, limit)?;
        let vectors = names.vectors;
        let field = &names.text;
        let content = match &self.components {
            NumberArray::Single(numbers) => {
                let component = |at: usize| numbers.is_valid(at).then(|| f64::from(numbers.value(at)));
                vectors.content(places.map(component), field)?
            }
            NumberArray::Double(numbers) => {
                let component = |at: usize| numbers.is_valid(at).then(|| numbers.value(at));
                vectors.content(places.map(component), field)?
            }
        };
        Ok(Some((content, bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::GivenVectors;
    use arrow_array::types::{Float16Type, Int32Type};
    use arrow_array::{FixedSizeListArray, ListArray};
    use std::sync::Arc;

    fn vectors(array: &ArrayRef) -> Vec<Option<Vec<f32>>> {
        let names = FieldNames { vectors: GivenVectors::Any, ..FieldNames::default() };
        let lists = VectorLists::from_array(array).unwrap();
        let row = |row| match lists.content(row, &names, None).unwrap()?.0 {
            Content::Vector(components) => Some(components.into_owned()),
            other => panic!("{other:?}"),
        };
        (0..lists.len()).map(row).collect()
    }

    #[test]
    fn lists_of_all_numbers_are_vectors() {
        let expected = [Some(vec![1.0, 2.5]), None, Some(vec![-3.0, 0.25])];
        let rows = || [Some(vec![Some(1.0), Some(2.5)]), None, Some(vec![Some(-3.0), Some(0.25)])];
        let single: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(
            rows().map(|row| row.map(|row| row.into_iter().map(|number| number.map(|number: f64| number as f32)))),
        ));
        let fixed: ArrayRef = Arc::new(FixedSizeListArray::from_iter_primitive::<Float64Type, _, _>(rows(), 2));
        for item in [DataType::Float16, DataType::Float32, DataType::Float64] {
            let field = FieldRef::new(arrow_schema::Field::new_list_field(item, true));
            for array in [&single, &fixed] {
                for data_type in [DataType::List(field.clone()), DataType::FixedSizeList(field.clone(), 2)] {
                    assert!(VectorLists::are_of(&data_type));
                    let array = cast(array, &data_type).unwrap();
                    assert_eq!(vectors(&array), expected, "{data_type}");
                    assert_eq!(vectors(&array.slice(1, 2)), expected[1..], "{data_type}");
                }
            }
        }
        let halves: ArrayRef =
            cast(&single, &DataType::List(FieldRef::new(arrow_schema::Field::new_list_field(DataType::Float16, true))))
                .unwrap();
        assert!(halves.as_list::<i32>().values().as_primitive_opt::<Float16Type>().is_some());
        let integers: ArrayRef =
            Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(7), Some(-1)])]));
        assert_eq!(vectors(&integers), [Some(vec![7.0, -1.0])]);
    }

    #[test]
    fn nulls_in_lists_are_no_components() {
        let array: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>([Some([Some(1.0), None])]));
        let names = FieldNames { vectors: GivenVectors::Any, text: "emb".to_owned(), ..FieldNames::default() };
        let lists = VectorLists::from_array(&array).unwrap();
        let error = lists.content(0, &names, None).unwrap_err().to_string();
        assert_eq!(error, "field `emb`: component 2 of the vector is no number");
        assert!(matches!(lists.content(0, &names, Some(7)), Err(Problem::TooLarge { limit: 7 })));
        let texts: ArrayRef = Arc::new(arrow_array::StringArray::from(vec!["x"]));
        assert!(VectorLists::from_array(&texts).is_err() && !VectorLists::are_of(texts.data_type()));
    }
}

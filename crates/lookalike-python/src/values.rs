//! Python values as arrays of Arrow, and back: for environments without a library for tables.

use crate::errors::refused;
use arrow_array::builder::{LargeListBuilder, LargeStringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, Float32Array, Float64Array, Int64Array, LargeListArray, LargeStringArray,
};
use arrow_cast::cast;
use arrow_schema::{DataType, Field};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::{Bound, PyAnyMethods, PyResult, Python};
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyList;
use std::sync::Arc;

/// A column of strings, integers, floats, or lists of strings or numbers; `None` is a missing value.
pub(crate) fn array_of(name: &str, values: &Bound<'_, PyList>) -> PyResult<ArrayRef> {
    if let Ok(strings) = values.extract::<Vec<Option<PyBackedStr>>>() {
        let strings = strings.iter().map(|string| string.as_deref());
        return Ok(Arc::new(strings.collect::<LargeStringArray>()));
    }
    if let Ok(integers) = values.extract::<Vec<Option<i64>>>() {
        return Ok(Arc::new(Int64Array::from(integers)));
    }
    if let Ok(floats) = values.extract::<Vec<Option<f64>>>() {
        return Ok(Arc::new(Float64Array::from(floats)));
    }
    if let Ok(lists) = values.extract::<Vec<Option<Vec<PyBackedStr>>>>() {
        return Ok(Arc::new(lists_of_strings(&lists)));
    }
    if let Ok(lists) = values.extract::<Vec<Option<Vec<f64>>>>() {
        let lists = lists.into_iter().map(|list| list.map(|list| list.into_iter().map(Some)));
        return Ok(Arc::new(LargeListArray::from_iter_primitive::<Float64Type, _, _>(lists)));
    }
    Err(PyTypeError::new_err(format!(
        "the values of `{name}` are of several types, or of another than str, int, float, and lists of these"
    )))
}

fn lists_of_strings(lists: &[Option<Vec<PyBackedStr>>]) -> LargeListArray {
    let mut builder = LargeListBuilder::new(LargeStringBuilder::new());
    for list in lists {
        match list {
            None => builder.append_null(),
            Some(items) => builder.append_value(items.iter().map(|item| Some(&**item))),
        }
    }
    builder.finish()
}

/// Vectors of `dimensions` components each, from the bytes of their 32- or 64-bit floats.
pub(crate) fn vectors_of(bytes: &[u8], rows: usize, dimensions: usize) -> PyResult<ArrayRef> {
    // The width of a float follows from the number of bytes; without any, it does not matter.
    let floats: ArrayRef = match bytes.len().checked_div(rows * dimensions) {
        Some(4) => Arc::new(Float32Array::from(numbers_in::<f32>(bytes))),
        _ => Arc::new(Float64Array::from(numbers_in::<f64>(bytes))),
    };
    let field = Arc::new(Field::new_list_field(floats.data_type().clone(), true));
    let length: i32 = dimensions.try_into().map_err(refused)?;
    Ok(Arc::new(FixedSizeListArray::try_new(field, length, floats, None).map_err(refused)?))
}

fn numbers_in<T: bytemuck::AnyBitPattern>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
}

/// The values of a column as Python has them: integers, floats, or strings.
pub(crate) fn list_of<'py>(py: Python<'py>, column: &dyn Array) -> PyResult<Bound<'py, PyList>> {
    let converted = |to: &DataType| cast(column, to).map_err(refused);
    match column.data_type() {
        DataType::UInt64 => PyList::new(py, column.as_primitive::<UInt64Type>().iter()),
        integer if integer.is_integer() => {
            PyList::new(py, converted(&DataType::Int64)?.as_primitive::<Int64Type>().iter())
        }
        float if float.is_floating() => {
            PyList::new(py, converted(&DataType::Float64)?.as_primitive::<Float64Type>().iter())
        }
        _ => PyList::new(py, converted(&DataType::LargeUtf8)?.as_string::<i64>().iter()),
    }
}

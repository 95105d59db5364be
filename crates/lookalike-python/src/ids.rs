//! Integer ids. Inside the library an id is a string; answers on documents with integer ids get integers of the same
//! type, so that their rows can be joined with the documents.

use crate::errors::refused;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{ArrayRef, Int64Array, LargeStringArray, RecordBatch};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::prelude::PyResult;
use std::sync::Arc;

/// The lowest integer (2^53) that has the same 64-bit float as another integer.
const FIRST_AMBIGUOUS_INTEGER: f64 = 9_007_199_254_740_992.0;

/// Types of the ids of a job, by the side that they come from; `None` for strings.
#[derive(Debug, Clone, Default)]
pub(crate) struct IdTypes {
    pub(crate) inputs: Option<DataType>,
    pub(crate) references: Option<DataType>,
}

/// The type of the column of ids if it holds integers. A column inside of structs is named by its path.
pub(crate) fn integer_type(schema: &Schema, id_field: &str) -> Option<DataType> {
    let found = schema.field_with_name(id_field).ok().cloned().or_else(|| {
        let (first, path) = id_field.split_once('.')?;
        let outer = schema.field_with_name(first).ok()?.clone();
        path.split('.').try_fold(outer, |field, name| match field.data_type() {
            DataType::Struct(fields) => fields.iter().find(|inner| inner.name() == name).map(|inner| (**inner).clone()),
            _ => None,
        })
    })?;
    match found.data_type() {
        DataType::Dictionary(_, values) if values.is_integer() => Some((**values).clone()),
        integer if integer.is_integer() => Some(integer.clone()),
        _ => None,
    }
}

/// The table with integers in place of floats as ids: pandas turns integers into floats if one is missing.
pub(crate) fn with_integer_ids(
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    id_field: &str,
) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let Some((position, field)) =
        schema.column_with_name(id_field).filter(|(_, field)| field.data_type().is_floating())
    else {
        return Ok((schema, batches));
    };
    let mut fields: Vec<Arc<Field>> = schema.fields().iter().cloned().collect();
    fields[position] = Arc::new(Field::new(field.name(), DataType::Int64, true));
    let schema = Arc::new(Schema::new(fields));
    let mut before = 0;
    let mut converted = Vec::with_capacity(batches.len());
    for batch in batches {
        let mut columns = batch.columns().to_vec();
        columns[position] = Arc::new(integers_of(&columns[position], before)?);
        before += batch.num_rows();
        converted.push(RecordBatch::try_new(Arc::clone(&schema), columns).map_err(refused)?);
    }
    Ok((schema, converted))
}

/// Floats as integers; NaN becomes null. `before` is the number of rows of the table before these.
fn integers_of(floats: &ArrayRef, before: usize) -> PyResult<Int64Array> {
    let floats = cast(floats, &DataType::Float64).map_err(refused)?;
    let integer = |(row, id): (usize, Option<f64>)| match id.filter(|id| !id.is_nan()) {
        None => Ok(None),
        Some(id) if id.fract() == 0.0 && id.abs() < FIRST_AMBIGUOUS_INTEGER => Ok(Some(id as i64)),
        Some(id) => {
            let row = before + row;
            Err(refused(format!("the id in row {row} is the float {id}: expected strings or integers as ids")))
        }
    };
    floats.as_primitive::<Float64Type>().iter().enumerate().map(integer).collect()
}

/// Ids as a column of their type. Integers lose the `@ROW` that the library appends to an id that occurs again; an id
/// that the library made for a document without one is null.
pub(crate) fn id_column<'a, I: Into<Option<&'a str>>>(
    ids: impl Iterator<Item = I>,
    id_type: Option<&DataType>,
) -> PyResult<ArrayRef> {
    let ids = ids.map(Into::into);
    let Some(id_type) = id_type else { return Ok(Arc::new(ids.collect::<LargeStringArray>())) };
    let unqualified = ids.map(|id| id.map(|id| id.split_once('@').map_or(id, |(id, _)| id)));
    // A string that spells no integer becomes null.
    cast(&unqualified.collect::<LargeStringArray>(), id_type).map_err(refused)
}

/// A table of answers with columns of ids of other types.
pub(crate) fn with_id_types(batch: RecordBatch, columns: &[(&str, Option<&DataType>)]) -> PyResult<RecordBatch> {
    let mut arrays = Vec::with_capacity(batch.num_columns());
    for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
        let id_type = columns.iter().find(|(name, _)| *name == field.name().as_str()).and_then(|(_, id_type)| *id_type);
        let array = match id_type {
            None => Arc::clone(array),
            Some(_) => {
                let strings = cast(array, &DataType::LargeUtf8).map_err(refused)?;
                id_column(strings.as_string::<i64>().iter(), id_type)?
            }
        };
        arrays.push((field.name().clone(), array, true));
    }
    RecordBatch::try_from_iter_with_nullable(arrays).map_err(refused)
}

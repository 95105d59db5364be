//! Types that Parquet lacks, in the nearest ones that hold their values.
//!
//! ```text
//! timestamp[s]   timestamp[ms]
//! time32[s]      time32[ms]
//! date64         date32; it has whole days only
//! ```
//!
//! The writer would store them as plain integers, whose meaning only readers based on Arrow know.

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef, TimeUnit};
use std::sync::Arc;

/// The schema in types that Parquet has.
pub(super) fn with_parquet_types(schema: &SchemaRef) -> SchemaRef {
    let fields: Vec<_> = schema.fields().iter().map(converted).collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

fn converted(field: &FieldRef) -> FieldRef {
    match of(field.data_type()) {
        Some(data_type) => Arc::new(Field::clone(field).with_data_type(data_type)),
        None => Arc::clone(field),
    }
}

/// The type in its place; `None` for itself.
fn of(data_type: &DataType) -> Option<DataType> {
    let inner = |item: &FieldRef| of(item.data_type()).map(|_| converted(item));
    match data_type {
        DataType::Timestamp(TimeUnit::Second, zone) => Some(DataType::Timestamp(TimeUnit::Millisecond, zone.clone())),
        DataType::Time32(TimeUnit::Second) => Some(DataType::Time32(TimeUnit::Millisecond)),
        DataType::Date64 => Some(DataType::Date32),
        DataType::List(item) => inner(item).map(DataType::List),
        DataType::LargeList(item) => inner(item).map(DataType::LargeList),
        DataType::FixedSizeList(item, size) => inner(item).map(|item| DataType::FixedSizeList(item, *size)),
        DataType::Map(entries, is_sorted) => inner(entries).map(|entries| DataType::Map(entries, *is_sorted)),
        DataType::Dictionary(_, values) => of(values),
        DataType::Struct(fields) if fields.iter().any(|field| of(field.data_type()).is_some()) => {
            Some(DataType::Struct(fields.iter().map(converted).collect()))
        }
        _ => None,
    }
}

/// The rows in the types of `schema`. Values that do not fit were refused before.
pub(super) fn convert(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let strict = CastOptions { safe: false, ..CastOptions::default() };
    let cast = |(column, field): (&ArrayRef, &FieldRef)| match column.data_type() == field.data_type() {
        true => Ok(Arc::clone(column)),
        false => cast_with_options(column, field.data_type(), &strict),
    };
    let columns = batch.columns().iter().zip(schema.fields()).map(cast).collect::<Result<_, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(schema.clone(), columns, &options)
}

//! Cells of rows as columns of Arrow.

use crate::rows::{Column, Row, Value};
use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, LargeStringBuilder, StringBuilder, UInt32Builder, UInt64Builder,
};
use arrow_array::{ArrayRef, RecordBatch, new_null_array};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use std::sync::Arc;

/// The values of a column, cell by cell.
pub(crate) enum CellsBuilder {
    Text(StringBuilder),
    LongText(LargeStringBuilder),
    Number(Float64Builder),
    Count(UInt64Builder),
    Count32(UInt32Builder),
    Flag(BooleanBuilder),
    /// A type of which no cell has a value.
    Nulls(DataType, usize),
}

impl CellsBuilder {
    pub(crate) fn new(data_type: &DataType) -> Self {
        match data_type {
            DataType::Utf8 => Self::Text(StringBuilder::new()),
            DataType::LargeUtf8 => Self::LongText(LargeStringBuilder::new()),
            DataType::Float64 => Self::Number(Float64Builder::new()),
            DataType::UInt64 => Self::Count(UInt64Builder::new()),
            DataType::UInt32 => Self::Count32(UInt32Builder::new()),
            DataType::Boolean => Self::Flag(BooleanBuilder::new()),
            other => Self::Nulls(other.clone(), 0),
        }
    }

    /// Appends a cell; one of another type is null.
    pub(crate) fn push(&mut self, value: &Value<'_>) {
        match self {
            Self::Text(values) => values.append_option(value.as_text()),
            Self::LongText(values) => values.append_option(value.as_text()),
            Self::Number(values) => values.append_option(value.as_number()),
            Self::Count(values) => values.append_option(value.as_count()),
            Self::Count32(values) => values.append_option(value.as_count().and_then(|count| count.try_into().ok())),
            Self::Flag(values) => values.append_option(value.as_flag()),
            Self::Nulls(_, count) => *count += 1,
        }
    }

    pub(crate) fn finish(self) -> ArrayRef {
        let mut values: Box<dyn ArrayBuilder> = match self {
            Self::Text(values) => Box::new(values),
            Self::LongText(values) => Box::new(values),
            Self::Number(values) => Box::new(values),
            Self::Count(values) => Box::new(values),
            Self::Count32(values) => Box::new(values),
            Self::Flag(values) => Box::new(values),
            Self::Nulls(data_type, count) => return new_null_array(&data_type, count),
        };
        values.finish()
    }
}

/// Appends a row. Columns in which it has no cell get a null, and cells of other columns are left out.
fn push_row(columns: &mut [(&str, CellsBuilder)], row: &impl Row) {
    let mut next = 0;
    for (column, value) in row.cells() {
        let Some(skipped) = columns[next..].iter().position(|(name, _)| *name == column.name) else {
            continue;
        };
        columns[next..next + skipped].iter_mut().for_each(|(_, cells)| cells.push(&Value::Null));
        columns[next + skipped].1.push(&value);
        next += skipped + 1;
    }
    columns[next..].iter_mut().for_each(|(_, cells)| cells.push(&Value::Null));
}

/// Rows as columns of Arrow, all nullable: a table in memory.
///
/// # Errors
/// Only if columns differ in length, which they never do.
pub fn table_of_rows(header: &[Column], rows: impl Iterator<Item = impl Row>) -> Result<RecordBatch, ArrowError> {
    let types = header.iter().map(|column| (column.name, column.kind.table_type()));
    let schema = Schema::new(types.clone().map(|(name, kind)| Field::new(name, kind, true)).collect::<Vec<_>>());
    let mut columns: Vec<_> = types.map(|(name, kind)| (name, CellsBuilder::new(&kind))).collect();
    rows.for_each(|row| push_row(&mut columns, &row));
    let columns = columns.into_iter().map(|(_, cells)| cells.finish()).collect();
    RecordBatch::try_new(Arc::new(schema), columns)
}

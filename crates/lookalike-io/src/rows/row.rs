//! Rows as what all doors show: cells in the order of their columns.

use super::column::{Cell, Column, Value};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};
use serde_json::value::RawValue;

/// A row. Its header is the columns of its cells, so a column is added to rows of a kind by a cell.
pub trait Row {
    /// Cells of the row, in the order of the columns; those of columns that rows of this file lack are left out.
    fn cells(&self) -> impl Iterator<Item = Cell<'_>>;

    /// The columns of its cells.
    fn columns(&self) -> Vec<Column> {
        self.cells().map(|(column, _)| *column).collect()
    }
}

impl<R: Row> Row for &R {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        R::cells(self)
    }
}

/// A row with the numbers of the records of its documents, in the order of their ids: a cell before each id.
#[derive(Debug, Clone)]
pub struct NumberedRow<R> {
    /// The row.
    pub row: R,
    /// Numbers of records; `None` for a document that stands in none.
    pub numbers: [Option<u64>; 2],
}

impl<R: Row> Row for NumberedRow<R> {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let mut numbers = self.numbers.into_iter();
        self.row.cells().flat_map(move |(column, value)| {
            let number = column.row_column().map(|row| (row, Value::count_or_null(numbers.next().flatten())));
            number.into_iter().chain([(column, value)])
        })
    }
}

/// The columns of [`NumberedRow`]s of rows with this header.
pub fn numbered(header: &[Column]) -> Vec<Column> {
    header.iter().flat_map(|column| column.row_column().copied().into_iter().chain([*column])).collect()
}

/// Serializes a row as an object, in which values of JSON are values.
///
/// # Errors
/// Those of the serializer.
pub fn serialize_row<R: Row, S: Serializer>(row: &R, serializer: S) -> Result<S::Ok, S::Error> {
    serialize_cells(row, serializer, JsonForm::Value)
}

/// Form of a JSON value in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonForm {
    /// A value, where rows are JSON.
    Value,
    /// A string, in a column.
    Text,
}

/// A row as serde sees it.
pub(crate) struct Serialized<R> {
    pub(crate) row: R,
    pub(crate) json: JsonForm,
}

impl<R: Row> Serialize for Serialized<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_cells(&self.row, serializer, self.json)
    }
}

fn serialize_cells<R: Row, S: Serializer>(row: &R, serializer: S, json: JsonForm) -> Result<S::Ok, S::Error> {
    let mut cells = row.cells();
    // Writers of JSON take a row of no fields for one that is complete.
    let mut object = serializer.serialize_struct("Row", cells.size_hint().0.max(1))?;
    cells.try_for_each(|(column, value)| object.serialize_field(column.name, &SerializedValue { value, json }))?;
    object.end()
}

struct SerializedValue<'a> {
    value: Value<'a>,
    json: JsonForm,
}

impl Serialize for SerializedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::Text(text) => serializer.serialize_str(text),
            Value::Json(text) => match (self.json, serde_json::from_str::<&RawValue>(text)) {
                (JsonForm::Value, Ok(value)) => value.serialize(serializer),
                (JsonForm::Text, _) | (JsonForm::Value, Err(_)) => serializer.serialize_str(text),
            },
            Value::Number(number) => serializer.serialize_f64(*number),
            Value::Count(count) => serializer.serialize_u64(*count),
            Value::Flag(flag) => serializer.serialize_bool(*flag),
            Value::Null => serializer.serialize_none(),
        }
    }
}

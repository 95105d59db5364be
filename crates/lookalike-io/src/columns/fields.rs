//! Which columns mean text, key and score, and their values in the types that the rest works with.

use crate::columns::ANNOTATION_COLUMNS;
use crate::error::{Error, Result};
use crate::record::FieldNames;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, RecordBatch, StringViewArray};
use arrow_buffer::NullBuffer;
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Fields, Schema};
use std::path::Path;

/// The names that lead to a column: one, or more if it stands in structs.
pub(crate) type ColumnPath = Vec<String>;

/// Where the wanted fields are.
#[derive(Debug, Clone)]
pub(crate) struct FieldColumns {
    pub(crate) text: ColumnPath,
    pub(crate) id: Option<ColumnPath>,
    pub(crate) score: Option<ColumnPath>,
}

/// Values to order documents by.
#[derive(Debug)]
pub(crate) enum Scores {
    Numbers(Float64Array),
    Texts(StringViewArray),
}

impl FieldColumns {
    /// Looks the fields up in the schema of the file at `path`.
    ///
    /// # Errors
    /// [`Error::NoColumn`] if there is no text, [`Error::ColumnType`], [`Error::ColumnExists`].
    pub(crate) fn find(schema: &Schema, names: &FieldNames, path: &Path) -> Result<Self> {
        let fields = schema.fields();
        if let Some(field) = &names.absent {
            let unwanted = ANNOTATION_COLUMNS.into_iter().chain([field.as_str()]);
            let mut found = unwanted.filter(|name| fields.find(name).is_some());
            if let Some(column) = found.next() {
                return Err(Error::ColumnExists { path: path.to_owned(), column: column.to_owned() });
            }
        }
        let checked = |name: &str, expected, fits: fn(&DataType) -> bool| match find(fields, name) {
            Some((column, data_type)) if fits(data_type) => Ok(Some(column)),
            Some((_, data_type)) => {
                let (column, found) = (name.to_owned(), data_type.to_string());
                Err(Error::ColumnType { path: path.to_owned(), column, expected, found })
            }
            None => Ok(None),
        };
        let text = checked(&names.text, "strings", is_text)?
            .ok_or_else(|| Error::no_column(path, &names.text, fields.iter().map(|field| field.name().as_str())))?;
        let id = checked(&names.id, "strings or integers", |found| is_text(found) || found.is_integer())?;
        let score = match &names.score {
            Some(name) => checked(name, "numbers, strings or dates", |found| {
                is_text(found) || found.is_numeric() || is_date(found)
            })?,
            None => None,
        };
        Ok(Self { text, id, score })
    }

    /// All of them.
    pub(crate) fn paths(&self) -> Vec<ColumnPath> {
        [Some(&self.text), self.id.as_ref(), self.score.as_ref()].into_iter().flatten().cloned().collect()
    }
}

/// The column of that very name, or else the one that its dots lead to.
fn find<'s>(fields: &'s Fields, name: &str) -> Option<(ColumnPath, &'s DataType)> {
    if let Some((_, field)) = fields.find(name) {
        return Some((vec![name.to_owned()], field.data_type()));
    }
    let (outer, inner) = name.split_once('.')?;
    let DataType::Struct(fields) = fields.find(outer)?.1.data_type() else { return None };
    let (mut path, data_type) = find(fields, inner)?;
    path.insert(0, outer.to_owned());
    Some((path, data_type))
}

pub(crate) fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_text(values),
        data_type => data_type.is_string(),
    }
}

fn is_date(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..))
}

/// A column of a batch; null also where a struct around it is.
pub(crate) fn column(batch: &RecordBatch, path: &[String]) -> std::result::Result<ArrayRef, ArrowError> {
    let absent = || ArrowError::SchemaError(format!("no column {}", path.join(".")));
    let (first, inner) = path.split_first().ok_or_else(absent)?;
    let mut array = batch.column_by_name(first).ok_or_else(absent)?;
    let mut outer_nulls: Option<NullBuffer> = None;
    for name in inner {
        outer_nulls = NullBuffer::union(outer_nulls.as_ref(), array.nulls());
        array = array.as_struct_opt().and_then(|outer| outer.column_by_name(name)).ok_or_else(absent)?;
    }
    match outer_nulls {
        Some(nulls) => arrow_select::nullif::nullif(array, &BooleanArray::new(!nulls.inner(), None)),
        None => Ok(array.clone()),
    }
}

/// The values as strings; numbers in decimal, dates as in ISO 8601.
pub(crate) fn strings(array: &ArrayRef) -> std::result::Result<StringViewArray, ArrowError> {
    let array = if is_text(array.data_type()) { array.clone() } else { cast(array, &DataType::Utf8)? };
    Ok(cast(&array, &DataType::Utf8View)?.as_string_view().clone())
}

impl Scores {
    pub(crate) fn of(array: &ArrayRef) -> std::result::Result<Self, ArrowError> {
        match array.data_type() {
            found if found.is_numeric() => {
                Ok(Self::Numbers(cast(array, &DataType::Float64)?.as_primitive::<Float64Type>().clone()))
            }
            // Without the zone, which is the same for the whole column: "Z" would come behind the fractions of a second.
            DataType::Timestamp(unit, Some(_)) => {
                let instants = cast(array, &DataType::Int64)?;
                strings(&cast(&instants, &DataType::Timestamp(*unit, None))?).map(Self::Texts)
            }
            _ => strings(array).map(Self::Texts),
        }
    }
}

//! The schema of an output that is made of several sources.
//!
//! Columns are matched by their names: their order is that of the first source. A column that one source lacks is not
//! filled with nulls, because a file with other columns is more often a mistake than intended. JSON Lines as output
//! need no common columns.

use crate::base::{Error, Result};
use crate::columns::repeated;
use crate::formats::RowFormat;
use arrow_array::{Array, RecordBatch};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use std::path::Path;
use std::sync::Arc;

/// A source, and the schema of its rows.
pub(super) type SchemaOf<'r> = (&'r Path, SchemaRef);

/// The schema that all sources fit; that of the first for JSON Lines, where each record has its own fields.
///
/// # Errors
/// [`Error::SchemasDiffer`], [`Error::ColumnTwice`].
pub(super) fn common_schema(all: &[SchemaOf<'_>], format: RowFormat) -> Result<SchemaRef> {
    let [(first, schema), others @ ..] = all else { return Ok(Arc::new(Schema::empty())) };
    if others.is_empty() || format == RowFormat::JsonLines {
        return Ok(schema.clone());
    }
    // Columns are found by their names.
    all.iter().try_for_each(|(path, schema)| check_names(path, schema))?;
    let mut fields: Vec<Field> = schema.fields().iter().map(|field| plain(field)).collect();
    for (path, other) in others {
        check_same(first, &fields, path, other, format)?;
        for field in &mut fields {
            let is_nullable = other.field_with_name(field.name()).is_ok_and(Field::is_nullable);
            field.set_nullable(field.is_nullable() || is_nullable);
        }
    }
    Ok(Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())))
}

/// Checks that no two columns have one name.
fn check_names(path: &Path, schema: &Schema) -> Result<()> {
    match repeated(schema.fields().iter().map(|field| field.name().as_str())) {
        Some(column) => Err(Error::ColumnTwice { path: path.to_owned(), column: column.to_owned() }),
        None => Ok(()),
    }
}

/// Checks that two sources have the same columns; for text their names suffice.
fn check_same(first: &Path, fields: &[Field], path: &Path, other: &Schema, format: RowFormat) -> Result<()> {
    let differ = |column: &str, expected: Option<&DataType>, found: Option<&DataType>| Error::SchemasDiffer {
        first: first.to_owned(),
        path: path.to_owned(),
        column: column.to_owned(),
        expected: expected.map(DataType::to_string),
        found: found.map(DataType::to_string),
    };
    let is_like_text = |found: &DataType| format.is_text() && !found.is_nested();
    for field in fields {
        let expected = field.data_type();
        match other.field_with_name(field.name()).map(plain) {
            Ok(found) if found.data_type() == expected || is_like_text(expected) && is_like_text(found.data_type()) => {
            }
            Ok(found) => return Err(differ(field.name(), Some(expected), Some(found.data_type()))),
            Err(_) => return Err(differ(field.name(), Some(expected), None)),
        }
    }
    let is_new = |field: &&Arc<Field>| fields.iter().all(|known| known.name() != field.name());
    match other.fields().iter().find(is_new) {
        Some(field) => Err(differ(field.name(), None, Some(plain(field).data_type()))),
        None => Ok(()),
    }
}

/// The column with its values in place of a dictionary, which differs from file to file.
fn plain(field: &Field) -> Field {
    match field.data_type() {
        DataType::Dictionary(_, values) => field.clone().with_data_type(values.as_ref().clone()),
        _ => field.clone(),
    }
}

/// The batch with the columns of `schema` in its order. For a format of text, where types do not matter, they stay.
pub(super) fn fitted(batch: &RecordBatch, schema: &SchemaRef) -> std::result::Result<RecordBatch, ArrowError> {
    if batch.schema_ref().fields() == schema.fields() {
        return Ok(batch.clone());
    }
    let mut fields = Vec::new();
    let mut columns = Vec::new();
    for field in schema.fields() {
        let mut column = batch.column(batch.schema_ref().index_of(field.name())?).clone();
        if matches!(column.data_type(), DataType::Dictionary(..)) {
            column = cast(&column, field.data_type())?;
        }
        fields.push(field.as_ref().clone().with_data_type(column.data_type().clone()));
        columns.push(column);
    }
    RecordBatch::try_new(Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())), columns)
}

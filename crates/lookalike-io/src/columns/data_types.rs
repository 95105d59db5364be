//! Types of columns: texts and bytes, what stands inside a nested type, and types in place of others.

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, StringViewArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use std::sync::Arc;

/// A type inside another, with its name if it is a field of an object.
type Inner<'t> = (Option<&'t str>, &'t DataType);

/// The types directly inside a type; none for a union, which is looked at as a whole, and for a type without parts.
pub(super) fn inside(data_type: &DataType) -> Vec<Inner<'_>> {
    match data_type {
        DataType::Struct(fields) => {
            fields.iter().map(|field| (Some(field.name().as_str()), field.data_type())).collect()
        }
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _)
        | DataType::RunEndEncoded(_, item) => vec![(None, item.data_type())],
        DataType::Dictionary(_, values) => vec![(None, values)],
        _ => Vec::new(),
    }
}

/// Returns whether a type, or one inside it, passes the test.
pub(super) fn has_type(data_type: &DataType, test: &dyn Fn(&DataType) -> bool) -> bool {
    test(data_type) || inside(data_type).into_iter().any(|(_, inner)| has_type(inner, test))
}

/// The first name that two of these columns or fields have.
pub(crate) fn repeated<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let mut seen = std::collections::HashSet::new();
    names.into_iter().find(|name| !seen.insert(*name))
}

/// The schema with other types in its columns and inside of them, where `change` names one; a changed type is not
/// looked into.
pub(super) fn with_types(schema: &Schema, change: &dyn Fn(&DataType) -> Option<DataType>) -> SchemaRef {
    let fields: Fields = schema.fields().iter().map(|field| with_type(field, change)).collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

/// The field with the types of [`with_types`].
pub(super) fn with_type(field: &FieldRef, change: &dyn Fn(&DataType) -> Option<DataType>) -> FieldRef {
    let data_type = match field.data_type() {
        found if let Some(changed) = change(found) => changed,
        DataType::List(item) => DataType::List(with_type(item, change)),
        DataType::LargeList(item) => DataType::LargeList(with_type(item, change)),
        DataType::FixedSizeList(item, size) => DataType::FixedSizeList(with_type(item, change), *size),
        DataType::Map(entries, is_sorted) => DataType::Map(with_type(entries, change), *is_sorted),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(|field| with_type(field, change)).collect()),
        _ => return Arc::clone(field),
    };
    Arc::new(Field::clone(field).with_data_type(data_type))
}

pub(super) fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_text(values),
        data_type => data_type.is_string(),
    }
}

pub(super) fn is_bytes(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_bytes(values),
        data_type => matches!(data_type, DataType::Binary | DataType::LargeBinary | DataType::BinaryView),
    }
}

/// The values as strings: numbers in decimal, dates in ISO 8601.
pub(crate) fn strings(array: &ArrayRef) -> std::result::Result<StringViewArray, ArrowError> {
    let array = if is_text(array.data_type()) { array.clone() } else { cast(array, &DataType::Utf8)? };
    Ok(cast(&array, &DataType::Utf8View)?.as_string_view().clone())
}

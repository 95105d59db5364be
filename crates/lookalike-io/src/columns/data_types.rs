//! Types of columns whose values are texts, and values as strings.

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, StringViewArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};

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

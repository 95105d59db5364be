//! The values of a column as JSON, one at a time: what travels along with a document.

use super::json_encoders::Encoders;
use super::type_limits::lacking;
use super::value_limits::{may_be_unprintable, unprintable_value};
use crate::columns::batch_format::BatchFormat;
use arrow_array::{Array, ArrayRef};
use arrow_json::writer::{EncoderOptions, NullableEncoder, make_encoder};
use arrow_schema::{Field, FieldRef, Fields};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

/// Values as in files of JSON Lines: with the special ones, and nulls in objects.
static OPTIONS: LazyLock<EncoderOptions> =
    LazyLock::new(|| EncoderOptions::default().with_encoder_factory(Arc::new(Encoders)).with_explicit_nulls(true));

/// A column whose values become JSON.
#[derive(Debug)]
pub(crate) struct JsonColumn {
    field: FieldRef,
    array: ArrayRef,
}

/// Values of a [`JsonColumn`].
pub(crate) struct JsonValues<'a> {
    array: &'a dyn Array,
    /// True for types with values that text cannot show.
    is_checked: bool,
    encoder: NullableEncoder<'a>,
}

impl JsonColumn {
    pub(crate) fn new(array: ArrayRef) -> Self {
        let field = Arc::new(Field::new("value", array.data_type().clone(), true));
        Self { field, array }
    }

    /// Description of its type, if JSON lacks it.
    pub(crate) fn lacking(&self) -> Option<String> {
        lacking(&BatchFormat::JsonLines, &Fields::from(vec![Arc::clone(&self.field)])).map(|lacking| lacking.found)
    }

    /// The column with some rows only.
    pub(crate) fn slice(&self, rows: &Range<usize>) -> Self {
        Self { field: Arc::clone(&self.field), array: self.array.slice(rows.start, rows.len()) }
    }

    /// Values of the column by row.
    ///
    /// # Errors
    /// A message, if JSON lacks its type.
    pub(crate) fn values(&self) -> Result<JsonValues<'_>, String> {
        let encoder = make_encoder(&self.field, &self.array, &OPTIONS).map_err(|error| error.to_string())?;
        Ok(JsonValues { array: &self.array, is_checked: may_be_unprintable(self.array.data_type()), encoder })
    }
}

impl JsonValues<'_> {
    /// The value of a row; `None` if JSON cannot hold it.
    pub(crate) fn get(&mut self, row: usize) -> Option<String> {
        if self.array.is_null(row) || self.encoder.is_null(row) {
            return Some("null".to_owned());
        }
        if self.is_checked && unprintable_value(self.array, row).is_some() {
            return None;
        }
        let mut json = Vec::new();
        self.encoder.encode(row, &mut json);
        String::from_utf8(json).ok()
    }
}

impl fmt::Debug for JsonValues<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "values of type {}", self.array.data_type())
    }
}

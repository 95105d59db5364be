//! Columns of texts: strings, or bytes without a type that says so.
//!
//! Older writers of Parquet mark strings as bytes (BINARY without annotation). They are taken as text where a text or
//! an id is selected; a value that is not UTF-8 is a bad record.

use super::data_types::{is_bytes, strings};
use super::fields::ColumnPath;
use crate::sources::hex_of_bytes;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryViewArray, RecordBatch, RecordBatchOptions, StringViewArray};
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use std::ops::Range;
use std::sync::Arc;

/// The texts of a batch.
#[derive(Debug)]
pub(crate) enum TextValues {
    Strings(StringViewArray),
    Bytes(BinaryViewArray),
}

impl TextValues {
    pub(crate) fn from_array(array: &ArrayRef) -> Result<Self, ArrowError> {
        if is_bytes(array.data_type()) {
            return Ok(Self::Bytes(cast(array, &DataType::BinaryView)?.as_binary_view().clone()));
        }
        strings(array).map(Self::Strings)
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Strings(texts) => texts.len(),
            Self::Bytes(texts) => texts.len(),
        }
    }

    /// Total length of some rows in bytes.
    pub(crate) fn bytes(&self, rows: &Range<usize>) -> u64 {
        match self {
            Self::Strings(texts) => texts.slice(rows.start, rows.len()).lengths().map(u64::from).sum(),
            Self::Bytes(texts) => texts.slice(rows.start, rows.len()).lengths().map(u64::from).sum(),
        }
    }

    /// The text of a row; `None` for null.
    ///
    /// # Errors
    /// The number of the first byte that is not UTF-8, from 1.
    pub(crate) fn get(&self, row: usize) -> Result<Option<&str>, usize> {
        match self {
            Self::Strings(texts) => Ok(texts.is_valid(row).then(|| texts.value(row))),
            Self::Bytes(texts) if texts.is_valid(row) => {
                let text = simdutf8::compat::from_utf8(texts.value(row));
                text.map(Some).map_err(|error| error.valid_up_to() + 1)
            }
            Self::Bytes(_) => Ok(None),
        }
    }
}

/// Fingerprints of a batch as texts, and how these spell them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// Digits as in the strings of the file.
    AsRead,
    /// Decimal digits of integers.
    Decimal,
    /// Hexadecimal digits of bytes.
    Hex,
}

impl TextValues {
    /// Fingerprints as texts: integers in decimal digits, bytes in hexadecimal ones.
    pub(crate) fn of_fingerprints(array: &ArrayRef) -> Result<(Self, Spelling), ArrowError> {
        let hex = |bytes: Option<&[u8]>| bytes.map(hex_of_bytes);
        if let Some(fixed) = array.as_fixed_size_binary_opt() {
            return Ok((Self::Strings(fixed.iter().map(hex).collect()), Spelling::Hex));
        }
        if is_bytes(array.data_type()) {
            let bytes = cast(array, &DataType::BinaryView)?;
            return Ok((Self::Strings(bytes.as_binary_view().iter().map(hex).collect()), Spelling::Hex));
        }
        let spelling = if array.data_type().is_integer() { Spelling::Decimal } else { Spelling::AsRead };
        Ok((Self::from_array(array)?, spelling))
    }
}

/// The schema with strings in place of the bytes at these paths.
pub(crate) fn with_strings(schema: &Schema, paths: &[ColumnPath]) -> SchemaRef {
    let paths: Vec<&[String]> = paths.iter().map(Vec::as_slice).collect();
    Arc::new(Schema::new_with_metadata(fields_with_strings(schema.fields(), &paths), schema.metadata().clone()))
}

fn fields_with_strings(fields: &Fields, paths: &[&[String]]) -> Fields {
    let inside = |field: &FieldRef| -> Vec<&[String]> {
        paths
            .iter()
            .filter_map(|path| path.split_first().filter(|(name, _)| *name == field.name()))
            .map(|p| p.1)
            .collect()
    };
    let convert = |field: &FieldRef| {
        let data_type = match (field.data_type(), inside(field)) {
            (_, paths) if paths.is_empty() => return Arc::clone(field),
            (DataType::Struct(fields), paths) => DataType::Struct(fields_with_strings(fields, &paths)),
            (DataType::LargeBinary, _) => DataType::LargeUtf8,
            (DataType::BinaryView, _) => DataType::Utf8View,
            (found, _) if is_bytes(found) => DataType::Utf8,
            _ => return Arc::clone(field),
        };
        Arc::new(Field::clone(field).with_data_type(data_type))
    };
    fields.iter().map(convert).collect()
}

/// The rows in the types of `schema`.
///
/// # Errors
/// A value does not fit, as bytes that are not UTF-8.
pub(crate) fn cast_columns(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let strict = CastOptions { safe: false, ..CastOptions::default() };
    let cast = |(column, field): (&ArrayRef, &FieldRef)| cast_with_options(column, field.data_type(), &strict);
    let columns = batch.columns().iter().zip(schema.fields()).map(cast).collect::<Result<_, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)
}

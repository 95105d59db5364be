//! The columns with text, id and score, and their values as strings and numbers.

use super::data_types::{has_type, is_bytes, is_text, strings};
use super::item_lists::ItemLists;
use super::vector_lists::VectorLists;
use crate::base::details::{ColumnRole, ColumnShape, ColumnTypes};
use crate::base::{Error, Result};
use crate::rows::{Annotation, Column, ColumnKind};
use crate::sources::{FieldNames, GivenVectors, ItemCounts, ItemSeparator};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringViewArray, UInt64Array};
use arrow_buffer::NullBuffer;
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, FieldRef, Fields, Schema};
use std::path::Path;

/// The path of a column: its name after those of the structs that contain it.
pub(crate) type ColumnPath = Vec<String>;

/// The columns of the selected fields.
#[derive(Debug, Clone)]
pub(crate) struct FieldColumns {
    pub(crate) text: ColumnPath,
    pub(crate) id: Option<ColumnPath>,
    pub(crate) score: Option<ColumnPath>,
    /// Further scores, by the names of their fields.
    pub(crate) more_scores: Vec<Option<ColumnPath>>,
    /// Carried fields, by their names.
    pub(crate) carried: Vec<Option<ColumnPath>>,
    /// Columns of text and id that hold bytes, which are taken as text; fingerprints are not.
    pub(crate) bytes: Vec<ColumnPath>,
    /// Contents of the column of texts.
    pub(crate) content: ColumnContent,
}

/// Contents of the column of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnContent {
    /// Texts, or items in strings or lists.
    TextsOrItems,
    /// Fingerprints.
    Fingerprints,
    /// Lists of numbers, or strings that spell such.
    Vectors,
}

/// Values to order documents by.
#[derive(Debug)]
pub(crate) enum Scores {
    Integers(Int64Array),
    /// Unsigned integers, which may exceed signed ones.
    Unsigned(UInt64Array),
    Numbers(Float64Array),
    /// Numbers in decimal digits.
    Decimals(StringViewArray),
    Texts(StringViewArray),
}

/// Number of columns with values, those inside structs and lists included.
pub(crate) fn leaf_columns(fields: &Fields) -> usize {
    let leaves = |data_type: &DataType| match data_type {
        DataType::Struct(fields) => leaf_columns(fields),
        DataType::List(item) | DataType::LargeList(item) => leaf_columns(&[item.clone()].into()),
        _ => 1,
    };
    fields.iter().map(|field| leaves(field.data_type())).sum()
}

impl FieldColumns {
    /// Looks the fields up in the schema of the file at `path`.
    ///
    /// # Errors
    /// [`Error::NoColumn`] if there is no text, [`Error::ColumnType`], [`Error::ColumnExists`].
    pub(crate) fn find(schema: &Schema, names: &FieldNames, path: &Path) -> Result<Self> {
        let fields = schema.fields();
        if let Some(field) = &names.reserved {
            let mut reserved = Annotation::reserved_columns(field).chain([field.clone()]);
            if let Some(column) = reserved.find(|name| fields.find(name).is_some()) {
                return Err(Error::ColumnExists { path: path.to_owned(), column });
            }
        }
        let checked = |name: &str, expected, fits: fn(&DataType) -> bool| match find(fields, name) {
            Some((column, data_type)) if fits(data_type) => Ok(Some(column)),
            Some((_, data_type)) => Err(wrong_type(path, name, data_type, expected)),
            None => Ok(None),
        };
        let (expected, is_content) = content_types(names);
        let missing = |name: &str| names.missing(name, path, dotted_names(fields).iter().map(String::as_str));
        let text = checked(&names.text, expected, is_content)?.ok_or_else(|| missing(&names.text))?;
        if let Some(name) = names.required().find(|name| find(fields, name).is_none()) {
            return Err(missing(name));
        }
        let id = checked(&names.id, ColumnTypes::Ids, |found| is_text(found) || is_bytes(found) || found.is_integer())?;
        let score = |name: &String| {
            checked(name, ColumnTypes::Scores, |found| is_text(found) || found.is_numeric() || is_date(found))
        };
        let more_scores = names.more_scores.iter().map(score).collect::<Result<_>>()?;
        let score = names.score.as_ref().map(score).transpose()?.flatten();
        let as_text = (content_of(names) == ColumnContent::TextsOrItems).then_some(&text);
        let mut bytes: Vec<ColumnPath> = [as_text, id.as_ref()].into_iter().flatten().cloned().collect();
        bytes.retain(|path| find(fields, &path.join(".")).is_some_and(|(_, data_type)| is_bytes(data_type)));
        let content = content_of(names);
        let carried = names.carried.iter().map(|name| find(fields, name).map(|(path, _)| path)).collect();
        Ok(Self { text, id, score, more_scores, carried, bytes, content })
    }

    /// Paths of all selected columns.
    pub(crate) fn paths(&self) -> Vec<ColumnPath> {
        let carried = self.carried.iter().map(Option::as_ref);
        let compared = [Some(&self.text), self.id.as_ref(), self.score.as_ref()];
        let more_scores = self.more_scores.iter().map(Option::as_ref);
        compared.into_iter().chain(more_scores).chain(carried).flatten().cloned().collect()
    }
}

/// Contents of the column of texts.
fn content_of(names: &FieldNames) -> ColumnContent {
    match names.fingerprints {
        Some(_) => ColumnContent::Fingerprints,
        None if names.vectors.are_given() => ColumnContent::Vectors,
        None => ColumnContent::TextsOrItems,
    }
}

/// The types of columns that can hold the content of documents, by name and as a test.
pub(crate) fn content_types(names: &FieldNames) -> (ColumnTypes, fn(&DataType) -> bool) {
    if names.fingerprints.is_some() {
        return (ColumnTypes::Fingerprints, is_fingerprint);
    }
    if names.vectors == GivenVectors::Signatures {
        // Floats of 32 bits cannot hold all of them.
        return (ColumnTypes::Signatures, |found| is_text(found) || VectorLists::are_exact(found));
    }
    if names.vectors.are_given() {
        return (ColumnTypes::Vectors, |found| is_text(found) || VectorLists::are_of(found));
    }
    match (names.items, names.item_counts) {
        (None, _) => (ColumnTypes::Texts, is_text_or_bytes),
        (Some(ItemSeparator::Whole), ItemCounts::Absent) => (ColumnTypes::WholeItems, |found| {
            is_text_or_bytes(found) || found.is_integer() || ItemLists::are_of(found, ItemCounts::Absent)
        }),
        (Some(_), ItemCounts::Absent) => {
            (ColumnTypes::Items, |found| is_text_or_bytes(found) || ItemLists::are_of(found, ItemCounts::Absent))
        }
        (Some(_), ItemCounts::Written) => (ColumnTypes::CountedItems, |found| {
            is_text_or_bytes(found) || ItemLists::are_of(found, ItemCounts::Written)
        }),
    }
}

/// The column with this name, or else with this path of names joined by dots.
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

/// The names of the columns, in place of each struct those in it, as `doc.text`.
fn dotted_names(fields: &Fields) -> Vec<String> {
    let dotted = |field: &FieldRef| match field.data_type() {
        DataType::Struct(inner) => inner.iter().map(|inner| format!("{}.{}", field.name(), inner.name())).collect(),
        _ => vec![field.name().clone()],
    };
    fields.iter().flat_map(dotted).collect()
}

/// Checks that a file has columns of a header, the first `required` ones at least, in types that can be converted to
/// its kinds, and no others.
///
/// # Errors
/// [`Error::NoColumn`], [`Error::ColumnType`].
pub(crate) fn check_columns(path: &Path, schema: &Schema, header: &[Column], required: usize) -> Result<()> {
    if let Some(missing) = header[..required].iter().find(|selected| schema.fields().find(selected.name).is_none()) {
        let found = schema.fields().iter().map(|field| field.name().as_str());
        return Err(Error::no_column(path, missing.name, found, ColumnRole::Pairs));
    }
    for field in schema.fields() {
        let data_type = field.data_type();
        let selected = header.iter().find(|selected| selected.name == field.name());
        let (expected, fits) = match selected.map(|selected| selected.kind) {
            Some(ColumnKind::Id { .. } | ColumnKind::Text | ColumnKind::Json) => {
                (ColumnTypes::Texts, is_text(data_type))
            }
            Some(ColumnKind::Share | ColumnKind::Number | ColumnKind::Count | ColumnKind::Count32) => {
                (ColumnTypes::Numbers, data_type.is_numeric())
            }
            Some(ColumnKind::Flag) => (ColumnTypes::Flags, *data_type == DataType::Boolean),
            Some(ColumnKind::Bytes(size)) => (ColumnTypes::FixedBytes, *data_type == DataType::FixedSizeBinary(size)),
            None => (ColumnTypes::None, false),
        };
        if !fits {
            return Err(wrong_type(path, field.name(), data_type, expected));
        }
    }
    Ok(())
}

fn wrong_type(path: &Path, column: &str, found: &DataType, expected: ColumnTypes) -> Error {
    let shape = shape_of(found);
    Error::ColumnType { path: path.to_owned(), column: column.to_owned(), expected, found: found.to_string(), shape }
}

/// The shape of a type, that of a list inside of another type included.
fn shape_of(data_type: &DataType) -> ColumnShape {
    let has_list = has_type(data_type, &|inner| inner.is_list());
    match data_type {
        DataType::Map(..) => ColumnShape::Map,
        _ if has_list && has_type(data_type, &DataType::is_floating) => ColumnShape::FractionLists,
        _ if has_list => ColumnShape::Lists,
        _ => ColumnShape::Other,
    }
}

fn is_text_or_bytes(data_type: &DataType) -> bool {
    is_text(data_type) || is_bytes(data_type)
}

/// Returns whether the values of a column can be fingerprints.
fn is_fingerprint(data_type: &DataType) -> bool {
    is_text(data_type)
        || is_bytes(data_type)
        || data_type.is_integer()
        || matches!(data_type, DataType::FixedSizeBinary(_))
}

fn is_date(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..))
}

/// A column of a batch, with the nulls of the structs that contain it.
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

impl Scores {
    pub(crate) fn from_array(array: &ArrayRef) -> std::result::Result<Self, ArrowError> {
        match array.data_type() {
            DataType::UInt64 => Ok(Self::Unsigned(array.as_primitive::<UInt64Type>().clone())),
            found if found.is_integer() => {
                Ok(Self::Integers(cast(array, &DataType::Int64)?.as_primitive::<Int64Type>().clone()))
            }
            found if found.is_decimal() => strings(array).map(Self::Decimals),
            found if found.is_numeric() => {
                Ok(Self::Numbers(cast(array, &DataType::Float64)?.as_primitive::<Float64Type>().clone()))
            }
            // Without the time zone, which all values share: a "Z" after fractions of a second would sort wrongly.
            DataType::Timestamp(unit, Some(_)) => {
                let instants = cast(array, &DataType::Int64)?;
                strings(&cast(&instants, &DataType::Timestamp(*unit, None))?).map(Self::Texts)
            }
            _ => strings(array).map(Self::Texts),
        }
    }
}

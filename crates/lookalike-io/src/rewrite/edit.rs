//! Texts of batches changed.

use super::conversion::{SelectedRecord, TextEdit};
use crate::columns::ColumnPath;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, LargeStringArray, RecordBatch, StructArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use std::sync::Arc;

/// The rows, one a selected record, with other texts; the column of texts stands at `text`.
pub(super) fn edited(
    batch: RecordBatch,
    text: &ColumnPath,
    selected: &[SelectedRecord<'_>],
    edit: TextEdit<'_>,
) -> Result<RecordBatch, ArrowError> {
    let Some((name, inner)) = text.split_first() else { return Ok(batch) };
    let place = batch.schema_ref().index_of(name)?;
    let mut columns = batch.columns().to_vec();
    columns[place] = edited_column(&columns[place], inner, selected, edit)?;
    RecordBatch::try_new(batch.schema(), columns)
}

fn edited_column(
    column: &ArrayRef,
    path: &[String],
    selected: &[SelectedRecord<'_>],
    edit: TextEdit<'_>,
) -> Result<ArrayRef, ArrowError> {
    let Some((name, inner)) = path.split_first() else { return edited_texts(column, selected, edit) };
    let Some(whole) = column.as_struct_opt() else { return Ok(Arc::clone(column)) };
    let (fields, mut columns, nulls) = whole.clone().into_parts();
    if let Some(place) = fields.iter().position(|field| field.name() == name) {
        columns[place] = edited_column(&columns[place], inner, selected, edit)?;
    }
    Ok(Arc::new(StructArray::try_new(fields, columns, nulls)?))
}

/// The texts as they are if none changes.
fn edited_texts(
    column: &ArrayRef,
    selected: &[SelectedRecord<'_>],
    edit: TextEdit<'_>,
) -> Result<ArrayRef, ArrowError> {
    let texts = cast(column, &DataType::LargeUtf8)?;
    let texts: &LargeStringArray = texts.as_string();
    let changed = |(text, record): (Option<&str>, &SelectedRecord<'_>)| (edit.0)(record.document, text?);
    let changed: Vec<Option<String>> = texts.iter().zip(selected).map(changed).collect();
    if changed.iter().all(Option::is_none) {
        return Ok(Arc::clone(column));
    }
    let texts = texts.iter().zip(&changed).map(|(text, changed)| changed.as_deref().or(text));
    cast(&texts.collect::<LargeStringArray>(), column.data_type())
}

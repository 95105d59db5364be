//! Lists of items in one string, for tables of text, which have no lists: with the separator that `items` names, so
//! that the same flags read them again. An item that would not be read again as it is ends the job.

use crate::base::RecordFormat;
use crate::base::details::{Action, DataForm, Remedy};
use crate::base::{Error, Result};
use crate::columns::ItemLists;
use crate::rewrite::conversion::{Rewrite, SelectedRows};
use crate::sources::{ItemSeparator, Source};
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use std::sync::Arc;

/// The schema with a string in place of the list of items, if the output is a table of text.
pub(super) fn joined_schema(job: Rewrite<'_>, schema: SchemaRef) -> SchemaRef {
    let Some((column, _)) = joined_column(job, &schema) else { return schema };
    let mut fields: Vec<_> = schema.fields().iter().cloned().collect();
    fields[column] = Arc::new(fields[column].as_ref().clone().with_data_type(DataType::Utf8));
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

/// The rows in that schema.
///
/// # Errors
/// [`Error::CannotHoldValue`] for an item that the string would not give back.
pub(super) fn joined_rows<'w>(job: Rewrite<'_>, source: &Source, rows: SelectedRows<'w>) -> Result<SelectedRows<'w>> {
    let (batch, selected) = rows;
    let Some((column, separator)) = joined_column(job, batch.schema_ref()) else { return Ok((batch, selected)) };
    let unreadable =
        |error: ArrowError| Error::io(Action::Convert, &source.path, std::io::Error::other(error.to_string()));
    let lists = ItemLists::from_array(batch.column(column)).map_err(unreadable)?;
    let mut strings = StringBuilder::new();
    let mut joined = String::new();
    for row in 0..lists.len() {
        let Some(items) = lists.written(row) else {
            strings.append_null();
            continue;
        };
        joined.clear();
        for (index, item) in items.enumerate() {
            let fits = separator.check(&item);
            let number = selected.get(row).map_or(row as u64 + 1, |record| record.number);
            fits.map_err(|found| Error::CannotHoldValue {
                path: source.path.to_path_buf(),
                row: number,
                column: job.fields.text.clone(),
                found,
                form: DataForm::TextTable,
                remedy: Remedy::Formats(&[RecordFormat::JsonLines, RecordFormat::Parquet, RecordFormat::Arrow]),
            })?;
            if index > 0 {
                joined.push(separator.character());
            }
            joined.push_str(&item);
        }
        strings.append_value(&joined);
    }
    let schema = joined_schema(job, batch.schema());
    let mut columns: Vec<ArrayRef> = batch.columns().to_vec();
    columns[column] = Arc::new(strings.finish());
    Ok((RecordBatch::try_new(schema, columns).map_err(unreadable)?, selected))
}

/// The column whose lists are joined, and what stands between items.
fn joined_column(job: Rewrite<'_>, schema: &Schema) -> Option<(usize, ItemSeparator)> {
    let is_text = job.format.is_text();
    let separator = job.fields.items.filter(|separator| is_text && *separator != ItemSeparator::Whole)?;
    let (column, field) = schema.fields().find(&job.fields.text)?;
    ItemLists::are_of(field.data_type(), job.fields.item_counts).then_some((column, separator))
}

//! Rows of a file of columns as batches.

use crate::base::{Error, Result};
use crate::columns::{BatchFormat, BatchReader, FieldColumns, cast_columns, unreadable, with_strings};
use crate::formats::{RecordFormat, RowFormat};
use crate::rewrite::conversion::{SelectedRecord, SelectedRows};
use crate::sources::FieldNames;
use arrow_array::BooleanArray;
use arrow_schema::SchemaRef;
use arrow_select::filter::filter_record_batch;
use std::iter::Peekable;
use std::path::Path;

pub(crate) struct ColumnRows<'r> {
    path: &'r Path,
    format: RecordFormat,
    reader: BatchReader,
    /// The schema of the output, if bytes become strings in it.
    with_strings: Option<SchemaRef>,
    /// Number of rows in the batches so far.
    before: u64,
}

impl<'r> ColumnRows<'r> {
    /// Opens a file to read it up to row `last` for an output in the format `to`.
    pub(crate) fn open(
        path: &'r Path,
        format: RecordFormat,
        names: &FieldNames,
        to: RowFormat,
        last: u64,
    ) -> Result<Self> {
        let reader = BatchReader::open(path, format, None, Some(last))?;
        let with_strings = match to {
            // Bytes would be printed as hexadecimal numbers.
            RowFormat::JsonLines | RowFormat::Csv | RowFormat::Tsv => {
                let names = FieldNames { reserved: None, ..names.clone() };
                let bytes =
                    FieldColumns::find(reader.schema(), &names, path).map(|fields| fields.bytes).unwrap_or_default();
                (!bytes.is_empty()).then(|| with_strings(reader.schema(), &bytes))
            }
            RowFormat::Parquet | RowFormat::Arrow => None,
        };
        Ok(Self { path, format, reader, with_strings, before: 0 })
    }

    pub(super) fn schema(&self) -> &SchemaRef {
        self.with_strings.as_ref().unwrap_or_else(|| self.reader.schema())
    }

    /// Bytes of the file read so far.
    pub(super) fn read_bytes(&self) -> u64 {
        self.reader.read_bytes()
    }

    /// The format for a copy of an Arrow file; `None` for Parquet.
    pub(crate) fn arrow_format(&self) -> Option<BatchFormat> {
        (self.format == RecordFormat::Arrow).then(|| self.reader.arrow_format())
    }

    /// The selected rows of the next batch that has some. There must be selected records left.
    pub(super) fn next<'w>(
        &mut self,
        records: &mut Peekable<impl Iterator<Item = SelectedRecord<'w>>>,
    ) -> Result<SelectedRows<'w>> {
        let unreadable = |message| unreadable(self.path, self.format, message);
        while let Some(batch) = self.reader.next().map_err(unreadable)? {
            let rows = batch.num_rows() as u64;
            let mut is_selected = vec![false; batch.num_rows()];
            let mut selected = Vec::new();
            while let Some(record) = records.next_if(|record| record.number <= self.before + rows) {
                if let Some(row) = is_selected.get_mut((record.number - self.before - 1) as usize) {
                    *row = true;
                }
                selected.push(record);
            }
            self.before += rows;
            if !selected.is_empty() {
                let filtered = filter_record_batch(&batch, &BooleanArray::from(is_selected));
                let converted = filtered.and_then(|batch| match &self.with_strings {
                    Some(schema) => cast_columns(&batch, schema),
                    None => Ok(batch),
                });
                return converted.map(|batch| (batch, selected)).map_err(|error| unreadable(error.to_string()));
            }
        }
        Err(Error::Changed { path: self.path.to_owned() })
    }
}

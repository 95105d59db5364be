//! Rows of CSV and TSV as batches. All columns are strings, because the files have no types.

use super::selected_records::SelectedRecords;
use crate::base::{Error, Result};
use crate::columns::{repeated, unreadable};
use crate::formats::{Dialect, RecordFormat};
use crate::read::{header, is_blank, is_quoted, names_in, row_reader};
use crate::rewrite::conversion::{SelectedRecord, SelectedRows};
use crate::sources::{FieldNames, Source, SourceKind, TextEncoding, decode_part};
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::iter::{self, Peekable};
use std::path::Path;
use std::sync::Arc;

pub(crate) struct DelimitedRows<'r> {
    path: &'r Path,
    format: RecordFormat,
    pub(super) records: SelectedRecords,
    dialect: Dialect,
    pub(super) schema: SchemaRef,
    /// The id column, whose empty values without quotes become nulls. In quotes they stay empty strings.
    id: Option<usize>,
    encoding: Option<TextEncoding>,
}

impl<'r> DelimitedRows<'r> {
    pub(crate) fn open(source: &'r Source, names: &FieldNames) -> Result<Self> {
        let SourceKind::Records { compression, format, .. } = source.kind else {
            return Err(Error::NotAFile { path: source.path.to_path_buf() });
        };
        let dialect = source.dialect().unwrap_or(Dialect::quoted(b','));
        let header = header(source)?;
        // A file without a header has the required columns.
        let columns = if is_blank(&header) {
            vec![names.id.clone(), names.text.clone()]
        } else {
            names_in(&header, dialect, names.encoding)
        };
        if let Some(column) = repeated(columns.iter().map(String::as_str)) {
            return Err(Error::ColumnTwice { path: source.path.to_path_buf(), column: column.to_owned() });
        }
        let id = columns.iter().position(|column| *column == names.id);
        let fields: Vec<Field> = columns.into_iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
        let records = SelectedRecords::open(&source.file, compression, fields.len())?;
        let schema = Arc::new(Schema::new(fields));
        Ok(Self { path: &source.file, format, records, dialect, schema, id, encoding: names.encoding })
    }

    /// The next batch. There must be selected records left.
    pub(super) fn next<'w>(
        &mut self,
        records: &mut Peekable<impl Iterator<Item = SelectedRecord<'w>>>,
    ) -> Result<SelectedRows<'w>> {
        let mut bytes = Vec::new();
        let mut ends = Vec::new();
        let selected = self.records.next(records, |_, row| {
            bytes.extend_from_slice(row);
            if !bytes.ends_with(b"\n") {
                bytes.push(b'\n');
            }
            ends.push(bytes.len());
            Ok(())
        })?;
        if i32::try_from(bytes.len()).is_err() {
            let message = "it has a row that is too long for a column".to_owned();
            return Err(unreadable(self.path, self.format, message));
        }
        match self.batch(&bytes, &ends) {
            Some(batch) if batch.num_rows() == selected.len() => Ok((batch, selected)),
            _ => Err(Error::Changed { path: self.path.to_owned() }),
        }
    }

    /// The rows, which end at `ends`, as a batch; `None` if they do not fit the header.
    fn batch(&self, bytes: &[u8], ends: &[usize]) -> Option<RecordBatch> {
        let mut columns: Vec<StringBuilder> = self.schema.fields().iter().map(|_| StringBuilder::new()).collect();
        let mut reader = row_reader(bytes, self.dialect);
        let mut row = csv::ByteRecord::new();
        let mut spans = iter::once(0).chain(ends.iter().copied()).zip(ends);
        while reader.read_byte_record(&mut row).ok()? {
            let (begin, end) = spans.next()?;
            if row.len() != columns.len() {
                return None;
            }
            for (index, (column, value)) in columns.iter_mut().zip(&row).enumerate() {
                let is_null = value.is_empty()
                    && self.id == Some(index)
                    && !is_quoted(bytes.get(begin..*end)?, index, self.dialect);
                column.append_option(if is_null { None } else { Some(decode_part(value, self.encoding).ok()?) });
            }
        }
        let columns = columns.into_iter().map(|mut column| Arc::new(column.finish()) as ArrayRef).collect();
        RecordBatch::try_new(self.schema.clone(), columns).ok()
    }
}

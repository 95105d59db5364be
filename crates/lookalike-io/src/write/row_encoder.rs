//! Rows as the bytes or the columns of a file, apart from the file: several threads can encode at a time what one of
//! them writes in order.
//!
//! For columns the serializer of arrow-json, which JSON records need too, converts rows to arrays.

use crate::ground::{Error, Result};
use arrow_array::RecordBatch;
use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{ArrowError, SchemaRef};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};

/// Number of rows per batch of columns.
pub(super) const BATCH_ROWS: usize = 1 << 13;
/// Number of rows of text that are encoded at once: less than a millisecond of work, and some hundred kilobytes.
const TEXT_ROWS: usize = 1 << 10;

/// Encodes rows for the file of a [`super::RowWriter`], which appends them.
#[derive(Debug, Clone)]
pub struct RowEncoder {
    /// Path of the file, for errors.
    path: PathBuf,
    form: RowForm,
}

/// What rows are in a file.
#[derive(Debug, Clone)]
pub(super) enum RowForm {
    Text(TextForm),
    Columns(SchemaRef),
}

/// A line for each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextForm {
    JsonLines,
    /// CSV, or TSV.
    Delimited(u8),
}

/// Encoded rows.
#[derive(Debug)]
pub struct EncodedRows(pub(super) Encoded);

#[derive(Debug)]
pub(super) enum Encoded {
    Text(Vec<u8>),
    /// `None` for no rows.
    Columns(Option<RecordBatch>),
}

impl RowEncoder {
    pub(super) fn new(path: &Path, form: RowForm) -> Self {
        Self { path: path.to_owned(), form }
    }

    /// Number of rows that should be encoded at once. A file of columns is the same, byte for byte, only if all rows
    /// but the last come in batches of as many.
    pub fn batch_rows(&self) -> usize {
        match self.form {
            RowForm::Text(_) => TEXT_ROWS,
            RowForm::Columns(_) => BATCH_ROWS,
        }
    }

    /// Encodes rows: flat structs with the fields of the header.
    ///
    /// # Errors
    /// [`Error::Io`] for rows that the format cannot express.
    pub fn encode(&self, rows: impl IntoIterator<Item = impl Serialize>) -> Result<EncodedRows> {
        let encoded = match &self.form {
            RowForm::Text(form) => {
                let mut lines = Vec::new();
                form.append(rows, &mut lines).map(|()| Encoded::Text(lines))
            }
            RowForm::Columns(schema) => columns(schema, rows).map(Encoded::Columns).map_err(io::Error::other),
        };
        encoded.map(EncodedRows).map_err(|source| Error::io("write", &self.path, source))
    }
}

impl TextForm {
    /// Appends the lines of rows to `lines`.
    pub(super) fn append(self, rows: impl IntoIterator<Item = impl Serialize>, lines: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::JsonLines => {
                for row in rows {
                    serde_json::to_writer(&mut *lines, &row)?;
                    lines.push(b'\n');
                }
            }
            Self::Delimited(delimiter) => {
                let mut writer = csv::WriterBuilder::new().delimiter(delimiter).has_headers(false).from_writer(lines);
                rows.into_iter().try_for_each(|row| writer.serialize(row))?;
                writer.flush()?;
            }
        }
        Ok(())
    }
}

/// A converter of rows to columns.
pub(super) fn decoder(schema: &SchemaRef) -> std::result::Result<Decoder, ArrowError> {
    ReaderBuilder::new(schema.clone()).with_batch_size(BATCH_ROWS).build_decoder()
}

fn columns(
    schema: &SchemaRef,
    rows: impl IntoIterator<Item = impl Serialize>,
) -> std::result::Result<Option<RecordBatch>, ArrowError> {
    let mut decoder = decoder(schema)?;
    rows.into_iter().try_for_each(|row| decoder.serialize(std::slice::from_ref(&row)))?;
    decoder.flush()
}

//! Rows as the bytes or the columns of a file, apart from the file: several threads can encode at a time what one of
//! them writes in order.
//!
//! An encoder has no state, so threads share one. Files do not depend on how many rows are encoded at once: lines are
//! lines, and columns are cut into batches anew where they are written.
//!
//! For columns the serializer of arrow-json, which JSON records need too, converts rows to arrays.

use crate::base::details::Action;
use crate::base::{Error, Result};
use crate::formats::{Dialect, push_row};
use crate::rows::{JsonForm, Row, Serialized};
use arrow_array::RecordBatch;
use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{ArrowError, SchemaRef};
use std::io;
use std::path::{Path, PathBuf};

/// Encodes rows for the file of a [`super::RowWriter`], which appends them.
#[derive(Debug, Clone)]
pub struct RowEncoder {
    /// Path of the file, for errors.
    path: PathBuf,
    encoding: RowEncoding,
}

/// Encoding of rows in a file.
#[derive(Debug, Clone)]
pub(super) enum RowEncoding {
    Lines(LineEncoding),
    Columns(SchemaRef),
}

/// Encoding of a row as a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEncoding {
    Json,
    /// CSV, or TSV.
    Delimited(u8),
}

/// Encoded rows.
#[derive(Debug)]
pub struct EncodedRows(pub(super) Encoded);

#[derive(Debug)]
pub(super) enum Encoded {
    Lines(LineEncoding, Vec<u8>),
    /// `None` for no rows.
    Columns(Option<RecordBatch>),
}

impl RowEncoder {
    /// Memory in bytes that the serializer takes for a row of columns and each of its fields, beside the values.
    const FIELD_BYTES: usize = 32;

    pub(super) fn new(path: &Path, encoding: RowEncoding) -> Self {
        Self { path: path.to_owned(), encoding }
    }

    /// Memory in bytes that encoding a row takes beside its values, about.
    pub fn row_bytes(&self) -> usize {
        match &self.encoding {
            RowEncoding::Lines(_) => 0,
            RowEncoding::Columns(schema) => (schema.fields().len() + 1) * Self::FIELD_BYTES,
        }
    }

    /// Encodes rows, each with the columns of the header.
    ///
    /// # Errors
    /// [`Error::Io`] for rows that the format cannot express.
    pub fn encode(&self, rows: impl IntoIterator<Item = impl Row>) -> Result<EncodedRows> {
        let encoded = match &self.encoding {
            RowEncoding::Lines(encoding) => {
                let mut lines = Vec::new();
                encoding.append(rows, &mut lines).map(|()| Encoded::Lines(*encoding, lines))
            }
            RowEncoding::Columns(schema) => columns(schema, rows).map(Encoded::Columns).map_err(io::Error::other),
        };
        encoded.map(EncodedRows).map_err(|source| Error::io(Action::Write, &self.path, source))
    }
}

impl LineEncoding {
    /// Appends the lines of rows to `lines`.
    pub(super) fn append(self, rows: impl IntoIterator<Item = impl Row>, lines: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Json => {
                for row in rows {
                    serde_json::to_writer(&mut *lines, &Serialized { row, json: JsonForm::Value })?;
                    lines.push(b'\n');
                }
            }
            Self::Delimited(delimiter) => {
                let begin = lines.len();
                let mut written = 0;
                let mut writer =
                    csv::WriterBuilder::new().delimiter(delimiter).has_headers(false).from_writer(&mut *lines);
                for row in rows {
                    writer.serialize(Serialized { row, json: JsonForm::Text })?;
                    written += 1;
                }
                writer.flush()?;
                drop(writer);
                let line_ends = memchr::memchr2_iter(b'\r', b'\n', &lines[begin..]).count();
                if delimiter == b'\t' && line_ends > written {
                    let rows = lines.split_off(begin);
                    clear_rows(&rows, lines)?;
                }
            }
        }
        Ok(())
    }
}

/// Appends rows of tab-separated values, some of which span lines, so that readers see where each ends.
fn clear_rows(rows: &[u8], lines: &mut Vec<u8>) -> io::Result<()> {
    let mut reader = Dialect::quoted(b'\t').reader_builder().from_reader(rows);
    let mut row = csv::ByteRecord::new();
    while reader.read_byte_record(&mut row)? {
        let fields: Vec<&[u8]> = row.iter().collect();
        push_row(&fields, b'\t', lines).map_err(io::Error::other)?;
    }
    Ok(())
}

/// A converter of rows to columns, of at most `max_rows` at once.
pub(super) fn decoder(schema: &SchemaRef, max_rows: usize) -> std::result::Result<Decoder, ArrowError> {
    ReaderBuilder::new(schema.clone()).with_batch_size(max_rows).build_decoder()
}

/// Adds a row to those that become columns.
pub(super) fn decode(decoder: &mut Decoder, row: impl Row) -> std::result::Result<(), ArrowError> {
    decoder.serialize(&[Serialized { row, json: JsonForm::Text }])
}

fn columns(
    schema: &SchemaRef,
    rows: impl IntoIterator<Item = impl Row>,
) -> std::result::Result<Option<RecordBatch>, ArrowError> {
    let mut rows = rows.into_iter();
    let mut decoder = decoder(schema, rows.size_hint().0)?;
    rows.try_for_each(|row| decode(&mut decoder, row))?;
    decoder.flush()
}

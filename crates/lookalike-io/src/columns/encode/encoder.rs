//! The writers of the formats, behind one interface.

use super::json_encoders::Encoders;
use super::parquet_types::with_parquet_types;
use crate::columns::batch_format::BatchFormat;
use crate::columns::fields::leaf_columns;
use crate::columns::texts::cast_columns;
use crate::formats::{UnclearRow, push_row};
use arrow_array::RecordBatch;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_json::writer::{LineDelimited, Writer as JsonWriter};
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use std::fmt;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;

/// A row group is held in memory until it is complete, and each thread may write a file. The limit is on its size in
/// the file; memory holds its compressed pages and, per column, a current page and a dictionary of some 2 MiB. A limit
/// on the memory in use (`ArrowWriter::memory_size`) would make the output depend on the hash tables of the machine.
const MAX_GROUP_ROWS: usize = 1 << 16;
const MAX_GROUP_BYTES: usize = 16 << 20;

/// A dictionary takes some 20 KB of memory, empty or not; with more columns than this they have none.
const MAX_DICTIONARIES: usize = 256;

/// A file that is written.
pub(super) enum FormatEncoder<W: Write + Send> {
    JsonLines(Box<JsonWriter<W, LineDelimited>>),
    /// A table of text with this separator.
    Delimited(u8, BufWriter<W>),
    /// Parquet, with the schema in types that it has.
    Parquet(Box<ArrowWriter<W>>, SchemaRef),
    ArrowFile(Box<FileWriter<W>>),
    ArrowStream(Box<StreamWriter<W>>),
}

impl<W: Write + Send> fmt::Debug for FormatEncoder<W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::JsonLines(_) => "JsonLines",
            Self::Delimited(..) => "Delimited",
            Self::Parquet(..) => "Parquet",
            Self::ArrowFile(_) => "ArrowFile",
            Self::ArrowStream(_) => "ArrowStream",
        })
    }
}

impl<W: Write + Send> FormatEncoder<W> {
    pub(super) fn create(file: W, format: &BatchFormat, schema: &SchemaRef) -> ParquetResult<Self> {
        let options = |compression| IpcWriteOptions::default().try_with_compression(compression).map_err(plain);
        Ok(match format {
            BatchFormat::JsonLines => {
                // A column becomes a field of every record, null or not.
                let writer = arrow_json::WriterBuilder::new().with_explicit_nulls(true);
                let writer = writer.with_encoder_factory(Arc::new(Encoders));
                Self::JsonLines(Box::new(writer.build::<_, LineDelimited>(file)))
            }
            BatchFormat::Delimited(delimiter) => {
                let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
                let mut header = Vec::new();
                push_row(&names, *delimiter, &mut header).map_err(io::Error::other)?;
                let mut writer = BufWriter::new(file);
                writer.write_all(&header)?;
                Self::Delimited(*delimiter, writer)
            }
            BatchFormat::Parquet => {
                let schema = with_parquet_types(schema);
                let properties = properties(leaf_columns(schema.fields()));
                let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties))?;
                Self::Parquet(Box::new(writer), schema)
            }
            BatchFormat::ArrowFile(compression, metadata) => {
                let writer = FileWriter::try_new_with_options(file, schema, options(*compression)?);
                let mut writer = writer.map_err(plain)?;
                let mut pairs: Vec<_> = metadata.iter().collect();
                pairs.sort_unstable();
                pairs.into_iter().for_each(|(key, value)| writer.write_metadata(key, value));
                Self::ArrowFile(Box::new(writer))
            }
            BatchFormat::ArrowStream(compression) => {
                let writer = StreamWriter::try_new_with_options(file, schema, options(*compression)?);
                Self::ArrowStream(Box::new(writer.map_err(plain)?))
            }
        })
    }

    pub(super) fn write(&mut self, batch: &RecordBatch) -> ParquetResult<()> {
        match self {
            Self::JsonLines(writer) => writer.write(batch).map_err(plain),
            Self::Delimited(delimiter, writer) => write_delimited(*delimiter, writer, batch),
            Self::Parquet(writer, schema) => writer.write(&cast_columns(batch, schema)?),
            Self::ArrowFile(writer) => writer.write(batch).map_err(plain),
            Self::ArrowStream(writer) => writer.write(batch).map_err(plain),
        }
    }

    /// Adds an entry to the metadata of the file, where the format has such.
    pub(super) fn describe(&mut self, key: &str, value: &str) {
        match self {
            Self::Parquet(writer, _) => {
                writer.append_key_value_metadata(KeyValue::new(key.to_owned(), value.to_owned()));
            }
            Self::ArrowFile(writer) => writer.write_metadata(key, value),
            Self::JsonLines(_) | Self::Delimited(..) | Self::ArrowStream(_) => {}
        }
    }

    /// Writes the end.
    pub(super) fn finish(self) -> ParquetResult<W> {
        match self {
            Self::JsonLines(mut writer) => writer.finish().map(|()| writer.into_inner()).map_err(plain),
            Self::Delimited(_, writer) => writer.into_inner().map_err(|error| error.into_error().into()),
            Self::Parquet(writer, _) => writer.into_inner(),
            Self::ArrowFile(writer) => writer.into_inner().map_err(plain),
            Self::ArrowStream(writer) => writer.into_inner().map_err(plain),
        }
    }
}

fn properties(columns: usize) -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_dictionary_enabled(columns <= MAX_DICTIONARIES)
        .set_max_row_group_row_count(Some(MAX_GROUP_ROWS))
        .set_max_row_group_bytes(Some(MAX_GROUP_BYTES))
        .build()
}

/// The error of the system in an error of Arrow.
fn plain(error: ArrowError) -> ParquetError {
    match error {
        ArrowError::IoError(_, source) => source.into(),
        other => other.into(),
    }
}

/// A row of a batch that is no row of a table of text, by its index.
#[derive(Debug, thiserror::Error)]
#[error("row {row}: {reason}")]
pub(super) struct NoRow {
    pub(super) row: usize,
    /// Index of the first column with a text of several lines.
    pub(super) column: usize,
    pub(super) reason: UnclearRow,
}

/// Writes numbers in decimal, dates in ISO 8601, bytes in hexadecimal, null as an empty field.
fn write_delimited(delimiter: u8, writer: &mut impl Write, batch: &RecordBatch) -> ParquetResult<()> {
    let options = FormatOptions::default().with_display_error(false);
    let columns = batch.columns().iter().map(|column| ArrayFormatter::try_new(column.as_ref(), &options));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let mut values = vec![String::new(); columns.len()];
    let mut line = Vec::new();
    for row in 0..batch.num_rows() {
        for (column, value) in columns.iter().zip(&mut values) {
            value.clear();
            write!(value, "{}", column.value(row)).map_err(io::Error::other)?;
        }
        line.clear();
        push_row(&values, delimiter, &mut line).map_err(|reason| {
            let column = values.iter().position(|value| value.contains(['\r', '\n'])).unwrap_or_default();
            io::Error::other(NoRow { row, column, reason })
        })?;
        writer.write_all(&line)?;
    }
    Ok(())
}

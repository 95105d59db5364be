//! Batches of rows, written in any of the formats.

use super::unwritable;
use crate::atomic::{AtomicFile, Sealed};
use crate::error::{Error, Result};
use arrow_array::RecordBatch;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_json::writer::{LineDelimited, Writer as JsonWriter};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::collections::HashMap;
use std::fmt;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

/// A row group is held in memory until it is complete, and each thread may write a file. Its size is counted as it will be in
/// the file; memory holds its pages as they are packed, and a begun page and dictionary of some 2 MiB a column. What memory it
/// really takes (`ArrowWriter::memory_size`) depends on the hash tables of the machine, and bytes of outputs must not.
const MOST_GROUP_ROWS: usize = 1 << 16;
const MOST_GROUP_BYTES: usize = 16 << 20;

/// In what form batches are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Layout {
    JsonLines,
    /// Values between these bytes, with a header.
    Delimited(u8),
    /// With zstd.
    Parquet,
    /// With a footer, which has these metadata.
    ArrowFile(Option<CompressionType>, HashMap<String, String>),
    ArrowStream(Option<CompressionType>),
}

impl Layout {
    /// A new Arrow file, compressed as Feather files are.
    pub(crate) fn new_arrow() -> Self {
        Self::ArrowFile(Some(CompressionType::LZ4_FRAME), HashMap::new())
    }
}

/// Writes batches to a file that appears when it is finished.
#[derive(Debug)]
pub(crate) struct BatchWriter {
    path: PathBuf,
    inner: Inner,
}

enum Inner {
    JsonLines(Box<JsonWriter<AtomicFile, LineDelimited>>),
    Delimited(Box<csv::Writer<AtomicFile>>),
    Parquet(Box<ArrowWriter<AtomicFile>>),
    ArrowFile(Box<FileWriter<AtomicFile>>),
    ArrowStream(Box<StreamWriter<AtomicFile>>),
}

impl fmt::Debug for Inner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::JsonLines(_) => "JsonLines",
            Self::Delimited(_) => "Delimited",
            Self::Parquet(_) => "Parquet",
            Self::ArrowFile(_) => "ArrowFile",
            Self::ArrowStream(_) => "ArrowStream",
        })
    }
}

impl BatchWriter {
    /// Begins `file` with rows of `schema`.
    ///
    /// # Errors
    /// [`Error::CannotHold`] if the format has no place for a column; [`Error::Io`].
    pub(crate) fn create(file: AtomicFile, layout: &Layout, schema: &SchemaRef) -> Result<Self> {
        let path = file.path().to_owned();
        check_columns(&path, layout, schema)?;
        let begun = Inner::begin(file, layout, schema);
        let inner = begun.map_err(|error| unwritable(&path, error))?;
        Ok(Self { path, inner })
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let written = match &mut self.inner {
            Inner::JsonLines(writer) => writer.write(batch).map_err(plain),
            Inner::Delimited(writer) => write_delimited(writer, batch),
            Inner::Parquet(writer) => writer.write(batch),
            Inner::ArrowFile(writer) => writer.write(batch).map_err(plain),
            Inner::ArrowStream(writer) => writer.write(batch).map_err(plain),
        };
        written.map_err(|error| unwritable(&self.path, error))
    }

    /// Writes the last bytes. The file is complete then, but still aside.
    pub(crate) fn seal(self) -> Result<Sealed> {
        let file = match self.inner {
            Inner::JsonLines(mut writer) => writer.finish().map(|()| writer.into_inner()).map_err(plain),
            Inner::Delimited(writer) => writer.into_inner().map_err(|error| error.into_error().into()),
            Inner::Parquet(writer) => writer.into_inner(),
            Inner::ArrowFile(writer) => writer.into_inner().map_err(plain),
            Inner::ArrowStream(writer) => writer.into_inner().map_err(plain),
        };
        file.map_err(|error| unwritable(&self.path, error))?.seal()
    }
}

impl Inner {
    fn begin(file: AtomicFile, layout: &Layout, schema: &SchemaRef) -> std::result::Result<Self, ParquetError> {
        let options = |compression| IpcWriteOptions::default().try_with_compression(compression).map_err(plain);
        Ok(match layout {
            Layout::JsonLines => {
                // A null is a value too: what was a column shall be a field.
                let writer = arrow_json::WriterBuilder::new().with_explicit_nulls(true);
                Self::JsonLines(Box::new(writer.build::<_, LineDelimited>(file)))
            }
            Layout::Delimited(delimiter) => {
                let mut writer = csv::WriterBuilder::new().delimiter(*delimiter).from_writer(file);
                let names = schema.fields().iter().map(|field| field.name());
                writer.write_record(names).map_err(|error| ParquetError::from(io::Error::from(error)))?;
                Self::Delimited(Box::new(writer))
            }
            Layout::Parquet => Self::Parquet(Box::new(ArrowWriter::try_new(file, schema.clone(), Some(properties()))?)),
            Layout::ArrowFile(compression, metadata) => {
                let writer = FileWriter::try_new_with_options(file, schema, options(*compression)?);
                let mut writer = writer.map_err(plain)?;
                let mut pairs: Vec<_> = metadata.iter().collect();
                pairs.sort_unstable();
                pairs.into_iter().for_each(|(key, value)| writer.write_metadata(key, value));
                Self::ArrowFile(Box::new(writer))
            }
            Layout::ArrowStream(compression) => {
                let writer = StreamWriter::try_new_with_options(file, schema, options(*compression)?);
                Self::ArrowStream(Box::new(writer.map_err(plain)?))
            }
        })
    }
}

fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(MOST_GROUP_ROWS))
        .set_max_row_group_bytes(Some(MOST_GROUP_BYTES))
        .build()
}

/// The answer of the system in an error of Arrow.
fn plain(error: ArrowError) -> ParquetError {
    match error {
        ArrowError::IoError(_, source) => source.into(),
        other => other.into(),
    }
}

fn check_columns(path: &Path, layout: &Layout, schema: &Schema) -> Result<()> {
    for field in schema.fields() {
        let (found, format) = match layout {
            Layout::Delimited(_) if field.data_type().is_nested() => ("nested", "a table of text"),
            Layout::Parquet if holds_empty_struct(field.data_type()) => ("an object without fields", "Parquet"),
            _ => continue,
        };
        let (path, column) = (path.to_owned(), field.name().clone());
        return Err(Error::CannotHold { path, column, found, format });
    }
    Ok(())
}

fn holds_empty_struct(data_type: &DataType) -> bool {
    match data_type {
        DataType::Struct(fields) => {
            fields.is_empty() || fields.iter().any(|field| holds_empty_struct(field.data_type()))
        }
        DataType::List(item) | DataType::LargeList(item) => holds_empty_struct(item.data_type()),
        _ => false,
    }
}

/// Numbers in decimal, dates as in ISO 8601, bytes in hexadecimal, nothing for null.
fn write_delimited(writer: &mut csv::Writer<AtomicFile>, batch: &RecordBatch) -> std::result::Result<(), ParquetError> {
    let options = FormatOptions::default().with_display_error(false);
    let columns = batch.columns().iter().map(|column| ArrayFormatter::try_new(column.as_ref(), &options));
    let columns = columns.collect::<std::result::Result<Vec<_>, _>>()?;
    let mut value = String::new();
    for row in 0..batch.num_rows() {
        for column in &columns {
            value.clear();
            write!(value, "{}", column.value(row)).map_err(io::Error::other)?;
            writer.write_field(&value).map_err(io::Error::from)?;
        }
        writer.write_record(None::<&[u8]>).map_err(io::Error::from)?;
    }
    Ok(())
}

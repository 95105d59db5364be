//! Batches of rows, written in any format.

use super::fields::leaf_columns;
use crate::ground::{Error, Result};
use crate::outputs::{AtomicFile, Sealed};
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

/// A row group is held in memory until it is complete, and each thread may write a file. The limit is on its size in
/// the file; memory holds its compressed pages and, per column, a current page and a dictionary of some 2 MiB. A limit
/// on the memory in use (`ArrowWriter::memory_size`) would make the output depend on the hash tables of the machine.
const MAX_GROUP_ROWS: usize = 1 << 16;
const MAX_GROUP_BYTES: usize = 16 << 20;

/// A dictionary takes some 20 KB of memory, empty or not; with more columns than this they have none.
const MAX_DICTIONARIES: usize = 256;
/// Maximum number of columns of a Parquet file: each takes some 20 KB while a row group is open. Smaller row groups
/// take more, because what is known of each column of each group stays until the file is complete.
const MAX_PARQUET_COLUMNS: usize = 6_000;

/// Format and options of written batches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BatchFormat {
    JsonLines,
    /// CSV or TSV with this separator, with a header.
    Delimited(u8),
    /// Compressed with zstd.
    Parquet,
    /// The file format with these metadata in the footer.
    ArrowFile(Option<CompressionType>, HashMap<String, String>),
    ArrowStream(Option<CompressionType>),
}

impl BatchFormat {
    /// The format of new Arrow files, compressed as Feather files are.
    pub(crate) fn new_arrow() -> Self {
        Self::ArrowFile(Some(CompressionType::LZ4_FRAME), HashMap::new())
    }
}

/// Writes batches to a file that appears when it is complete.
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
    /// Starts `file` with rows of `schema`.
    ///
    /// # Errors
    /// [`Error::CannotHold`] if the format lacks the type of a column; [`Error::Io`].
    pub(crate) fn create(file: AtomicFile, format: &BatchFormat, schema: &SchemaRef) -> Result<Self> {
        let path = file.path().to_owned();
        check_columns(&path, format, schema)?;
        let created = Inner::create(file, format, schema);
        let inner = created.map_err(|error| unwritable(&path, error))?;
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

    /// Completes the file, which appears when it is published.
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
    fn create(file: AtomicFile, format: &BatchFormat, schema: &SchemaRef) -> std::result::Result<Self, ParquetError> {
        let options = |compression| IpcWriteOptions::default().try_with_compression(compression).map_err(plain);
        Ok(match format {
            BatchFormat::JsonLines => {
                // A column becomes a field of every record, null or not.
                let writer = arrow_json::WriterBuilder::new().with_explicit_nulls(true);
                Self::JsonLines(Box::new(writer.build::<_, LineDelimited>(file)))
            }
            BatchFormat::Delimited(delimiter) => {
                let mut writer = csv::WriterBuilder::new().delimiter(*delimiter).from_writer(file);
                let names = schema.fields().iter().map(|field| field.name());
                writer.write_record(names).map_err(|error| ParquetError::from(io::Error::from(error)))?;
                Self::Delimited(Box::new(writer))
            }
            BatchFormat::Parquet => Self::Parquet(Box::new(ArrowWriter::try_new(
                file,
                schema.clone(),
                Some(properties(leaf_columns(schema.fields()))),
            )?)),
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

fn check_columns(path: &Path, format: &BatchFormat, schema: &Schema) -> Result<()> {
    let (columns, max) = (leaf_columns(schema.fields()), MAX_PARQUET_COLUMNS);
    if *format == BatchFormat::Parquet && columns > max {
        return Err(Error::TooManyColumns { path: path.to_owned(), columns, max, format: "Parquet" });
    }
    for field in schema.fields() {
        let (found, format) = match format {
            BatchFormat::Delimited(_) if field.data_type().is_nested() => ("nested", "a table of text"),
            BatchFormat::Parquet if holds_empty_struct(field.data_type()) => ("an object without fields", "Parquet"),
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

/// Writes numbers in decimal, dates in ISO 8601, bytes in hexadecimal, null as an empty field.
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

/// An [`Error::Io`] for the error of a writer: the error of the system inside it, if there is one.
pub(crate) fn unwritable(path: &Path, error: ParquetError) -> Error {
    let source = match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    };
    Error::io("write", path, source)
}

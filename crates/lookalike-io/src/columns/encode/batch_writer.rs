//! Batches of rows, written in any format.
//!
//! Every value is kept, or an error names it: types and values that a format lacks are looked for before they are
//! written ([`super::type_limits`], [`super::value_limits`]). What a writer refuses beyond that, or panics at, is tried
//! column by column without a file, so that the error names the column.

use super::encoder::{FormatEncoder, NoRow};
use super::type_limits::lacking;
use super::value_limits::{beyond_parquet, unprintable};
use crate::base::details::{Action, DataForm, Remedy};
use crate::base::{Error, RecordFormat, Result};
use crate::columns::batch_format::BatchFormat;
use crate::columns::decoding::guarded;
use crate::columns::fields::leaf_columns;
use crate::formats::UNCLEAR_ROW;
use crate::outputs::{AtomicFile, Sealed};
use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use parquet::errors::ParquetError;
use std::io;
use std::path::{Path, PathBuf};

/// Maximum number of columns of a Parquet file: each takes some 20 KB while a row group is open. Smaller row groups
/// take more, because what is known of each column of each group stays until the file is complete.
const MAX_PARQUET_COLUMNS: usize = 6_000;

/// Writes batches to a file that appears when it is complete.
#[derive(Debug)]
pub(crate) struct BatchWriter {
    path: PathBuf,
    format: BatchFormat,
    encoder: FormatEncoder<AtomicFile>,
}

impl BatchWriter {
    /// Starts `file` with rows of `schema`.
    ///
    /// # Errors
    /// [`Error::CannotHold`] if the format lacks the type of a column; [`Error::Io`].
    pub(crate) fn create(file: AtomicFile, format: &BatchFormat, schema: &SchemaRef) -> Result<Self> {
        let path = file.path().to_owned();
        check_columns(&path, format, schema)?;
        let created = step(|| FormatEncoder::create(file, format, schema));
        let refused = |error| refused(&path, format, &RecordBatch::new_empty(schema.clone()), error);
        Ok(Self { encoder: created.map_err(refused)?, format: format.clone(), path })
    }

    /// Writes the rows.
    ///
    /// # Errors
    /// [`Error::CannotHoldValue`] with the index of the row in the batch, from 1; [`Error::CannotHold`], [`Error::Io`].
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.check_values(batch)?;
        let written = step(|| self.encoder.write(batch));
        written.map_err(|error| refused(&self.path, &self.format, batch, error))
    }

    fn check_values(&self, batch: &RecordBatch) -> Result<()> {
        let unwritable = match self.format {
            BatchFormat::JsonLines | BatchFormat::Delimited(_) => unprintable(batch),
            BatchFormat::Parquet => beyond_parquet(batch),
            BatchFormat::ArrowFile(..) | BatchFormat::ArrowStream(_) => None,
        };
        let Some(value) = unwritable else { return Ok(()) };
        Err(Error::CannotHoldValue {
            path: self.path.clone(),
            row: value.row as u64 + 1,
            column: value.column,
            found: value.found,
            form: self.format.form(),
            remedy: self.format.remedy(),
        })
    }

    /// Adds an entry to the metadata of the file, where the format has such.
    pub(crate) fn describe(&mut self, key: &str, value: &str) {
        self.encoder.describe(key, value);
    }

    /// Writes the end and gives the file back.
    pub(crate) fn finish(self) -> Result<AtomicFile> {
        let file = step(|| self.encoder.finish());
        let unwritable = |error| match error {
            WriteRefusal::Error(error) => unwritable(&self.path, error),
            WriteRefusal::Panic(message) => Error::io(Action::Write, &self.path, io::Error::other(message)),
        };
        file.map_err(unwritable)
    }

    /// Completes the file, which appears when it is published.
    pub(crate) fn seal(self) -> Result<Sealed> {
        self.finish()?.seal()
    }
}

/// Reason why a writer did not write.
enum WriteRefusal {
    Error(ParquetError),
    Panic(String),
}

/// Runs a step of a writer, guarded against its panics.
fn step<T>(step: impl FnOnce() -> std::result::Result<T, ParquetError>) -> std::result::Result<T, WriteRefusal> {
    match guarded(|| Ok::<_, String>(step())) {
        Ok(outcome) => outcome.map_err(WriteRefusal::Error),
        Err(panic) => Err(WriteRefusal::Panic(panic)),
    }
}

/// The error of a batch that was not written: of the system, or with the column that the writer refuses.
fn refused(path: &Path, format: &BatchFormat, batch: &RecordBatch, refusal: WriteRefusal) -> Error {
    if let WriteRefusal::Error(ParquetError::External(inner)) = &refusal
        && let Some(NoRow { row, column, .. }) =
            inner.downcast_ref::<io::Error>().and_then(io::Error::get_ref).and_then(|inner| inner.downcast_ref())
    {
        return Error::CannotHoldValue {
            path: path.to_owned(),
            row: *row as u64 + 1,
            column: batch.schema_ref().field(*column).name().clone(),
            found: UNCLEAR_ROW.to_owned(),
            form: DataForm::TabTable,
            remedy: Remedy::Formats(&[RecordFormat::Csv, RecordFormat::JsonLines]),
        };
    }
    let message = match refusal {
        WriteRefusal::Error(ParquetError::External(inner)) if inner.is::<io::Error>() => {
            return unwritable(path, ParquetError::External(inner));
        }
        WriteRefusal::Error(error) => error.to_string(),
        WriteRefusal::Panic(message) => message,
    };
    let schema = batch.schema();
    let is_refused = |column: &usize| {
        let tried = step(|| {
            let alone = batch.project(&[*column])?;
            let mut encoder = FormatEncoder::create(io::sink(), format, &alone.schema())?;
            encoder.write(&alone)?;
            encoder.finish()
        });
        tried.is_err()
    };
    match (0..schema.fields().len()).find(is_refused).map(|column| schema.field(column)) {
        Some(field) => Error::CannotHold {
            path: path.to_owned(),
            column: field.name().clone(),
            found: format!("of type {}", field.data_type()),
            form: format.form(),
            remedy: format.remedy(),
        },
        None => Error::io(Action::Write, path, io::Error::other(message)),
    }
}

fn check_columns(path: &Path, format: &BatchFormat, schema: &Schema) -> Result<()> {
    let columns = leaf_columns(schema.fields());
    let max = MAX_PARQUET_COLUMNS;
    if *format == BatchFormat::Parquet && columns > max {
        return Err(Error::TooManyColumns { path: path.to_owned(), columns, max });
    }
    let Some(lacking) = lacking(format, schema.fields()) else { return Ok(()) };
    Err(Error::CannotHold {
        path: path.to_owned(),
        column: lacking.column,
        found: lacking.found,
        form: format.form(),
        remedy: lacking.remedy,
    })
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
    Error::io(Action::Write, path, source)
}

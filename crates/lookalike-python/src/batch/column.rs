//! Columns that Python passes, cut into pieces of some rows.
//!
//! A column may come in chunks, and columns of one table in different ones. Work goes piece by piece: each piece lies
//! within one chunk of every column, so nothing is copied, and between pieces Ctrl-C is looked for.

use crate::capsules::columns_of;
use crate::errors::refused;
use arrow_array::{Array, ArrayRef, new_empty_array};
use arrow_select::concat::concat;
use lookalike_batch::{Error, Result};
use pyo3::PyErr;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::{Bound, PyAny, PyAnyMethods, PyResult, PyTypeMethods, Python};
use std::time::{Duration, Instant};

/// Number of rows of the first piece.
const FIRST_ROWS: usize = 64;

/// Time that the work on a piece should take.
const PIECE_TIME: Duration = Duration::from_millis(30);

/// Time between two looks for signals.
const PERIOD: Duration = Duration::from_millis(100);

/// A column under the name that messages give it, in one chunk or more of one type.
pub(super) struct ArrowColumn {
    name: &'static str,
    first: ArrayRef,
    /// Further chunks, none of them empty.
    later: Vec<ArrayRef>,
}

impl ArrowColumn {
    /// The column of an object with the Arrow PyCapsule interface.
    pub(super) fn new(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !object.hasattr("__arrow_c_array__")? && !object.hasattr("__arrow_c_stream__")? {
            let found = object.get_type().name()?;
            let expected = "an Arrow array (pyarrow, polars, pandas 3, ...)";
            return Err(PyTypeError::new_err(format!("column `{name}`: expected {expected}, found {found}")));
        }
        let (schema, batches) = columns_of(object, name)?;
        let [field] = &**schema.fields() else {
            let names: Vec<_> = schema.fields().iter().map(|field| format!("`{}`", field.name())).collect();
            let found = format!("found a table with the columns {}: pass one of them", names.join(", "));
            return Err(PyTypeError::new_err(format!("column `{name}`: expected an array, {found}")));
        };
        let mut chunks = batches.iter().map(|batch| batch.column(0).clone()).filter(|chunk| !chunk.is_empty());
        let first = chunks.next().unwrap_or_else(|| new_empty_array(field.data_type()));
        Ok(Self { name, first, later: chunks.collect() })
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.first.len() + self.later.iter().map(|chunk| chunk.len()).sum::<usize>()
    }

    /// The rows in one array, copied if they come in several chunks.
    pub(super) fn whole(&self) -> PyResult<ArrayRef> {
        let chunks: Vec<ArrayRef> = [&self.first].into_iter().chain(&self.later).cloned().collect();
        joined(&chunks)
    }
}

/// Arrays of one type as one.
pub(super) fn joined(arrays: &[ArrayRef]) -> PyResult<ArrayRef> {
    let arrays: Vec<&dyn Array> = arrays.iter().map(|array| &**array).collect();
    concat(&arrays).map_err(refused)
}

/// Consecutive rows of some columns.
struct RowChunk<const N: usize> {
    first_row: usize,
    columns: [ArrayRef; N],
}

/// Columns of equal numbers of rows, of which some rows were taken.
struct RowChunks<'c, const N: usize> {
    cursors: [Cursor<'c>; N],
    taken: usize,
    rows: usize,
}

impl<'c, const N: usize> RowChunks<'c, N> {
    /// # Errors
    /// [`Error::RowCount`] unless all columns have equal numbers of rows.
    fn new(columns: &'c [ArrowColumn; N]) -> Result<Self> {
        let rows = columns.first().map_or(0, ArrowColumn::rows);
        match columns.iter().find(|column| column.rows() != rows) {
            Some(other) => Err(Error::RowCount { column: other.name, expected: rows, found: other.rows() }),
            None => Ok(Self { cursors: columns.each_ref().map(Cursor::new), taken: 0, rows }),
        }
    }

    fn is_done(&self) -> bool {
        self.taken >= self.rows
    }

    /// The next piece: at most `max_rows` rows, and no more than the present chunk of any column has left. A piece of
    /// columns without rows is empty.
    fn take(&mut self, max_rows: usize) -> RowChunk<N> {
        let length = self.cursors.iter().map(Cursor::rest).fold(max_rows, usize::min);
        let piece =
            RowChunk { first_row: self.taken, columns: self.cursors.each_mut().map(|cursor| cursor.take(length)) };
        self.taken += length;
        piece
    }
}

/// A position in a column: the present chunk, and the number of its rows that pieces before have taken.
struct Cursor<'c> {
    chunk: &'c ArrayRef,
    later: &'c [ArrayRef],
    row: usize,
}

impl<'c> Cursor<'c> {
    fn new(column: &'c ArrowColumn) -> Self {
        Self { chunk: &column.first, later: &column.later, row: 0 }
    }

    /// Number of rows that are left in the chunk.
    fn rest(&self) -> usize {
        self.chunk.len() - self.row
    }

    fn take(&mut self, length: usize) -> ArrayRef {
        let taken = self.chunk.slice(self.row, length);
        self.row += length;
        if let ([next, later @ ..], 0) = (self.later, self.rest()) {
            (self.chunk, self.later, self.row) = (next, later, 0);
        }
        taken
    }
}

/// Runs `work` on all rows in order, piece by piece, with the interpreter released, and looks for signals in between.
///
/// A piece has as many rows as take about [`PIECE_TIME`]. Columns without rows are one piece, so that the result has
/// their types.
pub(super) fn for_each_piece<const N: usize, T: Send>(
    py: Python<'_>,
    columns: &[ArrowColumn; N],
    work: impl Fn(&[ArrayRef; N]) -> Result<T> + Sync,
) -> PyResult<Vec<T>> {
    py.detach(|| {
        let mut pieces = RowChunks::new(columns).map_err(exception)?;
        let mut found = Vec::new();
        let mut max_rows = FIRST_ROWS;
        let mut looked = Instant::now();
        loop {
            let start = Instant::now();
            let RowChunk { first_row, columns } = pieces.take(max_rows);
            found.push(work(&columns).map_err(|error| exception(error.after_rows(first_row)))?);
            if pieces.is_done() {
                return Ok(found);
            }
            max_rows = if start.elapsed() < PIECE_TIME { max_rows.saturating_mul(2) } else { max_rows.div_ceil(2) };
            if looked.elapsed() > PERIOD {
                Python::attach(|py| py.check_signals())?;
                looked = Instant::now();
            }
        }
    })
}

/// The exception for an error of a column: `TypeError` for its type, `ValueError` for its content and for parameters.
pub(super) fn exception(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::ColumnType { .. } => PyTypeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

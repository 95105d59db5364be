//! What an error of a column is in Python: `TypeError` for its type, `ValueError` for its content and for parameters.

use lookalike_batch::Error;
use pyo3::PyErr;
use pyo3::exceptions::{PyTypeError, PyValueError};

/// The exception for an error of the batch functions.
pub(super) fn exception(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::ColumnType { .. } => PyTypeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

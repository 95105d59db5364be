//! Failures as exceptions of Python.
//!
//! | failure | exception |
//! |---|---|
//! | a column that is missing | `KeyError`, with the columns there are |
//! | the system refuses | `OSError`, of the kind that its number says (`FileNotFoundError`, ...) |
//! | too little memory or disk, a fault of ours | `LookalikeError` |
//! | all else: parameters, columns and records that cannot be used | `ValueError` |

use lookalike::Error;
use lookalike::details::{ColumnRole, IoError};
use pyo3::exceptions::{PyException, PyKeyError, PyOSError, PyValueError};
use pyo3::{PyErr, create_exception};

create_exception!(
    lookalike,
    LookalikeError,
    PyException,
    "A job that could not be finished: memory, disk space or threads did not suffice, or lookalike has a fault."
);

/// The exception for an error of the library.
pub(crate) fn exception(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Io(IoError::NoColumn { role: ColumnRole::Field | ColumnRole::Pairs, .. }) => {
            PyKeyError::new_err(message)
        }
        Error::Io(IoError::Io { source, path, .. } | IoError::LeftOutNotCopied { source, path }) => {
            match source.raw_os_error() {
                // Python shows the number, the reason and the path, as for its own errors.
                Some(number) => PyOSError::new_err((number, reason(&source, number), path.display().to_string())),
                None => PyOSError::new_err(format!("{message}: {source}")),
            }
        }
        Error::Io(IoError::Store { .. } | IoError::DiskFull { .. } | IoError::NoMatch { .. }) => {
            PyOSError::new_err(message)
        }
        Error::TooLittleMemory { .. }
        | Error::WindowTooLarge { .. }
        | Error::TooLittleDisk { .. }
        | Error::Interrupted { .. } => LookalikeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// The words of the system, without the number behind them.
fn reason(error: &std::io::Error, number: i32) -> String {
    error.to_string().trim_end_matches(&format!(" (os error {number})")).to_owned()
}

/// The exception for parameters that cannot be used.
pub(crate) fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

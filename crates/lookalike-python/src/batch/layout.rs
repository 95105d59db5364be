//! Integers and lists as an engine has them.

use crate::errors::refused;
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::{Borrowed, FromPyObject, PyAny, PyAnyMethods, PyErr, PyResult, PyTypeMethods};

/// Which types the columns of an answer have. In Python a keyword that is true or false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Those of the library: unsigned integers, lists of 64-bit offsets.
    Unsigned,
    /// Those that Spark has: signed integers, lists of 32-bit offsets.
    Signed,
}

impl<'py> FromPyObject<'_, 'py> for Layout {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<bool>() {
            Ok(true) => Ok(Self::Signed),
            Ok(false) => Ok(Self::Unsigned),
            Err(_) => {
                let found = object.get_type().name()?;
                Err(PyTypeError::new_err(format!("signed: expected True or False, found {found}")))
            }
        }
    }
}

impl Layout {
    /// Numbers in this layout: unsigned ones become `Int64`, which holds all values that a function counts.
    pub(super) fn numbers(self, numbers: ArrayRef) -> PyResult<ArrayRef> {
        match (self, numbers.data_type()) {
            (Self::Signed, DataType::UInt32 | DataType::UInt64) => cast(&numbers, &DataType::Int64).map_err(refused),
            _ => Ok(numbers),
        }
    }

    /// Byte strings in this layout.
    pub(super) fn bytes(self, bytes: ArrayRef) -> PyResult<ArrayRef> {
        match self {
            Self::Signed => cast(&bytes, &DataType::Binary)
                .map_err(|error| refused(format!("too many rows for values of 32-bit offsets, pass fewer: {error}"))),
            Self::Unsigned => Ok(bytes),
        }
    }

    /// Lists in this layout; their items are in it already.
    pub(super) fn lists(self, lists: ArrayRef) -> PyResult<ArrayRef> {
        match (self, lists.data_type()) {
            (Self::Signed, DataType::LargeList(field)) => {
                let to = DataType::List(field.clone());
                let error = |error| refused(format!("too many rows for lists of 32-bit offsets, pass fewer: {error}"));
                cast(&lists, &to).map_err(error)
            }
            _ => Ok(lists),
        }
    }
}

//! Arrays that Python takes over by the PyCapsule interface, with integers and lists as an engine has them.

use crate::capsules::{ARRAY, SCHEMA};
use crate::errors::refused;
use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_cast::cast;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Fields};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::{
    Borrowed, Bound, FromPyObject, Py, PyAny, PyAnyMethods, PyErr, PyResult, PyTypeMethods, Python, pyclass, pymethods,
};
use pyo3::types::{PyBytes, PyBytesMethods, PyCapsule};
use std::sync::Arc;

/// An array, or several as the columns of a batch, which any library can take over by the PyCapsule interface.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct ArrowArray {
    array: ArrayRef,
}

impl ArrowArray {
    pub(super) fn new(array: ArrayRef) -> Self {
        Self { array }
    }

    /// A batch of columns.
    pub(super) fn of_columns<const N: usize>(columns: [(&str, ArrayRef); N]) -> PyResult<Self> {
        let field = |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
        let fields: Fields = columns.iter().map(field).collect();
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let rows = StructArray::try_new(fields, arrays, None).map_err(refused)?;
        Ok(Self { array: Arc::new(rows) })
    }

    /// The array as the one column of a stream of Arrow IPC.
    fn write(&self) -> Result<Vec<u8>, ArrowError> {
        let batch = RecordBatch::try_from_iter_with_nullable([("", self.array.clone(), true)])?;
        let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema())?;
        writer.write(&batch)?;
        writer.into_inner()
    }

    fn read(bytes: &[u8]) -> Result<Self, ArrowError> {
        let batch = StreamReader::try_new(bytes, None)?.next().transpose()?;
        let column = batch.and_then(|batch| batch.columns().first().cloned());
        column.map(Self::new).ok_or_else(|| ArrowError::IpcError("expected one column".to_owned()))
    }
}

#[pymethods]
impl ArrowArray {
    fn __len__(&self) -> usize {
        self.array.len()
    }

    /// The type, as Arrow writes it.
    #[getter]
    fn data_type(&self) -> String {
        self.array.data_type().to_string()
    }

    /// The names of the columns of a batch; none for another array.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let names = |rows: &StructArray| rows.column_names().into_iter().map(str::to_owned).collect();
        self.array.as_struct_opt().map_or_else(Vec::new, names)
    }

    /// A column of a batch.
    fn column(&self, name: &str) -> PyResult<Self> {
        let column = self.array.as_struct_opt().and_then(|rows| rows.column_by_name(name));
        let error = || {
            let names: Vec<_> = self.column_names().into_iter().map(|name| format!("`{name}`")).collect();
            PyKeyError::new_err(format!("no column `{name}`; the columns are {}", names.join(", ")))
        };
        column.cloned().map(Self::new).ok_or_else(error)
    }

    /// The array as bytes, for other processes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.write()).map_err(refused)?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let bytes = bytes.as_bytes();
        py.detach(|| Self::read(bytes)).map_err(refused)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The interface lets a producer give its own types.
        drop(requested_schema);
        let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(&self.array.to_data()), ARRAY)?;
        Ok((self.__arrow_c_schema__(py)?, array))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.array.data_type()).map_err(refused)?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }
}

/// Types of the columns of an answer; in Python a keyword that is true or false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnLayout {
    /// Types of the library: unsigned integers, lists of 64-bit offsets.
    Unsigned,
    /// Types of Spark: signed integers, lists of 32-bit offsets.
    Signed,
}

impl<'py> FromPyObject<'_, 'py> for ColumnLayout {
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

impl ColumnLayout {
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

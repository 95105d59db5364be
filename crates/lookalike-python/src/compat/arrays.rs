//! Arrays of numbers as bytes of Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::{Bound, PyResult, Python};
use pyo3::types::PyByteArray;

/// The numbers in an array of bytes.
pub(super) fn numbers<T: bytemuck::AnyBitPattern>(bytes: &[u8]) -> PyResult<Vec<T>> {
    if !bytes.len().is_multiple_of(size_of::<T>()) {
        return Err(PyValueError::new_err("the bytes are no array of such numbers"));
    }
    Ok(bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect())
}

/// The bytes of an array of numbers, in the order of the machine: NumPy sees them without a copy of ours.
pub(super) fn array<'py, T: bytemuck::NoUninit>(py: Python<'py>, numbers: &[T]) -> Bound<'py, PyByteArray> {
    PyByteArray::new(py, bytemuck::cast_slice(numbers))
}

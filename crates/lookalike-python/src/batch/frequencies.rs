//! Frequencies of elements, shared by the threads of Python.

use super::column::exception;
use super::column::{ArrowColumn, for_each_piece};
use lookalike_batch as batch;
use pyo3::prelude::{Bound, PyAny, PyResult, Python, pyclass, pymethods};
use pyo3::types::{PyBytes, PyBytesMethods};
use std::sync::{PoisonError, RwLock};

/// Minimum number of sets that have each element.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Frequencies {
    table: RwLock<batch::Frequencies>,
}

impl Frequencies {
    fn new(table: batch::Frequencies) -> Self {
        Self { table: RwLock::new(table) }
    }

    /// Runs `work` with a read lock on the table, so that no other thread changes it.
    ///
    /// The caller must have released the interpreter. Otherwise two threads may wait for each other: this one, which
    /// has the interpreter, for the table, and one that has locked the table for the interpreter.
    pub(super) fn read<T>(&self, work: impl FnOnce(&batch::Frequencies) -> T) -> T {
        work(&self.table.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs `work` with a write lock on the table; the interpreter must be released, as for [`Self::read`].
    fn write<T>(&self, work: impl FnOnce(&mut batch::Frequencies) -> T) -> T {
        work(&mut self.table.write().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Frequencies {
    #[staticmethod]
    fn sized_for(py: Python<'_>, total_elements: usize) -> Self {
        Self::new(py.detach(|| batch::Frequencies::sized_for(total_elements)))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let bytes = bytes.as_bytes();
        py.detach(|| batch::Frequencies::from_bytes(bytes)).map(Self::new).map_err(exception)
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.read(batch::Frequencies::to_bytes)).map_err(exception)?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn count(&self, py: Python<'_>, sets: &Bound<'_, PyAny>) -> PyResult<()> {
        let columns = [ArrowColumn::new("sets", sets)?];
        for_each_piece(py, &columns, |[sets]| self.write(|table| table.count(sets)))?;
        Ok(())
    }

    fn merge(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        // A copy: the other table may be this one, or another thread may add this one to it.
        py.detach(|| {
            let other = other.read(Clone::clone);
            self.write(|table| table.merge(&other))
        })
        .map_err(exception)
    }

    /// A table of its own with the same counts.
    fn copy(&self, py: Python<'_>) -> Self {
        Self::new(py.detach(|| self.read(Clone::clone)))
    }
}

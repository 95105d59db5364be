//! Bloom filters of the values of a band.

use crate::errors::refused;
use lookalike::signatures::BloomFilter;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::{Bound, PyResult, Python, pyclass, pymethods};
use pyo3::types::PyBytes;

/// A Bloom filter.
#[pyclass(name = "BloomFilter", module = "lookalike._lookalike")]
pub(crate) struct PyBloomFilter {
    filter: BloomFilter,
}

#[pymethods]
impl PyBloomFilter {
    #[new]
    fn new(capacity: u64, false_positive_rate: f64) -> PyResult<Self> {
        Ok(Self { filter: BloomFilter::new(capacity, false_positive_rate).map_err(refused)? })
    }

    /// The filter with these bytes, as [`Self::to_bytes`] gives them.
    #[staticmethod]
    fn from_bytes(data: &[u8]) -> PyResult<Self> {
        let filter = BloomFilter::from_bytes(data);
        Ok(Self { filter: filter.ok_or_else(|| PyValueError::new_err("the bytes are no Bloom filter"))? })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.filter.to_bytes())
    }

    /// Adds all values of another filter of the same size.
    fn merge(&mut self, other: &Self) -> PyResult<()> {
        let is_like = self.filter.merge(&other.filter);
        if is_like { Ok(()) } else { Err(PyValueError::new_err("the Bloom filters have different sizes")) }
    }

    fn insert(&mut self, value: &[u8]) {
        self.filter.insert(value);
    }

    fn __contains__(&self, value: &[u8]) -> bool {
        self.filter.contains(value)
    }
}

//! Indexes of signatures by their bands, by prefixes of them, and Bloom filters of the values of a band.

use crate::errors::refused;
use lookalike::signatures::{BandTables, BloomFilter, HashSecret, PrefixTrees};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::{Bound, Py, PyAny, PyResult, Python, pyclass, pymethods};
use pyo3::types::{PyBytes, PyList};
use std::hash::{BuildHasher, RandomState};

/// Bands of an index, at most.
const MAX_BANDS: usize = 1 << 20;

/// An index of signatures by their bands, with a key of the caller for each.
#[pyclass(name = "BandTables", module = "lookalike._lookalike")]
pub(crate) struct PyBandTables {
    tables: BandTables,
    /// Keys by slot.
    keys: Vec<Option<Py<PyAny>>>,
    /// Prefixes at the last call of `sort`; empty if something was removed since.
    trees: PrefixTrees,
}

#[pymethods]
impl PyBandTables {
    #[new]
    fn new(bands: usize) -> PyResult<Self> {
        if !(1..=MAX_BANDS).contains(&bands) {
            return Err(PyValueError::new_err(format!("an index has 1 to {MAX_BANDS} bands; found {bands}")));
        }
        let random = RandomState::new();
        let words = [0, 1, 2, 3].map(|word: u64| random.hash_one(word));
        Ok(Self {
            tables: BandTables::new(bands, HashSecret::new(words).key()),
            keys: Vec::new(),
            trees: PrefixTrees::default(),
        })
    }

    fn __len__(&self) -> usize {
        self.tables.len()
    }

    /// Adds a signature, given by the bytes of its bands, under a key, and returns its slot.
    fn insert(&mut self, bands: &[u8], key: Py<PyAny>) -> PyResult<u32> {
        let slot = self.tables.insert(bands).map_err(refused)?;
        match self.keys.get_mut(slot as usize) {
            Some(place) => *place = Some(key),
            None => self.keys.push(Some(key)),
        }
        Ok(slot)
    }

    /// Removes the signature of a slot, and returns its key: whoever drops it may run code that calls this index.
    fn remove(&mut self, slot: u32) -> Option<Py<PyAny>> {
        self.tables.remove(slot);
        self.trees = PrefixTrees::default();
        self.keys.get_mut(slot as usize)?.take()
    }

    /// The keys of signatures that share one of the first bands with a signature.
    fn keys_near<'py>(&self, py: Python<'py>, bands: &[u8], first_bands: usize) -> PyResult<Bound<'py, PyList>> {
        let slots = self.tables.candidates(bands, first_bands).map_err(refused)?;
        PyList::new(py, self.keys_of(py, slots.into_iter()))
    }

    /// The keys of signatures with this value of a band.
    fn keys_with<'py>(&self, py: Python<'py>, band: usize, value: &[u8]) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.keys_of(py, self.tables.slots(band, value)))
    }

    /// Makes all signatures that are here now searchable by prefixes.
    fn sort(&mut self) {
        // The lock of Python is held: other threads would find this object in use.
        self.trees = PrefixTrees::new(&self.tables);
    }

    /// A slot for each value of a band that is searchable by prefixes, in ascending order of the values.
    fn sorted_values(&self, band: usize) -> Vec<u32> {
        self.trees.values(band).to_vec()
    }

    /// The keys of the `limit` signatures at most that share the longest prefixes of bands with a signature.
    fn keys_nearest<'py>(
        &self,
        py: Python<'py>,
        bands: &[u8],
        component_bytes: usize,
        limit: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let slots = self.trees.nearest(&self.tables, bands, component_bytes, limit).map_err(refused)?;
        PyList::new(py, self.keys_of(py, slots.into_iter()))
    }

    /// The keys of signatures of which a band begins with the first bytes of that of a signature, band by band.
    fn keys_sharing_prefix<'py>(
        &self,
        py: Python<'py>,
        bands: &[u8],
        prefix_bytes: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let slots = self.trees.sharing_prefix(&self.tables, bands, prefix_bytes).map_err(refused)?;
        PyList::new(py, self.keys_of(py, slots))
    }

    /// A slot for each value of a band.
    fn values(&self, band: usize) -> Vec<u32> {
        self.tables.values(band).collect()
    }

    /// Number of values of a band.
    fn value_count(&self, band: usize) -> usize {
        self.tables.value_count(band)
    }

    /// The bytes of a band of a signature.
    fn value<'py>(&self, py: Python<'py>, slot: u32, band: usize) -> Option<Bound<'py, PyBytes>> {
        Some(PyBytes::new(py, self.tables.value(slot, band)?))
    }

    /// Bytes in memory, without the keys.
    #[getter]
    fn memory_bytes(&self) -> usize {
        self.tables.bytes()
    }
}

impl PyBandTables {
    fn keys_of<'py>(&self, py: Python<'py>, slots: impl Iterator<Item = u32>) -> Vec<Bound<'py, PyAny>> {
        let key = |slot: u32| Some(self.keys.get(slot as usize)?.as_ref()?.bind(py).clone());
        slots.filter_map(key).collect()
    }
}

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

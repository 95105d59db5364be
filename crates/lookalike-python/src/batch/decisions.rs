//! Decisions from verified pairs: components and keepers.

use super::arrays::{ArrowArray, ColumnLayout};
use super::column::exception;
use super::column::{ArrowColumn, for_each_piece};
use lookalike_batch::{self as batch, Pairs};
use pyo3::prelude::{Bound, PyAny, PyResult, Python, pyclass, pyfunction, pymethods};
use std::sync::{Arc, Mutex, PoisonError};

/// The connected components of the pairs given so far.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Components {
    components: Mutex<batch::Components>,
    documents: usize,
}

impl Components {
    /// Runs `work` with a lock on the components, so that no other thread changes them.
    ///
    /// The caller must have released the interpreter. Otherwise two threads may wait for each other: this one, which
    /// has the interpreter, for the components, and one that has locked them for the interpreter.
    fn with<T>(&self, work: impl FnOnce(&mut batch::Components) -> T) -> T {
        work(&mut self.components.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Components {
    #[new]
    fn new(py: Python<'_>, documents: usize) -> PyResult<Self> {
        let components = py.detach(|| batch::Components::new(documents)).map_err(exception)?;
        Ok(Self { components: Mutex::new(components), documents })
    }

    fn __len__(&self) -> usize {
        self.documents
    }

    fn add(&self, py: Python<'_>, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let columns = [ArrowColumn::new("a", a)?, ArrowColumn::new("b", b)?];
        for_each_piece(py, &columns, |[a, b]| self.with(|components| components.add(Pairs { a, b })))?;
        Ok(())
    }

    fn add_roots(&self, py: Python<'_>, roots: &Bound<'_, PyAny>) -> PyResult<()> {
        let roots = ArrowColumn::new("roots", roots)?;
        py.detach(|| {
            let roots = roots.whole()?;
            self.with(|components| components.add_roots(&roots)).map_err(exception)
        })
    }

    fn roots(&self, py: Python<'_>, signed: ColumnLayout) -> PyResult<ArrowArray> {
        py.detach(|| {
            let roots = self.with(batch::Components::roots);
            Ok(ArrowArray::new(signed.numbers(Arc::new(roots))?))
        })
    }
}

/// The decision about each document.
#[pyfunction]
pub(crate) fn keepers(
    py: Python<'_>,
    ranks: &Bound<'_, PyAny>,
    pairs: (Bound<'_, PyAny>, Bound<'_, PyAny>),
    similarity: &Bound<'_, PyAny>,
    signed: ColumnLayout,
) -> PyResult<ArrowArray> {
    let ranks = ArrowColumn::new("ranks", ranks)?;
    let similarity = ArrowColumn::new("similarity", similarity)?;
    let a = ArrowColumn::new("a", &pairs.0)?;
    let b = ArrowColumn::new("b", &pairs.1)?;
    py.detach(|| {
        let ranks = ranks.whole()?;
        let similarity = similarity.whole()?;
        let a = a.whole()?;
        let b = b.whole()?;
        let found = batch::keepers(&ranks, Pairs { a: &a, b: &b }, &similarity).map_err(exception)?;
        let kept = signed.numbers(Arc::new(found.kept))?;
        let similarity = Arc::new(found.similarity);
        let reason = Arc::new(found.reason);
        ArrowArray::of_columns([("kept", kept), ("similarity", similarity), ("reason", reason)])
    })
}

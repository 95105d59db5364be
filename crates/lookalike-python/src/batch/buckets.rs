//! Entries of blocking keys, dealt out to parts, of which those of shared keys come back.

use super::arrays::{ArrowArray, ColumnLayout};
use super::column::exception;
use super::column::{ArrowColumn, for_each_piece, joined};
use arrow_array::ArrayRef;
use lookalike_batch::{self as batch, EntryColumns};
use pyo3::prelude::{Bound, PyAny, PyResult, Python, pyclass, pyfunction, pymethods};
use std::sync::{Arc, Mutex, PoisonError};

/// The entries of one task by part.
#[pyfunction]
pub(crate) fn deal(
    py: Python<'_>,
    entries: [Bound<'_, PyAny>; 4],
    parts: u32,
    seed: u64,
    signed: ColumnLayout,
) -> PyResult<ArrowArray> {
    let [keys, documents, sizes, positions] = &entries;
    let keys = ArrowColumn::new("keys", keys)?;
    let documents = ArrowColumn::new("documents", documents)?;
    let sizes = ArrowColumn::new("sizes", sizes)?;
    let positions = ArrowColumn::new("positions", positions)?;
    py.detach(|| {
        let (keys, documents, sizes, positions) =
            (keys.whole()?, documents.whole()?, sizes.whole()?, positions.whole()?);
        let columns = EntryColumns { keys: &keys, documents: &documents, sizes: &sizes, positions: &positions };
        let dealt = batch::deal(columns, parts, seed).map_err(exception)?;
        let entries: ArrayRef = Arc::new(dealt.entries);
        ArrowArray::of_columns([("part", signed.numbers(Arc::new(dealt.part))?), ("entries", signed.bytes(entries)?)])
    })
}

/// The buckets of some parts.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Buckets {
    buckets: Mutex<batch::Buckets>,
}

impl Buckets {
    /// Runs `work` with a lock on the buckets; the interpreter must be released, so that no other thread which has it
    /// waits for the lock.
    fn with<T>(&self, work: impl FnOnce(&mut batch::Buckets) -> T) -> T {
        work(&mut self.buckets.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Buckets {
    #[new]
    fn new() -> Self {
        Self { buckets: Mutex::new(batch::Buckets::new()) }
    }

    fn add(&self, py: Python<'_>, entries: &Bound<'_, PyAny>, signed: ColumnLayout) -> PyResult<ArrowArray> {
        let columns = [ArrowColumn::new("entries", entries)?];
        let pieces = for_each_piece(py, &columns, |[entries]| self.with(|buckets| buckets.add(entries)))?;
        py.detach(|| {
            let column = |of: fn(&batch::Entries) -> ArrayRef| joined(&pieces.iter().map(of).collect::<Vec<_>>());
            let size = signed.numbers(column(|entries| Arc::new(entries.size.clone()))?)?;
            let position = signed.numbers(column(|entries| Arc::new(entries.position.clone()))?)?;
            ArrowArray::of_columns([
                ("key", column(|entries| Arc::new(entries.key.clone()))?),
                ("document", column(|entries| Arc::new(entries.document.clone()))?),
                ("size", size),
                ("position", position),
            ])
        })
    }
}

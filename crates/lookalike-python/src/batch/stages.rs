//! The stages that map rows to rows: features, blocking keys, filter, verification.

use super::arrays::{ArrowArray, ColumnLayout};
use super::column::exception;
use super::column::{ArrowColumn, for_each_piece, joined};
use super::frequencies::Frequencies;
use crate::keywords::Keywords;
use crate::parameters::{items_and_features, measure_alone, measure_of, method_of};
use arrow_array::ArrayRef;
use lookalike::{Inputs, Kernel};
use lookalike_batch::{self as batch, Extents, SearchPlan, Sets};
use pyo3::prelude::{Bound, PyAny, PyResult, Python, pyfunction};
use pyo3::types::PyDict;
use std::sync::Arc;

/// The element sets of texts, and their hashes.
#[pyfunction]
pub(crate) fn features(
    py: Python<'_>,
    texts: &Bound<'_, PyAny>,
    keywords: Bound<'_, PyDict>,
    signed: ColumnLayout,
) -> PyResult<ArrowArray> {
    let (inputs, features) = items_and_features(keywords)?;
    let columns = [ArrowColumn::new("texts", texts)?];
    let kernel = Kernel::detect();
    let sets = |[texts]: &[ArrayRef; 1]| {
        let sets = match inputs.items {
            None => batch::element_sets(texts, &features, kernel)?,
            Some(_) => batch::item_sets(texts, &inputs, &features, kernel)?,
        };
        Ok(in_layout(sets, signed))
    };
    let (elements, hashes): (Vec<_>, Vec<_>) = for_each_piece(py, &columns, sets)?.into_iter().unzip();
    py.detach(|| {
        let elements = joined(&elements)?;
        let hashes = joined(&hashes)?;
        ArrowArray::of_columns([("elements", signed.lists(elements)?), ("set_hash", hashes)])
    })
}

/// Elements and hashes.
fn in_layout(sets: Sets, layout: ColumnLayout) -> (ArrayRef, ArrayRef) {
    match layout {
        ColumnLayout::Unsigned => {
            let (elements, hashes) = sets.into_parts();
            (Arc::new(elements), Arc::new(hashes))
        }
        ColumnLayout::Signed => {
            let (elements, hashes) = sets.into_signed();
            (Arc::new(elements), Arc::new(hashes))
        }
    }
}

/// The blocking keys of sets.
#[pyfunction]
#[pyo3(signature = (sets, keywords, frequencies, signed))]
pub(crate) fn blocking_keys(
    py: Python<'_>,
    sets: &Bound<'_, PyAny>,
    keywords: Bound<'_, PyDict>,
    frequencies: Option<&Bound<'_, Frequencies>>,
    signed: ColumnLayout,
) -> PyResult<ArrowArray> {
    let mut keywords = Keywords::new(keywords);
    let measure = measure_of(&mut keywords, &Inputs::default(), None)?;
    let method = method_of(&mut keywords)?;
    let plan = SearchPlan::new(measure, method).map_err(|error| exception(error.into()))?;
    keywords.finish()?;
    let columns = [ArrowColumn::new("sets", sets)?];
    let kernel = Kernel::detect();
    let frequencies = frequencies.map(Bound::get);
    let keys = |[sets]: &[ArrayRef; 1]| -> batch::Result<ArrayRef> {
        let make = |table: Option<&batch::Frequencies>| batch::blocking_keys(sets, plan, table, kernel);
        Ok(Arc::new(match frequencies {
            Some(frequencies) => frequencies.read(|table| make(Some(table)))?,
            None => make(None)?,
        }))
    };
    let keys = for_each_piece(py, &columns, keys)?;
    py.detach(|| Ok(ArrowArray::new(signed.lists(joined(&keys)?)?)))
}

/// True for candidate pairs whose sets can reach the threshold.
#[pyfunction]
pub(crate) fn may_reach(
    py: Python<'_>,
    left: (Bound<'_, PyAny>, Bound<'_, PyAny>),
    right: (Bound<'_, PyAny>, Bound<'_, PyAny>),
    keywords: Bound<'_, PyDict>,
) -> PyResult<ArrowArray> {
    let measure = measure_alone(keywords)?;
    let columns = [
        ArrowColumn::new("left sizes", &left.0)?,
        ArrowColumn::new("left positions", &left.1)?,
        ArrowColumn::new("right sizes", &right.0)?,
        ArrowColumn::new("right positions", &right.1)?,
    ];
    let may_reach = |[left_sizes, left_positions, right_sizes, right_positions]: &[ArrayRef; 4]| {
        let left = Extents { sizes: left_sizes, positions: left_positions };
        let right = Extents { sizes: right_sizes, positions: right_positions };
        batch::may_reach(left, right, measure).map(|found| Arc::new(found) as ArrayRef)
    };
    let found = for_each_piece(py, &columns, may_reach)?;
    py.detach(|| joined(&found).map(ArrowArray::new))
}

/// The exact similarities of candidate pairs.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
    keywords: Bound<'_, PyDict>,
    signed: ColumnLayout,
) -> PyResult<ArrowArray> {
    let measure = measure_alone(keywords)?;
    let columns = [ArrowColumn::new("left", left)?, ArrowColumn::new("right", right)?];
    let kernel = Kernel::detect();
    let verify = |[left, right]: &[ArrayRef; 2]| {
        let found = batch::verify(left, right, measure, kernel)?;
        Ok((Arc::new(found.common) as ArrayRef, Arc::new(found.similarity) as ArrayRef))
    };
    let (common, similarity): (Vec<_>, Vec<_>) = for_each_piece(py, &columns, verify)?.into_iter().unzip();
    py.detach(|| {
        let common = signed.numbers(joined(&common)?)?;
        let similarity = joined(&similarity)?;
        ArrowArray::of_columns([("common", common), ("similarity", similarity)])
    })
}

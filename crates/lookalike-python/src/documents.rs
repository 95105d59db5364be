//! Documents that Python holds.

use crate::capsules::columns_of;
use crate::errors::refused;
use lookalike::{InMemory, MemoryTable, MemoryTexts, TextList};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::{Bound, PyAny, PyAnyMethods, PyResult, PyTypeMethods, pyclass, pymethods};
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyList, PyListMethods};
use std::sync::Arc;

/// Documents that Python holds, ready for a job. Python strings are read where they lie, and kept alive by this object;
/// a string with other characters than ASCII makes its UTF-8 form once and keeps it.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Documents {
    pub(crate) documents: InMemory,
}

#[pymethods]
impl Documents {
    /// Texts in a list, with a list of ids as long or without. Where bad records are skipped (`skips`), a missing text
    /// is one.
    #[staticmethod]
    #[pyo3(signature = (texts, ids=None, skips=false))]
    fn of_texts(texts: &Bound<'_, PyList>, ids: Option<&Bound<'_, PyList>>, skips: bool) -> PyResult<Self> {
        let texts = if skips { present_strings(texts, "text")? } else { strings(texts, "text")? };
        let texts = match ids {
            None => MemoryTexts::new(texts),
            Some(ids) => MemoryTexts::with_ids(texts, strings(ids, "id")?)
                .ok_or_else(|| PyValueError::new_err("there are not as many ids as texts"))?,
        };
        Ok(Self { documents: InMemory::Texts(texts) })
    }

    /// The columns of an object with the Arrow PyCapsule interface.
    #[staticmethod]
    fn of_arrow(table: &Bound<'_, PyAny>, text_field: &str) -> PyResult<Self> {
        let (schema, batches) = columns_of(table, text_field)?;
        Ok(Self { documents: InMemory::Table(MemoryTable::new(schema, batches).map_err(refused)?) })
    }

    /// The names of the columns; `None` for texts.
    #[getter]
    fn column_names(&self) -> Option<Vec<String>> {
        match &self.documents {
            InMemory::Table(table) => Some(table.schema().fields().iter().map(|field| field.name().clone()).collect()),
            InMemory::Texts(_) => None,
        }
    }

    fn __len__(&self) -> usize {
        self.documents.rows()
    }
}

/// The strings of a list; `what` is in messages.
fn strings(list: &Bound<'_, PyList>, what: &str) -> PyResult<Arc<dyn TextList>> {
    let mut strings: Vec<PyBackedStr> = Vec::with_capacity(list.len());
    for (row, item) in list.iter().enumerate() {
        strings.push(string(&item, what, row)?);
    }
    Ok(Arc::new(strings))
}

/// The strings of a list, without those that are missing: `None`, or NaN as pandas has it.
fn present_strings(list: &Bound<'_, PyList>, what: &str) -> PyResult<Arc<dyn TextList>> {
    // Most are there: only what is no string is looked at again.
    let is_missing = |item: &Bound<'_, PyAny>| item.is_none() || item.extract().is_ok_and(f64::is_nan);
    let present = |(row, item): (usize, Bound<'_, PyAny>)| match string(&item, what, row) {
        Ok(string) => Ok(Some(string)),
        Err(_) if is_missing(&item) => Ok(None),
        Err(error) => Err(error),
    };
    let strings = list.iter().enumerate().map(present).collect::<PyResult<_>>()?;
    Ok(Arc::new(PresentStrings(strings)))
}

/// Strings, some of which are missing.
#[derive(Debug)]
struct PresentStrings(Vec<Option<PyBackedStr>>);

impl TextList for PresentStrings {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, number: usize) -> Option<&str> {
        self.0.get(number)?.as_deref()
    }
}

fn string(item: &Bound<'_, PyAny>, what: &str, row: usize) -> PyResult<PyBackedStr> {
    if let Ok(string) = item.extract() {
        return Ok(string);
    }
    if item.is_instance_of::<pyo3::types::PyString>() {
        return Err(PyValueError::new_err(format!("the {what} in row {row} is not Unicode: it has a lone surrogate")));
    }
    let found = item.get_type().name()?;
    Err(PyTypeError::new_err(format!("the {what} in row {row} is {found}, expected str")))
}

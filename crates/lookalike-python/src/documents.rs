//! Documents that Python holds.

use crate::capsules::columns_of;
use crate::errors::refused;
use crate::ids::{IdTypes, integer_type, with_integer_ids};
use crate::keywords::one_of;
use crate::values::{array_of, vectors_of};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike::{
    Data, InMemory,
    inputs::{MemoryTable, MemoryTexts, TextList},
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::{Bound, PyAny, PyAnyMethods, PyResult, PyTypeMethods, pyclass, pymethods};
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyList, PyListMethods};
use std::sync::Arc;

/// Documents that Python holds, ready for a job. Python strings are read where they lie, and kept alive by this object;
/// a string with other characters than ASCII makes its UTF-8 form once and keeps it.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Documents {
    documents: InMemory,
    /// The type of ids that are integers.
    id_type: Option<DataType>,
}

#[pymethods]
impl Documents {
    /// Texts in a list, with a list of ids as long or without. An id may be missing; `id_type` is that of ids that
    /// spell integers.
    #[staticmethod]
    #[pyo3(signature = (texts, ids=None, id_type=None))]
    fn of_texts(texts: &Bound<'_, PyList>, ids: Option<&Bound<'_, PyList>>, id_type: Option<&str>) -> PyResult<Self> {
        let texts: Arc<dyn TextList> = Arc::new(strings(texts, "text")?);
        let texts = match ids {
            None => MemoryTexts::new(texts),
            Some(ids) => MemoryTexts::with_ids(texts, Arc::new(OptionalIds::from_list(ids)?))
                .ok_or_else(|| PyValueError::new_err("there are not as many ids as texts"))?,
        };
        let types = [("int64", DataType::Int64), ("uint64", DataType::UInt64)];
        let types = types.each_ref().map(|(name, id_type)| (*name, id_type));
        let id_type = id_type.map(|name| one_of("id_type", name, &types)).transpose()?.cloned();
        Ok(Self { documents: InMemory::Texts(texts), id_type })
    }

    /// The columns of an object with the Arrow PyCapsule interface.
    #[staticmethod]
    #[pyo3(signature = (table, text_field, id_field=None))]
    fn of_arrow(table: &Bound<'_, PyAny>, text_field: &str, id_field: Option<&str>) -> PyResult<Self> {
        let (schema, batches) = columns_of(table, text_field)?;
        Self::of_batches(schema, batches, id_field)
    }

    /// Columns of Python values, by name: strings, numbers, or lists of these; `None` is a missing one.
    #[staticmethod]
    #[pyo3(signature = (columns, id_field=None))]
    fn of_columns(columns: Vec<(String, Bound<'_, PyList>)>, id_field: Option<&str>) -> PyResult<Self> {
        let mut arrays = Vec::with_capacity(columns.len());
        for (name, values) in &columns {
            arrays.push((name, array_of(name, values)?, true));
        }
        let batch = RecordBatch::try_from_iter_with_nullable(arrays).map_err(refused)?;
        Self::of_batches(batch.schema(), vec![batch], id_field)
    }

    /// A column of vectors of a shape (rows, dimensions), from the bytes of their 32- or 64-bit floats in native order.
    #[staticmethod]
    fn of_vectors(name: &str, bytes: &[u8], shape: (usize, usize)) -> PyResult<Self> {
        let batch = RecordBatch::try_from_iter([(name, vectors_of(bytes, shape.0, shape.1)?)]).map_err(refused)?;
        Self::of_batches(batch.schema(), vec![batch], None)
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

impl Documents {
    fn of_batches(schema: SchemaRef, batches: Vec<RecordBatch>, id_field: Option<&str>) -> PyResult<Self> {
        let (schema, batches) = match id_field {
            None => (schema, batches),
            Some(id_field) => with_integer_ids(schema, batches, id_field)?,
        };
        let id_type = id_field.and_then(|id_field| integer_type(&schema, id_field));
        Ok(Self { documents: InMemory::Table(MemoryTable::new(schema, batches).map_err(refused)?), id_type })
    }
}

/// The documents of a job that Python holds, and the types of their ids.
pub(crate) fn data_of(
    inputs: Option<&Bound<'_, Documents>>,
    references: Option<&Bound<'_, Documents>>,
) -> (Data, IdTypes) {
    let documents = |given: Option<&Bound<'_, Documents>>| given.map(|given| given.get().documents.clone());
    let id_type = |given: Option<&Bound<'_, Documents>>| given.and_then(|given| given.get().id_type.clone());
    let data = Data { inputs: documents(inputs), references: documents(references) };
    (data, IdTypes { inputs: id_type(inputs), references: id_type(references) })
}

/// Ids of texts, of which some may be missing.
#[derive(Debug)]
struct OptionalIds(Vec<Option<PyBackedStr>>);

impl OptionalIds {
    fn from_list(list: &Bound<'_, PyList>) -> PyResult<Self> {
        let mut ids = Vec::with_capacity(list.len());
        for (row, id) in list.iter().enumerate() {
            ids.push(if id.is_none() { None } else { Some(string(&id, "id", row)?) });
        }
        Ok(Self(ids))
    }
}

impl TextList for OptionalIds {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, number: usize) -> Option<&str> {
        self.0.get(number)?.as_deref()
    }
}

/// The strings of a list; `what` is in messages.
fn strings(list: &Bound<'_, PyList>, what: &str) -> PyResult<Vec<PyBackedStr>> {
    let mut strings: Vec<PyBackedStr> = Vec::with_capacity(list.len());
    for (row, item) in list.iter().enumerate() {
        strings.push(string(&item, what, row)?);
    }
    Ok(strings)
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

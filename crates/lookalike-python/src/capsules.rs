//! Arrow arrays from other Python libraries and to them, by the PyCapsule interface: buffers are shared, not copied.
//!
//! A place with `unsafe`: a capsule is a pointer to a struct of C, by definition of the interface. pyo3-arrow
//! does the same for one version of arrow-rs, which is behind the one that we read Parquet with.

use crate::errors::refused;
use crate::values::list_of;
use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader, make_array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::{PyKeyError, PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::{Bound, Py, PyAny, PyAnyMethods, PyCapsuleMethods, PyErr, PyResult, Python, pyclass, pymethods};
use pyo3::types::{PyCapsule, PyList, PyTuple};
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time between two looks for signals while batches of a stream are taken.
const PERIOD: Duration = Duration::from_millis(100);

/// The name of a capsule with a stream of arrays.
const STREAM: &CStr = c"arrow_array_stream";
/// The name of a capsule with an array.
pub(crate) const ARRAY: &CStr = c"arrow_array";
/// The name of a capsule with a type.
pub(crate) const SCHEMA: &CStr = c"arrow_schema";

/// The columns of an object that has `__arrow_c_stream__` or `__arrow_c_array__`; one that is no table is a column
/// called `name`.
pub(crate) fn columns_of(object: &Bound<'_, PyAny>, name: &str) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    if object.hasattr("__arrow_c_stream__")? {
        let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
        return stream_of(&capsule, name);
    }
    let pair = object.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
    let array = array_of(&pair)?;
    let schema = schema_of(array.data_type(), name);
    let batch = batch_of(array, &schema)?;
    Ok((schema, vec![batch]))
}

#[expect(unsafe_code, reason = "a capsule is a pointer")]
fn stream_of(capsule: &Bound<'_, PyCapsule>, name: &str) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name points to such a struct, which is moved out of it and marked as released there.
    // What the struct promises of its functions and buffers is up to its producer; contents are checked below.
    let reader = unsafe { ArrayStreamReader::from_raw(pointer.as_ptr()) }.map_err(refused)?;
    let schema = schema_of(arrow_array::ArrayReader::field(&reader).data_type(), name);
    // The producer may need Python on threads of its own.
    let batches = capsule.py().detach(|| batches_of(reader, &schema))?;
    Ok((schema, batches))
}

fn batches_of(mut reader: ArrayStreamReader, schema: &SchemaRef) -> PyResult<Vec<RecordBatch>> {
    let mut batches = Vec::new();
    let mut looked = Instant::now();
    while let Some(array) = consistent(|| reader.next())? {
        let array = array.map_err(producer_error)?;
        array.to_data().validate_full().map_err(refused)?;
        batches.push(batch_of(array, schema)?);
        // A stream may be endless. Its producer is called on this thread, which it may rely on, so a batch that never
        // comes cannot be interrupted.
        if looked.elapsed() > PERIOD {
            Python::attach(|py| py.check_signals())?;
            looked = Instant::now();
        }
    }
    Ok(batches)
}

/// The exception for an error of a stream. A producer that runs Python code, as a generator, meets Ctrl-C in it; of the
/// exception only the text comes through the interface.
fn producer_error(error: ArrowError) -> PyErr {
    let message = error.to_string();
    let is_interrupt = message.lines().any(|line| line.trim_end() == "KeyboardInterrupt");
    if is_interrupt { PyKeyboardInterrupt::new_err(()) } else { refused(message) }
}

#[expect(unsafe_code, reason = "a capsule is a pointer")]
fn array_of(pair: &Bound<'_, PyTuple>) -> PyResult<ArrayRef> {
    let capsule = |index: usize| -> PyResult<Bound<'_, PyCapsule>> {
        Ok(pair.as_any().get_item(index)?.cast_into::<PyCapsule>()?)
    };
    // The capsules must outlive the pointers.
    let schema = capsule(0)?;
    let array = capsule(1)?;
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names point to such structs. The array is moved out of its capsule and marked as
    // released there; the schema stays. What they promise of their buffers is up to their producer; contents are
    // checked by `import`.
    let (schema, array) = unsafe { (schema.as_ref(), FFI_ArrowArray::from_raw(array.as_ptr())) };
    if array.is_released() {
        return Err(PyValueError::new_err("the Arrow array was taken over by another reader before"));
    }
    let data_type = DataType::try_from(schema).map_err(refused)?;
    pair.py().detach(|| import(array, data_type))
}

/// An array whose contents are what its type says: strings of UTF-8, offsets and keys within their buffers. Producers
/// do not check them, and strings of other bytes would be undefined behaviour here.
#[expect(unsafe_code, reason = "an array of another language is pointers")]
fn import(array: FFI_ArrowArray, data_type: DataType) -> PyResult<ArrayRef> {
    consistent(|| {
        // SAFETY: the caller has an array that is not released, with the type that came beside it.
        let data = unsafe { from_ffi_and_data_type(array, data_type) }.map_err(refused)?;
        data.validate_full().map_err(refused)?;
        Ok(make_array(data))
    })?
}

/// Runs a conversion of arrow-rs, which asserts that arrays have the buffers and children of their type.
fn consistent<T>(convert: impl FnOnce() -> T) -> PyResult<T> {
    let inconsistent = |_| PyValueError::new_err("the Arrow array lacks buffers or children that its type has");
    catch_unwind(AssertUnwindSafe(convert)).map_err(inconsistent)
}

/// The columns of a type of structs; of others, one column called `name`.
fn schema_of(data_type: &DataType, name: &str) -> SchemaRef {
    match data_type {
        DataType::Struct(fields) => Arc::new(Schema::new(fields.clone())),
        other => Arc::new(Schema::new(vec![Field::new(name, other.clone(), true)])),
    }
}

fn batch_of(array: ArrayRef, schema: &SchemaRef) -> PyResult<RecordBatch> {
    let Some(rows) = array.as_struct_opt() else {
        return RecordBatch::try_new(schema.clone(), vec![array]).map_err(refused);
    };
    if rows.null_count() > 0 {
        return Err(PyValueError::new_err("a table has rows that are null"));
    }
    let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows.len()));
    RecordBatch::try_new_with_options(schema.clone(), rows.columns().to_vec(), &options).map_err(refused)
}

/// A table of answers, which any library can take over by the PyCapsule interface.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct ArrowTable {
    batch: RecordBatch,
}

impl ArrowTable {
    pub(crate) fn new(batch: RecordBatch) -> Self {
        Self { batch }
    }
}

#[pymethods]
impl ArrowTable {
    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Values of a column from row `start` on, `length` of them or as many as there are.
    fn values<'py>(&self, py: Python<'py>, column: &str, start: usize, length: usize) -> PyResult<Bound<'py, PyList>> {
        let no_column = || PyKeyError::new_err(column.to_owned());
        let array = self.batch.column_by_name(column).ok_or_else(no_column)?;
        let start = start.min(array.len());
        list_of(py, &array.slice(start, length.min(array.len() - start)))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer give its own types.
        drop(requested_schema);
        let batches = [Ok(self.batch.clone())];
        let reader: Box<dyn RecordBatchReader + Send> =
            Box::new(RecordBatchIterator::new(batches, self.batch.schema()));
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema().as_ref()).map_err(refused)?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }
}

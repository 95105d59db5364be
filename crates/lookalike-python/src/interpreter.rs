//! Refuses a second interpreter of the process: types of the module belong to the one that has imported it first.
//!
//! CPython 3.12 and later do so themselves, for modules that do not say that they can be loaded in several.

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::{PyResult, Python};
use std::sync::atomic::{AtomicI64, Ordering};

/// The interpreter that has imported the module; no number of one before.
static FIRST: AtomicI64 = AtomicI64::new(NONE);
const NONE: i64 = -1;

/// Lets an interpreter import the module, if it is the first one or the same again.
pub(crate) fn admit(py: Python<'_>) -> PyResult<()> {
    let present = number(py);
    match FIRST.compare_exchange(NONE, present, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => Ok(()),
        Err(first) if first == present => Ok(()),
        Err(_) => Err(PyImportError::new_err(
            "lookalike cannot be loaded in a second interpreter of a process: use threads or processes",
        )),
    }
}

#[expect(unsafe_code, reason = "asks CPython for the number of the interpreter")]
fn number(_attached: Python<'_>) -> i64 {
    // SAFETY: the thread is attached to an interpreter, which the token proves; so there is a present one.
    unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) }
}

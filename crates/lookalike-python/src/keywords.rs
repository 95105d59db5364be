//! The keywords of a call, taken one by one: what is left at the end is refused.

use crate::errors::refused;
use bytesize::ByteSize;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::{Bound, PyAny, PyAnyMethods, PyErr, PyResult};
use pyo3::types::{PyDict, PyDictMethods};
use std::str::FromStr;

/// Keywords, of which some were taken.
pub(crate) struct Keywords<'py>(Bound<'py, PyDict>);

impl<'py> Keywords<'py> {
    /// The keywords in a dictionary, which has no other owner: entries are taken out of it.
    pub(crate) fn new(keywords: Bound<'py, PyDict>) -> Self {
        Self(keywords)
    }

    /// Gives a keyword that the caller cannot give.
    pub(crate) fn set(&self, name: &str, value: &str) -> PyResult<()> {
        if self.0.contains(name)? {
            return Err(PyTypeError::new_err(format!("the keyword `{name}` does not fit the others")));
        }
        self.0.set_item(name, value)
    }

    /// Gives a keyword that the caller has not given.
    pub(crate) fn give(&self, name: &str, value: u32) -> PyResult<()> {
        self.0.set_item(name, value)
    }

    /// True if a keyword is given and not `None`.
    pub(crate) fn has(&self, name: &str) -> PyResult<bool> {
        Ok(self.0.get_item(name)?.is_some_and(|value| !value.is_none()))
    }

    /// Takes a keyword; `None` if it is absent or `None`.
    pub(crate) fn any(&mut self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(value) = self.0.get_item(name)? else { return Ok(None) };
        self.0.del_item(name)?;
        Ok((!value.is_none()).then_some(value))
    }

    pub(crate) fn take<T: FromPyObjectOwned<'py>>(&mut self, name: &str) -> PyResult<Option<T>> {
        let Some(value) = self.any(name)? else { return Ok(None) };
        let extracted = value.extract::<T>();
        extracted.map(Some).map_err(|error| {
            let error: PyErr = error.into();
            PyTypeError::new_err(format!("{name}: {}", error.value(self.0.py())))
        })
    }

    /// A string that stays; `None` if it is absent, `None`, or of another type, which who takes it refuses.
    pub(crate) fn peek(&self, name: &str) -> PyResult<Option<String>> {
        Ok(self.0.get_item(name)?.and_then(|value| value.extract().ok()))
    }

    /// Takes a word that names one of some values.
    pub(crate) fn choice<T: Copy>(&mut self, name: &str, values: &[(&str, T)]) -> PyResult<Option<T>> {
        let Some(word) = self.take::<String>(name)? else { return Ok(None) };
        one_of(name, &word, values).map(Some)
    }

    /// Takes a word that is parsed.
    pub(crate) fn parse<T: FromStr<Err: std::fmt::Display>>(&mut self, name: &str) -> PyResult<Option<T>> {
        let word: Option<String> = self.take(name)?;
        word.map(|word| word.parse()).transpose().map_err(|error| refused(format!("{name}: {error}")))
    }

    /// Takes a number of bytes: an integer, or a string such as `1GiB`.
    pub(crate) fn bytes(&mut self, name: &str) -> PyResult<Option<u64>> {
        let Some(size) = self.any(name)? else { return Ok(None) };
        let wrong = || format!("{name}: expected a number of bytes, or a str such as \"1GiB\"");
        match size.extract::<String>() {
            Err(_) => size.extract().map(Some).map_err(|_| PyTypeError::new_err(wrong())),
            Ok(text) => match text.parse::<ByteSize>() {
                Ok(ByteSize(bytes)) => Ok(Some(bytes)),
                Err(_) => Err(refused(format!("{}; found `{text}`", wrong()))),
            },
        }
    }

    pub(crate) fn is_true(&mut self, name: &str) -> PyResult<bool> {
        Ok(self.take(name)?.unwrap_or(false))
    }

    /// Refuses keywords that do not go with one that is given.
    pub(crate) fn refuse(&self, names: &[&str], given: &str) -> PyResult<()> {
        for name in names {
            if self.has(name)? {
                return Err(PyTypeError::new_err(format!("the keyword `{name}` does not go with `{given}`")));
            }
        }
        Ok(())
    }

    /// Refuses keywords that nothing has taken.
    pub(crate) fn finish(self) -> PyResult<()> {
        match self.0.iter().next() {
            None => Ok(()),
            Some((name, _)) => Err(PyTypeError::new_err(format!("the keyword `{name}` does not fit the others"))),
        }
    }
}

/// The value that a word names.
pub(crate) fn one_of<T: Copy>(name: &str, word: &str, values: &[(&str, T)]) -> PyResult<T> {
    let found = values.iter().find(|(value, _)| *value == word);
    let names = || values.iter().map(|(value, _)| format!("`{value}`")).collect::<Vec<_>>().join(", ");
    let error = || PyValueError::new_err(format!("{name}: expected one of {}, found `{word}`", names()));
    found.map(|(_, value)| *value).ok_or_else(error)
}

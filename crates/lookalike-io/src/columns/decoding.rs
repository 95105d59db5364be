//! Calls of third-party decoders, guarded against panics.
//!
//! Files may be corrupt, so each step of a decoder runs in [`guarded`]: an error or a panic becomes a message about the
//! file and never ends the process.

use crate::base::details::{Action, DataForm};
use crate::base::{Error, Result};
use crate::formats::RecordFormat;
use std::cell::Cell;
use std::fmt::Display;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The result of a step of a decoder, with its message.
pub(super) type Decoded<T> = std::result::Result<T, String>;

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether a panic of this thread would become an error: a step of a decoder is running. The panic hook, which
/// prints panics, belongs to the whole process; a program that owns the process may ask this in a hook of its own and
/// print nothing.
pub fn panic_becomes_error() -> bool {
    IS_GUARDED.get()
}

/// Runs a step of a decoder; a panic becomes an error. The decoders do not check all of their input: a corrupt file may
/// lead to an absurd length and a panic. The state of the step must not be used after an error.
pub(crate) fn guarded<T, E: Display>(step: impl FnOnce() -> std::result::Result<T, E>) -> Decoded<T> {
    let was_guarded = IS_GUARDED.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(step));
    IS_GUARDED.set(was_guarded);
    let first_line = |message: &str| message.lines().next().unwrap_or_default().to_owned();
    match outcome {
        Ok(outcome) => outcome.map_err(|error| first_line(&error.to_string())),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            Err(first_line(&format!("the decoder cannot go on: {text}")))
        }
    }
}

/// An [`Error::NotInFormat`].
pub(crate) fn unreadable(path: &Path, format: RecordFormat, message: String) -> Error {
    Error::NotInFormat { path: path.to_owned(), form: DataForm::Records(format), message }
}

/// Opens a file in this format, which is never empty.
pub(crate) fn open(path: &Path, format: RecordFormat) -> Result<File> {
    let file = File::open(path).map_err(|source| Error::io(Action::Open, path, source))?;
    let found = file.metadata().map_err(|source| Error::io(Action::Read, path, source))?;
    if found.len() == 0 { Err(Error::EmptyFile { path: path.to_owned(), format }) } else { Ok(file) }
}

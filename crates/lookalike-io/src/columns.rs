//! Files of columns: Parquet and Arrow IPC, by the crates of the Apache project.
//!
//! Decoders of others meet whatever a disk holds, so each step of them runs
//! [`guarded`]: an error, and a panic too, is a message about the file and never the end of the program.

mod arrow_file;
mod batches;
mod fields;
mod parquet_copy;
mod views;
mod writer;

pub(crate) use arrow_file::ArrowFile;
pub(crate) use batches::BatchReader;
pub(crate) use fields::{ColumnPath, FieldColumns, Scores, column, is_text, strings};

pub(crate) use parquet_copy::{ANNOTATION_TYPES, copy_parquet};
pub(crate) use writer::{BatchWriter, Layout};

use crate::error::{Error, Result};
use crate::format::RecordFormat;
use parquet::errors::ParquetError;
use std::cell::Cell;
use std::fmt::Display;
use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;

/// Fields of an annotation, each a column of its own.
pub(crate) const ANNOTATION_COLUMNS: [&str; 4] =
    ["lookalike_duplicate", "lookalike_kept", "lookalike_similarity", "lookalike_cluster_size"];

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a step of a decoder. The decoders check what they read, but not everywhere: a damaged file may still lead one to a
/// length that makes no sense and to a panic, which becomes an error here. What the step worked on must not be used after it.
///
/// Nobody needs to read of such a panic on stderr. The hook that would print it belongs to the whole process, so ours is put
/// before it once and lets all others through.
pub(crate) fn guarded<T, E: Display>(
    step: impl FnOnce() -> std::result::Result<T, E>,
) -> std::result::Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                others(panic);
            }
        }));
    });
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

/// A file that was read before and cannot be read now.
pub(crate) fn unreadable(path: &Path, format: RecordFormat, message: String) -> Error {
    Error::NotInFormat { path: path.to_owned(), format: format.name(), message }
}

/// What a writer says, with the answer of the system inside it if there is one.
fn unwritable(path: &Path, error: ParquetError) -> Error {
    let source = match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    };
    Error::io("write", path, source)
}

fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|source| Error::io("open", path, source))
}

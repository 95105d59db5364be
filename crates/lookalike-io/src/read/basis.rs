//! What rows say of themselves: the basis of the answer that they are.

use crate::columns::stored_metadata;
use crate::formats::{RecordFormat, RowFormat};
use crate::ground::details::Action;
use crate::ground::{Error, Result};
use crate::rows::{BASIS_KEY, side_file};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The basis in the metadata of a file of this format; `None` if it says nothing.
///
/// # Errors
/// [`Error::Io`], [`Error::NotInFormat`].
pub fn basis_inside(path: &Path, format: RecordFormat) -> Result<Option<String>> {
    match format {
        RecordFormat::Parquet | RecordFormat::Arrow => stored_metadata(path, format, BASIS_KEY),
        _ => Ok(None),
    }
}

/// The basis of the rows in a file, from its metadata or the file beside it; `None` if neither says anything.
///
/// # Errors
/// [`Error::Io`], [`Error::UnknownExtension`], [`Error::NotInFormat`].
pub fn read_basis(path: &Path) -> Result<Option<String>> {
    let inside = match RowFormat::of(path)? {
        RowFormat::Parquet => stored_metadata(path, RecordFormat::Parquet, BASIS_KEY)?,
        RowFormat::Arrow => stored_metadata(path, RecordFormat::Arrow, BASIS_KEY)?,
        RowFormat::JsonLines | RowFormat::Csv | RowFormat::Tsv => None,
    };
    if inside.is_some() {
        return Ok(inside);
    }
    let beside = side_file(path);
    match fs::read_to_string(&beside) {
        Ok(basis) => Ok(Some(basis)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io(Action::Read, &beside, error)),
    }
}

//! Patterns of file names.

use crate::ground::{Error, Result};
use crate::remote::is_url;
use std::path::{Path, PathBuf};

/// The inputs, with each pattern replaced by the files that match it.
///
/// # Errors
/// [`Error::NoMatch`], [`Error::Pattern`], or [`Error::Io`] if a folder cannot be searched.
pub fn expand_patterns(inputs: &[PathBuf]) -> Result<Vec<PathBuf>> {
    Ok(inputs.iter().map(|input| expand(input)).collect::<Result<Vec<_>>>()?.concat())
}

/// The sorted matches of a pattern; any other input itself.
fn expand(input: &Path) -> Result<Vec<PathBuf>> {
    let pattern = input.to_string_lossy();
    // Patterns of URLs are matched against the listing of their store.
    if is_url(input) || !pattern.contains(['*', '?', '[']) || input.exists() {
        return Ok(vec![input.to_owned()]);
    }
    let wrong = |error: glob::PatternError| Error::Pattern { path: input.to_owned(), message: error.msg.to_owned() };
    let mut matches = Vec::new();
    for path in glob::glob(&pattern).map_err(wrong)? {
        matches.push(path.map_err(|error| Error::io("read", input, error.into()))?);
    }
    if matches.is_empty() { Err(Error::NoMatch { path: input.to_owned() }) } else { Ok(matches) }
}

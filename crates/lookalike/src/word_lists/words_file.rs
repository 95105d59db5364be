//! Files of words.

use crate::ground::Result;
use lookalike_io::ground::details::Action;
use lookalike_io::ground::without_mark;
use std::collections::BTreeSet;
use std::path::Path;

/// The words in a file, one a line.
pub(super) fn words_of_file(path: &Path) -> Result<BTreeSet<String>> {
    let text = std::fs::read_to_string(path).map_err(|source| lookalike_io::Error::io(Action::Read, path, source))?;
    Ok(text.lines().map(|line| without_mark(line).trim()).filter(|word| !word.is_empty()).map(str::to_owned).collect())
}

//! Whether the outputs of a job fit its inputs, asked before any work.

use crate::ground::{Error, FileInUse, OutputKind, Result};
use lookalike_io::{expand_patterns, url_covers};
use std::fs;
use std::path::{Path, PathBuf};

/// Checks before any work that no output lands on an input, on another output, or in a folder that is read.
///
/// # Errors
/// [`Error::OutputInUse`], [`Error::OutputInInput`]; [`Error::Io`] for a pattern that no file fits.
pub(crate) fn check_outputs<'a>(
    inputs: &[PathBuf],
    outputs: impl IntoIterator<Item = (OutputKind, &'a PathBuf)>,
) -> Result<()> {
    let inputs = expand_patterns(inputs)?;
    let mut taken: Vec<(PathBuf, FileInUse)> = Vec::new();
    for input in &inputs {
        taken.push((resolve(input), FileInUse::Input { path: input.clone() }));
    }
    for (output, name) in outputs {
        let is_stdout = name.as_path() == Path::new("-");
        let path = if is_stdout { name.clone() } else { resolve(name) };
        if let Some((_, other)) = taken.iter().find(|(other, _)| *other == path) {
            return Err(Error::OutputInUse { output, path: name.clone(), other: other.clone() });
        }
        let holds = |input: &PathBuf| url_covers(input, name) || input.is_dir() && path.starts_with(resolve(input));
        if let Some(folder) = inputs.iter().find(|input| holds(input)) {
            return Err(Error::OutputInInput { path: name.clone(), folder: folder.clone() });
        }
        if is_stdout || path.is_file() || !path.exists() {
            taken.push((path, FileInUse::Output { output, path: name.clone() }));
        }
    }
    Ok(())
}

/// The absolute path without links; of a file that does not exist yet, that of its folder with its name.
fn resolve(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::canonicalize(path)
        .ok()
        .or_else(|| Some(fs::canonicalize(parent).ok()?.join(path.file_name()?)))
        .unwrap_or_else(|| path.to_owned())
}

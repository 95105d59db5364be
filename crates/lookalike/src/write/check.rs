//! Checks before any work that the outputs of a job fit its inputs.

use crate::base::{Contradiction, FileInUse, OutputKind, Result};
use lookalike_io::{
    base::FileSelection,
    formats::ids_of_array,
    remote::url_covers,
    sources::{could_fit, expand_patterns},
};
use std::fs;
use std::path::{Path, PathBuf};

/// Checks before any work that no output lands on an input that the selection takes or a `spared` file, on another
/// output, in a folder that is read or spared, or where a pattern would find it the next time.
///
/// # Errors
/// [`Contradiction::OutputInUse`], [`Contradiction::OutputInInput`], [`Contradiction::OutputFitsPattern`];
/// [`crate::Error::Io`] for a pattern that no file fits.
pub(crate) fn check_outputs<'a>(
    named: &[PathBuf],
    selection: &FileSelection,
    spared: &[PathBuf],
    outputs: impl IntoIterator<Item = (OutputKind, &'a PathBuf)>,
) -> Result<()> {
    let inputs = expand_patterns(named, selection)?;
    let ids: Vec<PathBuf> = inputs.iter().filter_map(|input| ids_of_array(input)).collect();
    let mut taken: Vec<(PathBuf, FileInUse)> = Vec::new();
    for input in inputs.iter().chain(&ids).chain(spared) {
        taken.push((resolve(input), FileInUse::Input { path: input.clone() }));
    }
    for (output, name) in outputs {
        let is_stdout = name.as_path() == Path::new("-");
        let path = if is_stdout { name.clone() } else { resolve(name) };
        if let Some((_, other)) = taken.iter().find(|(other, _)| *other == path) {
            return Err(Contradiction::OutputInUse { output, path: name.clone(), other: other.clone() }.into());
        }
        let holds = |input: &PathBuf| url_covers(input, name) || input.is_dir() && path.starts_with(resolve(input));
        if let Some(folder) = inputs.iter().chain(spared).find(|input| holds(input)) {
            return Err(Contradiction::OutputInInput { path: name.clone(), folder: folder.clone() }.into());
        }
        if let Some(pattern) = named.iter().find(|input| !is_stdout && could_fit(input, name, &path)) {
            return Err(Contradiction::OutputFitsPattern { path: name.clone(), pattern: pattern.clone() }.into());
        }
        let outputs = taken.iter().filter(|(_, other)| matches!(other, FileInUse::Output { .. }));
        for (other, _) in outputs.filter(|_| !is_stdout) {
            if path.starts_with(other) || other.starts_with(&path) {
                let folder = if path.starts_with(other) { other.clone() } else { path };
                return Err(Contradiction::OutputInOutput { output, folder }.into());
            }
        }
        if is_stdout || !path.exists() || path.is_file() || path.is_dir() {
            taken.push((path, FileInUse::Output { output, path: name.clone() }));
        }
    }
    Ok(())
}

/// The absolute path without links; of what does not exist yet, that of the nearest folder that does, with the rest.
fn resolve(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let known = absolute.ancestors().find_map(|folder| Some((folder, fs::canonicalize(folder).ok()?)));
    match known {
        Some((folder, canonical)) => canonical.join(absolute.strip_prefix(folder).unwrap_or(Path::new(""))),
        None => absolute,
    }
}

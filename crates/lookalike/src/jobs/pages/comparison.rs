//! The page of two documents as a file.

use crate::ground::{OutputKind, Result};
use crate::html::comparison_page;
use crate::tools::{Compared, ComparedDocument, Comparing, existing_path};
use crate::write::check_outputs;
use lookalike_io::{AtomicFile, Selection};
use std::path::{Path, PathBuf};

/// Writes the page of two documents that were compared, under a title that says what was found. A file that is there
/// is replaced when the page is complete.
///
/// # Errors
/// If the path is that of a document, or the page cannot be written.
pub fn write_comparison(asked: &Comparing, compared: &Compared, title: &str, path: &Path) -> Result<()> {
    let mut inputs = asked.inputs.inputs.clone();
    inputs.extend(asked.sides.iter().flat_map(files_of));
    let spared: Vec<PathBuf> = asked.spared.iter().chain(&asked.idf).cloned().collect();
    check_outputs((&inputs, &Selection::default()), &spared, std::iter::once((OutputKind::Report, &path.to_owned())))?;
    let mut file = AtomicFile::create(path)?;
    file.write(comparison_page(title, compared)?.as_bytes())?;
    Ok(file.finish()?)
}

/// The files that the name of a document may mean.
fn files_of(document: &ComparedDocument) -> Vec<PathBuf> {
    let ComparedDocument::Named(name) = document else { return Vec::new() };
    let ends = name.match_indices(':').map(|(at, _)| at).chain([name.len()]);
    ends.map(|end| existing_path(&name[..end])).filter(|path| path.exists()).collect()
}

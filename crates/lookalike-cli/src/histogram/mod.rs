//! `pairs --histogram`: how many pairs and candidates have which similarity, as a drawing or as JSON.

mod draw;
mod facts;

pub(crate) use facts::Facts;

use crate::drawing::new_file;
use anyhow::{Context, Result, bail};
use lookalike::AtomicFile;
use std::ffi::OsStr;
use std::path::Path;

/// How a histogram is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Drawing,
    Json,
}

/// Checks before the work that a histogram can be written to a file of this name.
///
/// # Errors
/// If its extension is neither `.svg` nor `.json`.
pub(crate) fn check(path: &Path) -> Result<()> {
    form_of(path).map(drop)
}

/// Writes the histogram to `path`, which is replaced only by a complete file.
///
/// # Errors
/// If the file cannot be written, with its path.
pub(crate) fn write(facts: &Facts<'_>, path: &Path) -> Result<()> {
    let content = match form_of(path)? {
        Form::Drawing => draw::draw(facts)?,
        Form::Json => serde_json::to_string_pretty(&facts.json())? + "\n",
    };
    new_file::write(path, &content).with_context(|| format!("cannot write the histogram {}", path.display()))
}

fn form_of(path: &Path) -> Result<Form> {
    let extension = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    match extension.as_deref() {
        Some("svg") => Ok(Form::Drawing),
        Some("json") => Ok(Form::Json),
        None if AtomicFile::is_stream(path) => Ok(Form::Drawing),
        // A drawing behind a name that says PNG would be a file that no program opens.
        _ => bail!(
            "{} cannot be written: --histogram draws SVG, or writes JSON; name it {} or {}",
            path.display(),
            path.with_extension("svg").display(),
            path.with_extension("json").display()
        ),
    }
}

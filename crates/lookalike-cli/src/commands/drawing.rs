//! Drawings and their numbers as outputs.

use anyhow::{Context, Result};
use lookalike::doors::AtomicFile;
use lookalike::pages::{HistogramFacts, draw_histogram};
use std::ffi::OsStr;
use std::path::Path;

/// Form of a file of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DrawingForm {
    /// The drawing.
    Svg,
    /// Its numbers.
    Json,
}

impl DrawingForm {
    /// The form that the extension of a path says; a drawing for devices and descriptors, which have none. `None` for
    /// another extension, since a drawing behind a name that says PNG would be a file that no program opens, and for
    /// standard output, which has the answer of the command.
    pub(crate) fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        match extension.as_deref() {
            Some("svg") => Some(Self::Svg),
            Some("json") => Some(Self::Json),
            None if path != Path::new("-") && AtomicFile::is_stream(path) => Some(Self::Svg),
            _ => None,
        }
    }
}

/// Writes a file as all outputs are written: an older one is replaced when the new one is complete, devices and
/// descriptors are written to.
///
/// # Errors
/// If it cannot be written; then nothing is left behind.
pub(crate) fn write_file(path: &Path, content: &str) -> Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write(content.as_bytes())?;
    Ok(file.finish()?)
}

/// Checks before the work that a histogram can be written to a file of this name.
///
/// # Errors
/// If its extension is neither `.svg` nor `.json`.
pub(crate) fn check_histogram_name(path: &Path) -> Result<()> {
    histogram_form(path).map(drop)
}

/// Writes the histogram to `path`, which is replaced only by a complete file.
///
/// # Errors
/// If the file cannot be written, with its path.
pub(crate) fn write_histogram(facts: &HistogramFacts<'_>, path: &Path) -> Result<()> {
    let content = match histogram_form(path)? {
        DrawingForm::Svg => draw_histogram(facts)?,
        DrawingForm::Json => serde_json::to_string_pretty(&facts.json())? + "\n",
    };
    write_file(path, &content).with_context(|| format!("cannot write the histogram {}", path.display()))
}

fn histogram_form(path: &Path) -> Result<DrawingForm> {
    let named = || {
        let [path, svg, json] = [path.to_owned(), path.with_extension("svg"), path.with_extension("json")];
        let [path, svg, json] = [path.display(), svg.display(), json.display()];
        format!("{path} cannot be written: --histogram draws SVG, or writes JSON; name it {svg} or {json}")
    };
    DrawingForm::from_path(path).with_context(named)
}

//! `pairs --histogram`: how many pairs and candidates have which similarity, as a drawing or as JSON.

use super::new_file::{self, Form};
use anyhow::{Context, Result};
use lookalike::pages::{HistogramFacts, draw_histogram};
use std::path::Path;

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
pub(crate) fn write(facts: &HistogramFacts<'_>, path: &Path) -> Result<()> {
    let content = match form_of(path)? {
        Form::Svg => draw_histogram(facts)?,
        Form::Json => serde_json::to_string_pretty(&facts.json())? + "\n",
    };
    new_file::write(path, &content).with_context(|| format!("cannot write the histogram {}", path.display()))
}

fn form_of(path: &Path) -> Result<Form> {
    let named = || {
        let [path, svg, json] = [path.to_owned(), path.with_extension("svg"), path.with_extension("json")];
        let [path, svg, json] = [path.display(), svg.display(), json.display()];
        format!("{path} cannot be written: --histogram draws SVG, or writes JSON; name it {svg} or {json}")
    };
    Form::of(path).with_context(named)
}

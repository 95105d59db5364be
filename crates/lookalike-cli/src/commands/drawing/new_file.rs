//! Drawings and their numbers as outputs.

use anyhow::Result;
use lookalike::doors::AtomicFile;
use std::ffi::OsStr;
use std::path::Path;

/// What a file of a drawing holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The drawing.
    Svg,
    /// Its numbers.
    Json,
}

impl Form {
    /// The form that the extension of a path says; a drawing for devices and descriptors, which have none. `None` for
    /// another extension, since a drawing behind a name that says PNG would be a file that no program opens, and for
    /// standard output, which has the answer of the command.
    pub(crate) fn of(path: &Path) -> Option<Self> {
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
pub(crate) fn write(path: &Path, content: &str) -> Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write(content.as_bytes())?;
    Ok(file.finish()?)
}

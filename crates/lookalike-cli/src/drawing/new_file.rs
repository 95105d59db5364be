//! Drawings and their numbers as outputs.

use anyhow::Result;
use lookalike::AtomicFile;
use std::path::Path;

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

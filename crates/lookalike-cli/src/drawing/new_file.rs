//! Small files that appear when they are complete.

use anyhow::Result;
use std::io::Write;
use std::path::Path;

/// Writes a file, which replaces an older one only when it is complete.
///
/// # Errors
/// If it cannot be written; then nothing is left behind.
pub(crate) fn replace(path: &Path, content: &str) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // Temporary files are for the owner alone; this one gets what the umask leaves, as any new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(content.as_bytes())?;
    // Its own error would name the temporary file.
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

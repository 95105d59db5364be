//! Staging of outputs.

use crate::ground::{Error, Result};
use lookalike_core::hash::{hash_sequence, hash_token};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where incomplete outputs are staged: local ones beside their final path, those for URLs in a temporary folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staging {
    /// Folder for the outputs to URLs.
    pub temporary_folder: PathBuf,
    /// Number of a job that can be resumed: it replaces the staging files that it left behind when it was killed.
    pub job: Option<u64>,
}

impl Default for Staging {
    /// The system's folder of temporary files, for a job that cannot be resumed.
    fn default() -> Self {
        Self { temporary_folder: std::env::temp_dir(), job: None }
    }
}

impl Staging {
    /// Creates the staging file or folder of `path` beside it, with a hidden name and, on Unix, the permissions `mode`
    /// reduced by the umask, as for any new file.
    pub(super) fn create<R>(
        &self,
        path: &Path,
        mode: u32,
        make: impl FnOnce(&mut tempfile::Builder<'_, '_>, &Path) -> io::Result<R>,
    ) -> Result<R> {
        let resolved = resolve_links(path);
        let folder = resolved.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let created = self.create_in(folder, path, |builder| {
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                builder.permissions(fs::Permissions::from_mode(mode));
            }
            #[cfg(not(unix))]
            let _ = mode;
            make(builder, folder)
        });
        created.map_err(|error| Error::io("write", path, plain(&error, folder)))
    }

    /// Creates the staging file or folder of an output to a URL.
    pub(super) fn create_temporary<R>(
        &self,
        make: impl FnOnce(&mut tempfile::Builder<'_, '_>, &Path) -> io::Result<R>,
    ) -> Result<R> {
        let folder = &self.temporary_folder;
        let created = make(tempfile::Builder::new().prefix("lookalike-"), folder);
        created.map_err(|error| Error::io("write", folder, plain(&error, folder)))
    }

    fn create_in<R>(
        &self,
        folder: &Path,
        path: &Path,
        make: impl FnOnce(&mut tempfile::Builder<'_, '_>) -> io::Result<R>,
    ) -> io::Result<R> {
        let name = self.job.map(|job| {
            let path = hash_token(path.as_os_str().as_encoded_bytes());
            format!(".lookalike-{:016x}", hash_sequence(job, [path]))
        });
        let mut builder = tempfile::Builder::new();
        builder.prefix(name.as_deref().unwrap_or(".lookalike-")).suffix(".partial");
        if let Some(name) = &name {
            builder.rand_bytes(0);
            remove(&folder.join(format!("{name}.partial")))?;
        }
        make(&mut builder)
    }
}

/// Removes a file or folder if it exists.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// The target of a link, so that an existing link is written through and not replaced.
pub(super) fn resolve_links(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The error without the name of the staging file, which the user does not know: the error of a look at the folder, or
/// the kind.
fn plain(error: &io::Error, folder: &Path) -> io::Error {
    fs::metadata(folder).err().unwrap_or_else(|| io::Error::from(error.kind()))
}

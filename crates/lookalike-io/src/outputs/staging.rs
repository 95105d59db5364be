//! Staging of outputs.

use super::leftovers::remove_leftovers;
use crate::ground::details::Action;
use crate::ground::{Error, Result, Staging, TemporaryKind, TemporaryName};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::Builder;

impl Staging {
    /// Creates the staging file or folder of `path` beside it, with a hidden name and, on Unix, the permissions of any
    /// new file or folder. What killed jobs have left there is removed.
    pub(super) fn create<R>(
        &self,
        path: &Path,
        kind: TemporaryKind,
        make: impl FnOnce(&mut Builder<'_, '_>, &Path) -> io::Result<R>,
    ) -> Result<R> {
        let resolved = resolve_links(path);
        let folder = resolved.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        remove_leftovers(folder);
        let created = self.make(folder, TemporaryName::STAGING, kind, |builder| {
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                // Reduced by the umask.
                let mode = if kind == TemporaryKind::Folder { 0o777 } else { 0o666 };
                builder.permissions(fs::Permissions::from_mode(mode));
            }
            make(builder, folder)
        });
        created.map_err(|error| Error::io(Action::Write, path, plain(&error, folder)))
    }

    /// Creates the staging file or folder of an output to a URL.
    pub(super) fn create_temporary<R>(
        &self,
        kind: TemporaryKind,
        make: impl FnOnce(&mut Builder<'_, '_>, &Path) -> io::Result<R>,
    ) -> Result<R> {
        let folder = &self.temporary_folder;
        let created = self.make(folder, TemporaryName::COPY, kind, |builder| make(builder, folder));
        created.map_err(|error| Error::io(Action::Write, folder, plain(&error, folder)))
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

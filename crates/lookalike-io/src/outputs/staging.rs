//! Staging of outputs, and removal of what killed jobs have left there.
//!
//! A job locks what it stages for as long as it lives: the system lets go of a lock when a process ends, however it
//! does. So what nobody holds is nobody's, and the next job that writes to the same folder removes it. Another job may
//! do so between the making of a staging file and its lock; then it is made once more.

use crate::base::details::Action;
use crate::base::{Error, Result, Staging, TemporaryKind, TemporaryName};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::{Builder, NamedTempFile, TempDir};

/// Prefix of the folder in which an index is made.
const INDEX_PREFIX: &str = ".lookalike-index-";
/// Prefix of the folder in which a copy of an index is made, by its own crate.
const BACKUP_PREFIX: &str = ".lookalike-backup-";

/// A staging folder, which no other job removes.
#[derive(Debug)]
pub struct StagingFolder {
    folder: TempDir,
    /// Held, not read; `None` where folders have no locks.
    _lock: Option<File>,
}

impl StagingFolder {
    /// The staging folder of an output at `path`.
    pub(super) fn create(path: &Path, staging: &Staging) -> Result<Self> {
        Self::make(|| staging.create(path, TemporaryKind::Folder, |builder, parent| builder.tempdir_in(parent)))
    }

    /// A staging folder for an index that is to stand in `parent`.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be made.
    pub fn for_index(parent: &Path) -> Result<Self> {
        remove_leftovers(parent);
        let make = || Builder::new().prefix(INDEX_PREFIX).tempdir_in(parent);
        Self::make(|| make().map_err(|source| Error::io(Action::WriteInto, parent, source)))
    }

    fn make(make: impl Fn() -> Result<TempDir>) -> Result<Self> {
        loop {
            let folder = make()?;
            let lock = File::open(folder.path()).ok().filter(|folder| folder.try_lock().is_ok());
            if folder.path().exists() {
                return Ok(Self { folder, _lock: lock });
            }
        }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Lets the folder be, which has another name by now.
    pub(super) fn keep(self) {
        let _ = self.folder.keep();
    }
}

/// The staging file of an output, locked.
pub(super) fn staging_file(path: &Path, staging: &Staging) -> Result<NamedTempFile> {
    loop {
        let file = staging.create(path, TemporaryKind::File, |builder, folder| builder.tempfile_in(folder))?;
        // File systems without locks keep leftover files.
        let _ = file.as_file().try_lock();
        if file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes the staging files and folders of killed jobs from a folder, once for each folder and process: what cannot be
/// removed is harmless.
pub fn remove_leftovers(folder: &Path) {
    static KNOWN: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
    let Ok(folder) = fs::canonicalize(folder) else { return };
    let is_new = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().insert(folder.clone());
    if is_new {
        remove_unheld(&folder);
    }
}

fn remove_unheld(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let prefixes = [INDEX_PREFIX, BACKUP_PREFIX];
        let is_ours = entry.file_name().to_str().is_some_and(|name| {
            TemporaryName::STAGING.fits(name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
        });
        let Some(kind) = entry.file_type().ok().filter(|kind| is_ours && (kind.is_file() || kind.is_dir())) else {
            continue;
        };
        let held = File::open(entry.path()).ok().filter(|file| file.try_lock().is_ok());
        if held.is_some() {
            let _ = if kind.is_dir() { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
        }
    }
}

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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_holds_is_removed_and_what_is_written_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let staging = Staging::default();
        let file = staging_file(&path("out.jsonl"), &staging).unwrap();
        let output = StagingFolder::create(&path("out"), &staging).unwrap();
        let index = StagingFolder::for_index(folder.path()).unwrap();
        fs::write(path(".lookalike-abcdef.partial"), "left").unwrap();
        fs::create_dir_all(path(".lookalike-ghijkl.partial/sub")).unwrap();
        fs::create_dir_all(path(".lookalike-index-mnopqr/idx")).unwrap();
        fs::create_dir_all(path(".lookalike-backup-idx-17")).unwrap();
        for other in [".lookalike-notes", "lookalike-abcdef.partial", ".other.partial"] {
            fs::write(path(other), "not ours").unwrap();
        }
        std::os::unix::fs::symlink(path(".other.partial"), path(".lookalike-stuvwx.partial")).unwrap();
        remove_unheld(folder.path());
        assert!(file.path().exists() && output.path().exists() && index.path().exists());
        let mut names: Vec<String> =
            fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| ![file.path(), output.path(), index.path()].contains(&&*path(name)));
        names.sort();
        assert_eq!(
            names,
            [".lookalike-notes", ".lookalike-stuvwx.partial", ".other.partial", "lookalike-abcdef.partial"]
        );
    }
}

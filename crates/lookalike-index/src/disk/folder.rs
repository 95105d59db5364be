//! A folder of the system.

use super::map::Map;
use super::{Disk, DiskFile};
use crate::base::details::DiskAction;
use crate::base::{Error, Result};
use lookalike_core::stored::INDEX_LOCK;
use memmap2::Mmap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// A folder, and its lock if it is written to.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    lock: Mutex<Option<File>>,
}

impl Folder {
    /// A folder that is only read.
    pub(crate) fn to_read(path: &Path) -> Self {
        Self { path: path.to_owned(), lock: Mutex::new(None) }
    }

    /// A folder that this process alone writes to.
    ///
    /// # Errors
    /// [`Error::InUse`] if another does; if the lock cannot be made.
    pub(crate) fn to_write(path: &Path) -> Result<Self> {
        let lock_path = path.join(INDEX_LOCK);
        if lock_path.exists() {
            check_regular(&lock_path)?;
        }
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&lock_path);
        let lock = lock.map_err(|source| Error::io(DiskAction::Write, &lock_path, source))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), lock: Mutex::new(Some(lock)) }),
            Err(TryLockError::WouldBlock) => Err(Error::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => Err(Error::io(DiskAction::Lock, &lock_path, source)),
        }
    }
}

impl Disk for Folder {
    fn path(&self) -> &Path {
        &self.path
    }

    fn create(&self, name: &str) -> Result<Box<dyn DiskFile>> {
        let path = self.path_of(name);
        // Not through a link that has the name.
        let file = match fs::remove_file(&path) {
            Err(source) if source.kind() != ErrorKind::NotFound => Err(source),
            _ => OpenOptions::new().write(true).create_new(true).open(&path),
        };
        let file = file.map_err(|source| Error::io(DiskAction::Write, &path, source))?;
        Ok(Box::new(FolderFile { file, path }))
    }

    fn append_after(&self, name: &str, length: u64) -> Result<Box<dyn DiskFile>> {
        let path = self.path_of(name);
        check_regular(&path)?;
        let file =
            OpenOptions::new().write(true).open(&path).map_err(|source| Error::io(DiskAction::Write, &path, source))?;
        let mut file = FolderFile { file, path };
        file.truncate(length)?;
        Ok(Box::new(file))
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.path_of(name);
        check_regular(&path)?;
        fs::read(&path).map_err(|source| Error::io(DiskAction::Read, &path, source))
    }

    fn map(&self, name: &str) -> Result<Arc<Map>> {
        let path = self.path_of(name);
        let read = |source| Error::io(DiskAction::Read, &path, source);
        check_regular(&path)?;
        let file = File::open(&path).map_err(read)?;
        if file.metadata().map_err(read)?.len() == 0 {
            return Ok(Arc::new(Map::from_bytes(&[])));
        }
        #[expect(unsafe_code, reason = "a map of a file that this program wrote and never changes")]
        // SAFETY: files of an index are not changed once they have their name, and the log, which is, is not mapped;
        // what other programs do to them is checked by checksums, document by document.
        let map = unsafe { Mmap::map(&file) }.map_err(read)?;
        Ok(Arc::new(Map::File(map)))
    }

    fn rename(&self, from: &str, to: &str) -> Result<()> {
        let path = self.path_of(to);
        fs::rename(self.path_of(from), &path).map_err(|source| Error::io(DiskAction::Write, &path, source))
    }

    fn remove(&self, name: &str) -> Result<()> {
        let path = self.path_of(name);
        fs::remove_file(&path).map_err(|source| Error::io(DiskAction::Remove, &path, source))
    }

    fn names(&self) -> Result<Vec<String>> {
        let read = |source| Error::io(DiskAction::Read, &self.path, source);
        let entries = fs::read_dir(&self.path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>).map_err(read)?;
        Ok(entries.into_iter().filter_map(|entry| entry.file_name().into_string().ok()).collect())
    }

    fn sync_names(&self) -> Result<()> {
        sync_folder(&self.path)
    }

    fn is_writer(&self) -> bool {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn check_lock(&self) -> Result<()> {
        let lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(lock) = &*lock else { return Ok(()) };
        if is_same_file(lock, &self.path.join(INDEX_LOCK)) {
            return Ok(());
        }
        Err(Error::LockLost { path: self.path.clone() })
    }

    fn release(&self) {
        *self.lock.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn now(&self) -> u64 {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }

    fn random(&self) -> Result<u64> {
        getrandom::u64().map_err(|source| Error::io(DiskAction::DrawNumber, &self.path, source.into()))
    }
}

/// Checks that a path leads to a regular file, perhaps by links: a pipe would never end, a device is no file of an
/// index.
fn check_regular(path: &Path) -> Result<()> {
    let metadata = fs::metadata(path).map_err(|source| Error::io(DiskAction::Read, path, source))?;
    if metadata.is_file() { Ok(()) } else { Err(Error::NotAFile { path: path.to_owned() }) }
}

/// Checks that nothing is at a path, or an empty folder.
///
/// # Errors
/// [`Error::IsThere`].
pub fn check_free(path: &Path) -> Result<()> {
    let is_there = fs::read_dir(path).map_or(path.exists(), |mut entries| entries.next().is_some());
    if is_there { Err(Error::IsThere { path: path.to_owned() }) } else { Ok(()) }
}

/// Makes the names of files and folders in a folder survive a power loss.
///
/// # Errors
/// If the folder cannot be opened or synced.
pub fn sync_folder(path: &Path) -> Result<()> {
    // Only Unix has folders that can be opened and synced.
    #[cfg(unix)]
    File::open(path)
        .and_then(|folder| folder.sync_all())
        .map_err(|source| Error::io(DiskAction::Write, path, source))?;
    Ok(())
}

/// Makes the name of a folder survive a power loss.
pub(crate) fn sync_parent(path: &Path) -> Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    sync_folder(parent.unwrap_or_else(|| Path::new(".")))
}

#[cfg(unix)]
fn is_same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    let mine = file.metadata().map(identity);
    let there = fs::metadata(path).map(identity);
    matches!((mine, there), (Ok(mine), Ok(there)) if mine == there)
}

/// Elsewhere a file that is open cannot be replaced.
#[cfg(not(unix))]
fn is_same_file(_: &File, path: &Path) -> bool {
    path.is_file()
}

#[derive(Debug)]
struct FolderFile {
    file: File,
    path: PathBuf,
}

impl DiskFile for FolderFile {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(|source| Error::io(DiskAction::Write, &self.path, source))
    }

    fn sync(&mut self) -> Result<()> {
        self.file.sync_data().map_err(|source| Error::io(DiskAction::Write, &self.path, source))
    }

    fn truncate(&mut self, length: u64) -> Result<()> {
        let cut = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::Start(length)));
        cut.map(|_| ()).map_err(|source| Error::io(DiskAction::Write, &self.path, source))
    }
}

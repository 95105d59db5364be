//! The things that are done with the files of an index.

use super::Map;
use crate::base::Result;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of an index. Names are those of files in it.
pub(crate) trait Disk: Debug + Send + Sync {
    /// The path of the folder, for messages.
    fn path(&self) -> &Path;

    /// The path of a file, for messages.
    fn path_of(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// A new file, in place of one that has the name.
    fn create(&self, name: &str) -> Result<Box<dyn DiskFile>>;

    /// A file that is there, to be appended to after its first `length` bytes; the others are cut off.
    fn append_after(&self, name: &str, length: u64) -> Result<Box<dyn DiskFile>>;

    /// The bytes of a file that is appended to, as they are now.
    fn read(&self, name: &str) -> Result<Vec<u8>>;

    /// Maps a file that is never changed once it has its name.
    fn map(&self, name: &str) -> Result<Arc<Map>>;

    /// Gives a file the name of another, which it replaces.
    fn rename(&self, from: &str, to: &str) -> Result<()>;

    /// Removes a file.
    fn remove(&self, name: &str) -> Result<()>;

    /// The names of all files.
    fn names(&self) -> Result<Vec<String>>;

    /// Makes all names of files that were created, renamed and removed survive a power loss.
    fn sync_names(&self) -> Result<()>;

    /// Returns whether this is the writer, as long as it has not let go.
    fn is_writer(&self) -> bool;

    /// Checks that the lock is still that of this writer; nothing is checked for a reader.
    fn check_lock(&self) -> Result<()>;

    /// Lets another process write; this one only reads from now on.
    fn release(&self);

    /// Seconds since the beginning of 1970 (UTC).
    fn now(&self) -> u64;

    /// A random number that cannot be predicted.
    fn random(&self) -> Result<u64>;
}

/// A file that is written to.
pub(crate) trait DiskFile: Debug + Send + Sync {
    /// Appends bytes.
    fn write(&mut self, bytes: &[u8]) -> Result<()>;

    /// Makes all bytes survive a power loss.
    fn sync(&mut self) -> Result<()>;

    /// Cuts the file to its first `length` bytes.
    fn truncate(&mut self, length: u64) -> Result<()>;
}

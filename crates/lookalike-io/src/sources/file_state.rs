//! The state of an input file, by which changes are noticed, and the checksum of its bytes, by which they are
//! distinguished from a mere touch.

use crate::base::details::Action;
use crate::base::{Error, Result};
use lookalike_core::hash::hash_sequence;
use std::fs::{self, File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::time::SystemTime;

/// Size, times and number of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileState {
    /// Size in bytes.
    pub bytes: u64,
    modified: Option<SystemTime>,
    /// The number of the file on its disk; 0 where the system has none.
    inode: u64,
    /// Seconds and nanoseconds of the last change of content, name or rights; 0 where the system does not tell.
    changed: (i64, i64),
}

impl FileState {
    /// The current state of a file.
    ///
    /// # Errors
    /// [`Error::Io`] if its metadata cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        let metadata = fs::metadata(path).map_err(|source| Error::io(Action::Read, path, source))?;
        let (inode, changed) = number_and_change(&metadata);
        Ok(Self { bytes: metadata.len(), modified: metadata.modified().ok(), inode, changed })
    }

    /// Checks that the file is still in this state. Its rights may have changed, and its names.
    ///
    /// # Errors
    /// [`Error::Changed`] if it is not, [`Error::Io`] if its metadata cannot be read.
    pub fn check(self, path: &Path) -> Result<()> {
        let found = Self { changed: self.changed, ..Self::read(path)? };
        if found == self { Ok(()) } else { Err(Error::Changed { path: path.to_owned() }) }
    }

    /// A number that changes with the size, the time, the file itself and its last change of any kind.
    pub fn stamp(self) -> u64 {
        hash_sequence(self.version(), [self.inode, self.changed.0 as u64, self.changed.1 as u64])
    }

    /// A number that changes with the size and the time.
    pub fn version(self) -> u64 {
        let since_1970 = self.modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let since_1970 = since_1970.unwrap_or_default();
        hash_sequence(self.bytes, [since_1970.as_secs(), u64::from(since_1970.subsec_nanos())])
    }
}

#[cfg(unix)]
fn number_and_change(metadata: &Metadata) -> (u64, (i64, i64)) {
    use std::os::unix::fs::MetadataExt;
    (metadata.ino(), (metadata.ctime(), metadata.ctime_nsec()))
}

#[cfg(not(unix))]
fn number_and_change(_: &Metadata) -> (u64, (i64, i64)) {
    (0, (0, 0))
}

/// The bytes of a file at `range`, as many as there are, into `bytes`.
///
/// # Errors
/// [`Error::Io`] if it cannot be read.
pub fn read_range(path: &Path, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
    let io = |source| Error::io(Action::Read, path, source);
    bytes.clear();
    let mut file = File::open(path).map_err(io)?;
    if range.start > 0 {
        file.seek(SeekFrom::Start(range.start)).map_err(io)?;
    }
    file.take(range.end - range.start).read_to_end(bytes).map_err(io)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_in_the_place_of_another_has_another_stamp_and_is_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let other = folder.path().join("b");
        let time = SystemTime::now();
        for path in [&path, &other] {
            fs::write(path, "same size").unwrap();
            File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        }
        let before = FileState::read(&path).unwrap();
        before.check(&path).unwrap();
        fs::rename(&other, &path).unwrap();
        let after = FileState::read(&path).unwrap();
        assert_eq!(before.version(), after.version());
        assert_ne!(before.stamp(), after.stamp());
        assert!(matches!(before.check(&path), Err(Error::Changed { .. })));
    }
}

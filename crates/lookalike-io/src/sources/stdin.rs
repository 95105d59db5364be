//! The copy of standard input: records are read a second time when they are written.

use crate::ground::{Error, Result};
use std::io::{Read, Write};
use std::path::Path;
use tempfile::{NamedTempFile, TempPath};

const BUFFER_BYTES: usize = 1 << 18;
/// Bytes that are copied before the disk is looked at again.
const BYTES_PER_LOOK: u64 = 64 << 20;
/// What is left free on the disk, or a tenth of what was free if that is less.
const RESERVE_BYTES: u64 = 1 << 30;

/// Where standard input is copied to, and for how long.
pub(super) struct StdinCopy<'a> {
    pub(super) folder: &'a Path,
    /// Whether the job goes on; false once it is cancelled.
    pub(super) goes_on: &'a dyn Fn() -> bool,
    /// Free space of the disk of a folder, in bytes, where that is known.
    pub(super) free_bytes: &'a dyn Fn(&Path) -> Option<u64>,
}

/// Copies standard input to a temporary file, until the disk is nearly full or the job is cancelled.
///
/// # Errors
/// [`Error::DiskFull`] for an input that would fill the disk; [`Error::Cancelled`]; [`Error::Io`].
pub(super) fn copy_stdin(stdin: &mut impl Read, copy: &StdinCopy<'_>) -> Result<TempPath> {
    let io = |source| Error::io("copy", Path::new("standard input"), source);
    let StdinCopy { folder, goes_on, free_bytes } = copy;
    let mut copy = NamedTempFile::new_in(folder).map_err(io)?;
    let free_bytes = || free_bytes(folder);
    let reserve = free_bytes().map_or(0, |free| RESERVE_BYTES.min(free / 10));
    let (mut buffer, mut copied_bytes, mut next_look) = (vec![0; BUFFER_BYTES], 0, BYTES_PER_LOOK);
    loop {
        let read = match stdin.read(&mut buffer) {
            Ok(0) => return Ok(copy.into_temp_path()),
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(io(error)),
        };
        copy.write_all(&buffer[..read]).map_err(io)?;
        copied_bytes += read as u64;
        if !goes_on() {
            return Err(Error::Cancelled);
        }
        if copied_bytes >= next_look {
            next_look = copied_bytes + BYTES_PER_LOOK;
            if let Some(free_bytes) = free_bytes().filter(|&free| free < reserve) {
                return Err(Error::DiskFull { path: folder.to_path_buf(), copied_bytes, free_bytes });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn an_endless_input_ends_before_the_disk_is_full() {
        let folder = tempfile::tempdir().unwrap();
        // Each look finds a tenth less.
        let free = Cell::new(10 << 30);
        let free_bytes = |_: &Path| {
            free.set(free.get() / 10 * 9);
            Some(free.get())
        };
        let copy = StdinCopy { folder: folder.path(), goes_on: &|| true, free_bytes: &free_bytes };
        let error = copy_stdin(&mut std::io::repeat(b'x').take(2 << 30), &copy).unwrap_err();
        assert!(matches!(error, Error::DiskFull { free_bytes, .. } if free_bytes < 1 << 30), "{error}");
        let ended = StdinCopy { goes_on: &|| false, free_bytes: &|_| None, ..copy };
        assert!(matches!(copy_stdin(&mut std::io::repeat(b'x'), &ended), Err(Error::Cancelled)));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the copy is gone");
    }
}

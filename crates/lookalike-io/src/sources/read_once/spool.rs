//! Copies of what can be read only once: standard input, pipes, members of archives. Records are read a second time
//! when they are written.

use crate::base::details::Action;
use crate::base::{Error, Result};
use std::io::{Read, Write};
use std::path::Path;
use tempfile::{NamedTempFile, TempPath};

const BUFFER_BYTES: usize = 1 << 18;
/// Bytes that are copied before the disk is looked at again.
const BYTES_PER_LOOK: u64 = 64 << 20;
/// Bytes that are left free on the disk, or a tenth of those that were free if that is less.
const RESERVE_BYTES: u64 = 1 << 30;

/// Place of copies, and the conditions for making them.
#[derive(Clone, Copy)]
pub(in crate::sources) struct SpoolInto<'a> {
    pub(in crate::sources) folder: &'a Path,
    /// True if the job goes on; false once it is cancelled.
    pub(in crate::sources) goes_on: &'a dyn Fn() -> bool,
    /// Free space of the disk of a folder, in bytes, where that is known.
    pub(in crate::sources) free_bytes: &'a dyn Fn(&Path) -> Option<u64>,
}

/// The disk budget of copies: the bytes that must stay free.
pub(in crate::sources) struct DiskBudget<'a> {
    into: SpoolInto<'a>,
    reserve_bytes: u64,
    copied_bytes: u64,
    next_look: u64,
    buffer: Vec<u8>,
}

impl<'a> SpoolInto<'a> {
    /// The budget as of now.
    pub(in crate::sources) fn budget(self) -> DiskBudget<'a> {
        let reserve_bytes = (self.free_bytes)(self.folder).map_or(0, |free| RESERVE_BYTES.min(free / 10));
        let buffer = vec![0; BUFFER_BYTES];
        DiskBudget { into: self, reserve_bytes, copied_bytes: 0, next_look: BYTES_PER_LOOK, buffer }
    }
}

impl DiskBudget<'_> {
    /// Copies all bytes, until the disk is nearly full or the job is cancelled. `path` is for messages.
    ///
    /// # Errors
    /// [`Error::DiskFull`] for an input that would fill the disk; [`Error::Cancelled`]; [`Error::Io`].
    pub(in crate::sources) fn copy(&mut self, from: &mut impl Read, to: &mut impl Write, path: &Path) -> Result<()> {
        let io = |source| Error::io(Action::Copy, path, source);
        loop {
            let read = match from.read(&mut self.buffer) {
                Ok(0) => return Ok(()),
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(io(error)),
            };
            to.write_all(&self.buffer[..read]).map_err(io)?;
            self.copied_bytes += read as u64;
            self.look(path)?;
        }
    }

    /// Checks that the job goes on and that the disk has space.
    fn look(&mut self, path: &Path) -> Result<()> {
        let SpoolInto { folder, goes_on, free_bytes } = self.into;
        if !goes_on() {
            return Err(Error::Cancelled);
        }
        if self.copied_bytes < self.next_look {
            return Ok(());
        }
        self.next_look = self.copied_bytes + BYTES_PER_LOOK;
        match free_bytes(folder).filter(|&free| free < self.reserve_bytes) {
            Some(free_bytes) => Err(Error::DiskFull {
                input: path.to_owned(),
                path: folder.to_path_buf(),
                copied_bytes: self.copied_bytes,
                free_bytes,
            }),
            None => Ok(()),
        }
    }
}

/// Copies an input that is read only once to a temporary file.
///
/// # Errors
/// As [`DiskBudget::copy`].
pub(in crate::sources) fn spool(input: &mut impl Read, into: SpoolInto<'_>, path: &Path) -> Result<TempPath> {
    let copy = NamedTempFile::new_in(into.folder);
    let mut copy = copy.map_err(|source| Error::io(Action::Copy, path, source))?;
    into.budget().copy(input, &mut copy, path)?;
    Ok(copy.into_temp_path())
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
        let into = SpoolInto { folder: folder.path(), goes_on: &|| true, free_bytes: &free_bytes };
        let stdin = Path::new("standard input");
        let error = spool(&mut std::io::repeat(b'x').take(2 << 30), into, stdin).unwrap_err();
        assert!(matches!(error, Error::DiskFull { free_bytes, .. } if free_bytes < 1 << 30), "{error}");
        let ended = SpoolInto { goes_on: &|| false, free_bytes: &|_| None, ..into };
        assert!(matches!(spool(&mut std::io::repeat(b'x'), ended, stdin), Err(Error::Cancelled)));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the copy is gone");
    }
}

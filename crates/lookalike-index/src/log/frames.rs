//! Groups of changes in a file, each of which is there as a whole or not at all.
//!
//! ```text
//! frame   magic | length of the group | its checksum | checksum of these three | changes
//! ```
//!
//! Numbers have 64 bits, little-endian. The last checksum has the number of the log and the place of the frame as seed.
//! A partial frame at the end is an interrupted write. Behind it a frame may be whole if none was synced since: a disk
//! writes in any order. The magic number of a frame says whether all before it was synced when it was written: such a
//! frame behind a partial one means that the log is damaged.

use super::Change;
use crate::disk::{Disk, DiskFile};
use crate::ground::{BytesReader, Error, Result, put_number};
use std::path::Path;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Of a frame before which all is synced, and of another.
const MAGIC: u64 = u64::from_le_bytes(*b"LKGROUP1");
const MAGIC_UNSYNCED: u64 = u64::from_le_bytes(*b"LKGROUPU");
const HEADER_BYTES: usize = 32;

/// The end of a log, to which groups are appended.
#[derive(Debug)]
pub(crate) struct LogWriter {
    file: Box<dyn DiskFile>,
    number: u64,
    length: u64,
    /// Its first bytes, which survive a power loss.
    synced: u64,
}

/// When a group is synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sync {
    /// Before it is acknowledged.
    Now,
    /// When the system likes.
    Later,
}

impl LogWriter {
    /// A new log, whose file is synced.
    pub(crate) fn create(disk: &dyn Disk, name: &str, number: u64) -> Result<Self> {
        let mut file = disk.create(name)?;
        file.sync()?;
        Ok(Self { file, number, length: 0, synced: 0 })
    }

    /// A log that was read up to `length`; what follows is cut off.
    pub(crate) fn append_after(disk: &dyn Disk, name: &str, number: u64, length: u64) -> Result<Self> {
        let mut file = disk.append_after(name, length)?;
        // Nobody knows what the process before has synced.
        file.sync()?;
        Ok(Self { file, number, length, synced: length })
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Makes all groups survive a power loss.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.file.sync()?;
        self.synced = self.length;
        Ok(())
    }

    /// The bytes of a group at the end of this log.
    pub(crate) fn frame(&self, changes: &[Change]) -> Vec<u8> {
        let mut frame = vec![0; HEADER_BYTES];
        changes.iter().for_each(|change| change.write(&mut frame));
        let magic = if self.synced == self.length { MAGIC } else { MAGIC_UNSYNCED };
        let header = header(magic, (self.number, self.length), &frame[HEADER_BYTES..]);
        frame[..HEADER_BYTES].copy_from_slice(&header);
        frame
    }

    /// Appends the bytes of a group.
    ///
    /// # Errors
    /// The error, and whether the log is as before.
    pub(crate) fn append(&mut self, frame: &[u8], sync: Sync) -> std::result::Result<(), (Error, bool)> {
        let written = self.file.write(frame).and_then(|()| if sync == Sync::Now { self.file.sync() } else { Ok(()) });
        match written {
            Ok(()) => {
                self.length += frame.len() as u64;
                self.synced = if sync == Sync::Now { self.length } else { self.synced };
                Ok(())
            }
            Err(error) => Err((error, self.file.truncate(self.length).is_ok())),
        }
    }
}

fn header(magic: u64, (number, offset): (u64, u64), payload: &[u8]) -> Vec<u8> {
    let mut header = Vec::with_capacity(HEADER_BYTES);
    put_number(&mut header, magic);
    put_number(&mut header, payload.len() as u64);
    put_number(&mut header, xxh3_64(payload));
    let checksum = seal(&header, number, offset);
    put_number(&mut header, checksum);
    header
}

fn seal(header: &[u8], number: u64, offset: u64) -> u64 {
    xxh3_64_with_seed(header, number.rotate_left(32) ^ offset)
}

/// A log as it was read.
#[derive(Debug, Default)]
pub(crate) struct ReadLog {
    /// All groups, in order.
    pub(crate) groups: Vec<Vec<Change>>,
    /// Where the last whole group ends.
    pub(crate) length: u64,
    /// Bytes behind it: of a write that did not come to its end.
    pub(crate) torn_bytes: u64,
}

/// What is at a place of a log.
enum Frame<'a> {
    Whole(&'a [u8]),
    /// The header is right, and what follows it is missing or different.
    Torn,
    Nothing,
}

fn frame_at(bytes: &[u8], number: u64, offset: usize) -> Frame<'_> {
    let mut reader = BytesReader(bytes.get(offset..).unwrap_or(&[]));
    let header = reader;
    let (Some(MAGIC | MAGIC_UNSYNCED), Some(length), Some(sum), Some(seal_of)) =
        (reader.number(), reader.number(), reader.number(), reader.number())
    else {
        return Frame::Nothing;
    };
    if seal(&header.0[..HEADER_BYTES - 8], number, offset as u64) != seal_of {
        return Frame::Nothing;
    }
    match usize::try_from(length).ok().and_then(|length| reader.take(length)) {
        Some(payload) if xxh3_64(payload) == sum => Frame::Whole(payload),
        _ => Frame::Torn,
    }
}

/// Reads a log.
///
/// # Errors
/// [`Error::LogDamaged`] if a group is damaged and others follow it that were written later; if the file cannot be
/// read.
pub(crate) fn read_log(disk: &dyn Disk, name: &str, number: u64) -> Result<ReadLog> {
    parse_log(&disk.read(name)?, &disk.path_of(name), number)
}

/// Reads the bytes of the log at a path.
///
/// # Errors
/// As [`read_log`].
pub(crate) fn parse_log(bytes: &[u8], path: &Path, number: u64) -> Result<ReadLog> {
    let (mut log, mut offset) = (ReadLog::default(), 0);
    let damaged = |offset: usize| Error::LogDamaged { path: path.to_owned(), offset: offset as u64 };
    while let Frame::Whole(payload) = frame_at(bytes, number, offset) {
        let (mut reader, mut group) = (BytesReader(payload), Vec::new());
        while !reader.0.is_empty() {
            group.push(Change::read(&mut reader).ok_or_else(|| damaged(offset))?);
        }
        log.groups.push(group);
        offset += HEADER_BYTES + payload.len();
    }
    let synced = MAGIC.to_le_bytes();
    let later = offset + 1..bytes.len().saturating_sub(HEADER_BYTES - 1).max(offset + 1);
    let mut later = later.filter(|&at| bytes[at] == synced[0] && bytes[at..].starts_with(&synced));
    if later.any(|at| !matches!(frame_at(bytes, number, at), Frame::Nothing)) {
        return Err(damaged(offset));
    }
    (log.length, log.torn_bytes) = (offset as u64, (bytes.len() - offset) as u64);
    Ok(log)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::simulated::SimulatedDisk;

    /// Three groups, the second of which has a wrong byte.
    fn read_damaged(sync: Sync) -> Result<ReadLog> {
        let disk = SimulatedDisk::new();
        let mut log = LogWriter::create(&disk, "log", 7).unwrap();
        let mut ends = Vec::new();
        for id in ["a", "b", "c"] {
            let frame = log.frame(&[Change::Delete(id.to_owned())]);
            log.append(&frame, sync).unwrap();
            ends.push(log.length());
        }
        assert_eq!(read_log(&disk, "log", 7).unwrap().groups.len(), 3);
        disk.flip("log", 8 * ends[1] as usize - 3);
        read_log(&disk, "log", 7)
    }

    #[test]
    fn a_damaged_group_of_another_process_is_told() {
        let disk = SimulatedDisk::new();
        let mut ends = vec![0];
        LogWriter::create(&disk, "log", 7).unwrap();
        for id in ["a", "b", "c"] {
            let end = *ends.last().unwrap();
            let mut log = LogWriter::append_after(&disk, "log", 7, end).unwrap();
            let frame = log.frame(&[Change::Delete(id.to_owned())]);
            log.append(&frame, Sync::Now).unwrap();
            ends.push(log.length());
        }
        disk.flip("log", 8 * ends[2] as usize - 3);
        assert!(matches!(read_log(&disk, "log", 7), Err(Error::LogDamaged { .. })));
    }

    #[test]
    fn a_damaged_group_ends_what_was_not_synced_and_is_told_of_what_was() {
        let read = read_damaged(Sync::Later).unwrap();
        assert_eq!(read.groups.len(), 1);
        assert!(read.torn_bytes > 0);
        assert!(matches!(read_damaged(Sync::Now), Err(Error::LogDamaged { .. })));
    }
}

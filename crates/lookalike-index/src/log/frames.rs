//! Groups of changes in a file, each of which is there as a whole or not at all.
//!
//! ```text
//! log      magic | number of the index | number of the log | salt | seal, then frames
//! frame    magic | seal before it | bytes synced | bytes of the group | their checksum | seal, then the group
//! ```
//!
//! Numbers have 64 bits, little-endian. A *seal* is the checksum of the numbers before it in its header, with the salt
//! of the log, a random number, and the place of the header as seed; each header holds the seal before it, so a frame
//! stands in one log at one place behind one history. Nobody who cannot read the log can write a document that holds a
//! frame.
//!
//! A torn tail and a damaged change are told apart by what is behind: a frame says how many bytes of the log were
//! synced when it was written, and after a group was synced, a frame without changes follows that acknowledges it. It
//! is not synced itself; it survives the end of the process, and after a power loss it may be missing. So a partial
//! frame that no later one claims as synced is an interrupted write, which was never acknowledged, and any other is
//! damage. What stands behind an interrupted write may be whole: a disk writes in any order.
//!
//! Turned down: a file of its own for what is acknowledged (two files to sync), and a checksum of the whole log in the
//! manifest at each change (a rename for each).

use super::Change;
use crate::disk::{Disk, DiskFile};
use crate::ground::{BytesReader, Error, IndexId, Result, put_number};
use serde::{Deserialize, Serialize};
use std::path::Path;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const LOG_MAGIC: u64 = u64::from_le_bytes(*b"LKLOG002");
const LOG_HEADER_BYTES: usize = 40;
const FRAME_MAGIC: u64 = u64::from_le_bytes(*b"LKGROUP2");
const FRAME_HEADER_BYTES: usize = 48;

/// What a manifest knows of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogFile {
    pub(crate) number: u64,
    /// Length in bytes when the manifest was written: a shorter one has lost changes.
    pub(crate) bytes: u64,
    /// Seal of the last header among them.
    pub(crate) seal: u64,
}

/// The end of a log, to which groups are appended.
#[derive(Debug)]
pub(crate) struct LogWriter {
    file: Box<dyn DiskFile>,
    salt: u64,
    /// All that was written and counts.
    end: LogFile,
    /// Number of its first bytes that survive a power loss.
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
    pub(crate) fn create(disk: &dyn Disk, name: &str, index: IndexId, number: u64) -> Result<Self> {
        let salt = disk.random()?;
        let mut header = Vec::with_capacity(LOG_HEADER_BYTES);
        for field in [LOG_MAGIC, index.0, number, salt] {
            put_number(&mut header, field);
        }
        let seal = seal_of(&header, salt, 0);
        put_number(&mut header, seal);
        let mut file = disk.create(name)?;
        file.write(&header)?;
        file.sync()?;
        let bytes = LOG_HEADER_BYTES as u64;
        Ok(Self { file, salt, end: LogFile { number, bytes, seal }, synced: bytes })
    }

    /// A log that was read; what follows its last whole group is cut off.
    pub(crate) fn append_to(disk: &dyn Disk, name: &str, read: &ReadLog) -> Result<Self> {
        let mut file = disk.append_after(name, read.end.bytes)?;
        // Nobody knows what the process before has synced.
        file.sync()?;
        Ok(Self { file, salt: read.salt, end: read.end, synced: read.end.bytes })
    }

    /// The log as it is.
    pub(crate) fn end(&self) -> LogFile {
        self.end
    }

    /// Whether it has no changes.
    pub(crate) fn is_empty(&self) -> bool {
        self.end.bytes == LOG_HEADER_BYTES as u64
    }

    /// Makes all groups survive a power loss.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.file.sync()?;
        self.synced = self.end.bytes;
        Ok(())
    }

    /// The bytes of a group at the end of this log.
    pub(crate) fn frame(&self, changes: &[Change]) -> Vec<u8> {
        let mut frame = vec![0; FRAME_HEADER_BYTES];
        changes.iter().for_each(|change| change.write(&mut frame));
        let group = &frame[FRAME_HEADER_BYTES..];
        let mut header = Vec::with_capacity(FRAME_HEADER_BYTES);
        for field in [FRAME_MAGIC, self.end.seal, self.synced, group.len() as u64, xxh3_64(group)] {
            put_number(&mut header, field);
        }
        let seal = seal_of(&header, self.salt, self.end.bytes);
        put_number(&mut header, seal);
        frame[..FRAME_HEADER_BYTES].copy_from_slice(&header);
        frame
    }

    /// Appends the bytes of a group.
    ///
    /// # Errors
    /// The error, and whether the log is as before.
    pub(crate) fn append(&mut self, frame: &[u8], sync: Sync) -> std::result::Result<(), (Error, bool)> {
        let written = self.file.write(frame).and_then(|()| if sync == Sync::Now { self.file.sync() } else { Ok(()) });
        if let Err(error) = written {
            return Err((error, self.file.truncate(self.end.bytes).is_ok()));
        }
        self.count(frame);
        if sync == Sync::Now {
            self.synced = self.end.bytes;
            let acknowledgement = self.frame(&[]);
            match self.file.write(&acknowledgement) {
                Ok(()) => self.count(&acknowledgement),
                // The group is on the disk; the next frame says that it was synced.
                Err(_) => {
                    self.file.truncate(self.end.bytes).map_err(|error| (error, false))?;
                }
            }
        }
        Ok(())
    }

    /// Moves the end behind a frame that was written.
    fn count(&mut self, frame: &[u8]) {
        let seal = frame[..FRAME_HEADER_BYTES].last_chunk().map_or(0, |seal| u64::from_le_bytes(*seal));
        self.end = LogFile { bytes: self.end.bytes + frame.len() as u64, seal, ..self.end };
    }
}

fn seal_of(header: &[u8], salt: u64, offset: u64) -> u64 {
    xxh3_64_with_seed(header, salt ^ offset.rotate_left(32))
}

/// A log as it was read.
#[derive(Debug)]
pub(crate) struct ReadLog {
    /// All groups, in order.
    pub(crate) groups: Vec<Vec<Change>>,
    /// The log up to the last whole frame.
    pub(crate) end: LogFile,
    /// Length of what is behind it: of a write that did not come to its end.
    pub(crate) torn_bytes: u64,
    salt: u64,
}

/// The header of a frame, whose seal is right.
#[derive(Debug, Clone, Copy)]
struct Frame {
    previous: u64,
    synced: u64,
    group_bytes: u64,
    checksum: u64,
    seal: u64,
}

impl Frame {
    /// The frame at a place of a log; `None` if there is none.
    fn read(bytes: &[u8], salt: u64, offset: usize) -> Option<Self> {
        let header = bytes.get(offset..)?.first_chunk::<FRAME_HEADER_BYTES>()?;
        let mut reader = BytesReader(header);
        if reader.number()? != FRAME_MAGIC {
            return None;
        }
        let previous = reader.number()?;
        let synced = reader.number()?;
        let group_bytes = reader.number()?;
        let checksum = reader.number()?;
        let seal = reader.number()?;
        let is_sealed = seal == seal_of(&header[..FRAME_HEADER_BYTES - 8], salt, offset as u64);
        is_sealed.then_some(Self { previous, synced, group_bytes, checksum, seal })
    }

    /// The bytes of its group, if they are those that were written.
    fn group<'b>(&self, bytes: &'b [u8], offset: usize) -> Option<&'b [u8]> {
        let behind = bytes.get(offset + FRAME_HEADER_BYTES..)?;
        let group = behind.get(..usize::try_from(self.group_bytes).ok()?)?;
        (xxh3_64(group) == self.checksum).then_some(group)
    }
}

/// Reads a log of which the manifest knows as much.
///
/// # Errors
/// As [`parse_log`]; if the file cannot be read.
pub(crate) fn read_log(disk: &dyn Disk, name: &str, index: IndexId, known: LogFile) -> Result<ReadLog> {
    parse_log(&disk.read(name)?, &disk.path_of(name), index, known)
}

/// Reads the bytes of the log at a path.
///
/// # Errors
/// [`Error::ForeignFile`] if it is of another index; [`Error::OtherCopy`] if it is not the log that the manifest names;
/// [`Error::LogDamaged`] if a group is damaged or missing that was acknowledged as synced.
pub(crate) fn parse_log(bytes: &[u8], path: &Path, index: IndexId, known: LogFile) -> Result<ReadLog> {
    let damaged = |offset: usize| Error::LogDamaged { path: path.to_owned(), offset: offset as u64 };
    let mut log = read_header(bytes, index, known, path)?;
    let mut is_known = log.end == known;
    let mut offset = LOG_HEADER_BYTES;
    while let Some(frame) = Frame::read(bytes, log.salt, offset).filter(|frame| frame.previous == log.end.seal)
        && let Some(group) = frame.group(bytes, offset)
    {
        let mut reader = BytesReader(group);
        let mut changes = Vec::new();
        while !reader.0.is_empty() {
            changes.push(Change::read(&mut reader).ok_or_else(|| damaged(offset))?);
        }
        if !changes.is_empty() {
            log.groups.push(changes);
        }
        offset += FRAME_HEADER_BYTES + group.len();
        log.end = LogFile { bytes: offset as u64, seal: frame.seal, ..known };
        is_known |= log.end == known;
    }
    if (offset as u64) < known.bytes || was_synced(bytes, log.salt, offset) {
        return Err(damaged(offset));
    }
    if !is_known {
        return Err(Error::OtherCopy { path: path.to_owned() });
    }
    log.torn_bytes = (bytes.len() - offset) as u64;
    Ok(log)
}

/// The log without its groups.
fn read_header(bytes: &[u8], index: IndexId, known: LogFile, path: &Path) -> Result<ReadLog> {
    let damaged = || Error::LogDamaged { path: path.to_owned(), offset: 0 };
    let header = bytes.first_chunk::<LOG_HEADER_BYTES>().ok_or_else(damaged)?;
    let mut reader = BytesReader(header);
    let mut field = || reader.number().ok_or_else(damaged);
    let magic = field()?;
    let found = IndexId(field()?);
    let number = field()?;
    let salt = field()?;
    let seal = field()?;
    if magic != LOG_MAGIC || seal != seal_of(&header[..LOG_HEADER_BYTES - 8], salt, 0) {
        return Err(damaged());
    }
    if found != index {
        return Err(Error::ForeignFile { path: path.to_owned() });
    }
    if number != known.number {
        return Err(Error::OtherCopy { path: path.to_owned() });
    }
    let end = LogFile { number, bytes: LOG_HEADER_BYTES as u64, seal };
    Ok(ReadLog { groups: Vec::new(), end, torn_bytes: 0, salt })
}

/// Whether a frame behind `offset` says that the bytes from there on were synced.
fn was_synced(bytes: &[u8], salt: u64, offset: usize) -> bool {
    let magic = FRAME_MAGIC.to_le_bytes();
    let later = offset + 1..bytes.len().saturating_sub(FRAME_HEADER_BYTES - 1).max(offset + 1);
    later
        .filter(|&at| bytes[at] == magic[0] && bytes[at..].starts_with(&magic))
        .any(|at| Frame::read(bytes, salt, at).is_some_and(|frame| frame.synced > offset as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::simulated::SimulatedDisk;
    use crate::ground::Document;

    const INDEX: IndexId = IndexId(5);

    fn put(log: &mut LogWriter, id: &str, sync: Sync) {
        let frame = log.frame(&[Change::Delete(id.to_owned())]);
        log.append(&frame, sync).unwrap();
    }

    /// A log of three groups, with what a manifest knew of it at its beginning and after each of them.
    fn three_groups(sync: Sync) -> (SimulatedDisk, Vec<LogFile>) {
        let disk = SimulatedDisk::new();
        let mut log = LogWriter::create(&disk, "log", INDEX, 7).unwrap();
        let mut ends = vec![log.end()];
        for id in ["a", "b", "c"] {
            put(&mut log, id, sync);
            ends.push(log.end());
        }
        (disk, ends)
    }

    fn read(disk: &SimulatedDisk, known: LogFile) -> Result<ReadLog> {
        read_log(disk, "log", INDEX, known)
    }

    /// The log with a wrong byte in the last of its group that ends at `end`.
    fn with_wrong_byte(disk: &SimulatedDisk, end: LogFile, sync: Sync) -> SimulatedDisk {
        let disk = disk.killed();
        let acknowledgement = if sync == Sync::Now { FRAME_HEADER_BYTES } else { 0 };
        disk.flip("log", 8 * (end.bytes as usize - acknowledgement) - 3);
        disk
    }

    #[test]
    fn damage_of_an_acknowledged_group_is_an_error_and_of_another_one_ends_the_log() {
        let (disk, ends) = three_groups(Sync::Now);
        assert_eq!(read(&disk, ends[0]).unwrap().groups.len(), 3);
        for end in &ends[1..] {
            let damaged = with_wrong_byte(&disk, *end, Sync::Now);
            assert!(matches!(read(&damaged, ends[0]), Err(Error::LogDamaged { .. })));
        }
        let (disk, ends) = three_groups(Sync::Later);
        let damaged = with_wrong_byte(&disk, ends[2], Sync::Later);
        let read_log = read(&damaged, ends[0]).unwrap();
        assert_eq!(read_log.groups.len(), 1);
        assert!(read_log.torn_bytes > 0);
        // The manifest was written when it was there.
        assert!(matches!(read(&damaged, ends[2]), Err(Error::LogDamaged { .. })));
    }

    #[test]
    fn damage_of_a_group_of_another_process_is_an_error() {
        let disk = SimulatedDisk::new();
        let first = LogWriter::create(&disk, "log", INDEX, 7).unwrap().end();
        let mut ends = vec![first];
        for id in ["a", "b", "c"] {
            let mut log = LogWriter::append_to(&disk, "log", &read(&disk, first).unwrap()).unwrap();
            put(&mut log, id, Sync::Later);
            ends.push(log.end());
        }
        disk.flip("log", 8 * ends[2].bytes as usize - 3);
        assert!(matches!(read(&disk, first), Err(Error::LogDamaged { .. })));
    }

    #[test]
    fn every_prefix_of_a_log_is_a_prefix_of_its_groups_or_shorter_than_is_known() {
        let (disk, ends) = three_groups(Sync::Now);
        let bytes = disk.read("log").unwrap();
        for length in 0..=bytes.len() {
            let parse = |known| parse_log(&bytes[..length], Path::new("log"), INDEX, known);
            let known_until = ends.iter().rposition(|end| end.bytes <= length as u64);
            for (number, end) in ends.iter().enumerate() {
                assert_eq!(parse(*end).is_ok(), known_until.is_some_and(|last| number <= last), "{length}");
            }
            if let Ok(log) = parse(ends[0]) {
                let whole = ends[1..].iter().filter(|end| end.bytes - FRAME_HEADER_BYTES as u64 <= length as u64);
                assert_eq!(log.groups.len(), whole.count());
                assert_eq!(log.end.bytes + log.torn_bytes, length as u64);
            }
        }
    }

    #[test]
    fn a_log_of_another_index_or_another_history_is_refused() {
        let (disk, ends) = three_groups(Sync::Now);
        assert!(matches!(read_log(&disk, "log", IndexId(6), ends[0]), Err(Error::ForeignFile { .. })));
        let (other, other_ends) = three_groups(Sync::Now);
        assert_eq!(read(&other, other_ends[3]).unwrap().groups.len(), 3);
        // Each log has a salt of its own, but the simulated disks have the same.
        let mut log = LogWriter::create(&disk, "log", INDEX, 7).unwrap();
        for id in ["a", "x", "c"] {
            put(&mut log, id, Sync::Now);
        }
        assert!(matches!(read(&disk, ends[3]), Err(Error::OtherCopy { .. })));
    }

    #[test]
    fn a_frame_in_a_document_is_none_without_the_salt() {
        let disk = SimulatedDisk::new();
        let log = LogWriter::create(&disk, "log", INDEX, 7).unwrap();
        // An interrupted write of a document whose elements are a frame, by somebody who knows all but the salt.
        let torn_log = |salt: u64| {
            let id = "a";
            let place = log.end.bytes + FRAME_HEADER_BYTES as u64 + (1 + 8 + id.len() + 8) as u64;
            let end = LogFile { bytes: place, ..log.end };
            let forger = LogWriter { file: disk.create("forged").unwrap(), salt, end, synced: place };
            let forged = forger.frame(&[]);
            let elements = forged.as_chunks().0.iter().map(|&number| u64::from_le_bytes(number)).collect();
            let frame = log.frame(&[Change::Put(Document::of_set(id, elements))]);
            let bytes = [disk.read("log").unwrap(), frame].concat();
            assert_eq!(bytes[place as usize..][..forged.len()], forged);
            parse_log(&bytes[..bytes.len() - 1], Path::new("log"), INDEX, log.end)
        };
        assert!(torn_log(log.salt ^ 1).unwrap().torn_bytes > 0);
        assert!(matches!(torn_log(log.salt), Err(Error::LogDamaged { .. })));
    }
}

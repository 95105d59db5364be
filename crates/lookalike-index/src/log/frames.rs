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
//! A torn tail and a damaged change are distinguished by what is behind: a frame says how many bytes of the log were
//! synced when it was written, and after a group was synced, a frame without changes follows that acknowledges it. It
//! is not synced itself; it survives the end of the process, and after a power loss it may be missing. So a partial
//! frame that no later one claims as synced is an interrupted write, which was never acknowledged, and any other is
//! damage. What stands behind an interrupted write may be whole: a disk writes in any order.
//!
//! Turned down: a file of its own for what is acknowledged (two files to sync), and a checksum of the whole log in the
//! manifest at each change (a rename for each).

use super::change::{BytesReader, Change};
use crate::base::{Error, IndexId, Result};
use crate::disk::{Disk, DiskFile};
use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};
use std::path::Path;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const LOG_MAGIC: u64 = u64::from_le_bytes(*b"LKLOG002");
const LOG_HEADER_BYTES: usize = size_of::<LogHeader>();
const FRAME_MAGIC: u64 = u64::from_le_bytes(*b"LKGROUP2");
const FRAME_HEADER_BYTES: usize = size_of::<FrameHeader>();

/// Log as a manifest knows it.
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
    /// End of what was written and counts.
    end: LogFile,
    /// Number of its first bytes that survive a power loss.
    synced: u64,
}

/// Events that an acknowledged change survives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Durability {
    /// The end of the process and of the machine: each group is synced.
    #[default]
    PowerLoss,
    /// The end of the process. The system writes when it likes.
    Process,
}

/// The first bytes of a log.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct LogHeader {
    magic: u64,
    index: u64,
    number: u64,
    salt: u64,
    seal: u64,
}

impl LogHeader {
    fn seal(&self) -> u64 {
        seal_of(self, self.salt, 0)
    }
}

/// The first bytes of a frame.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FrameHeader {
    magic: u64,
    /// Seal of the header before it.
    previous: u64,
    /// Number of bytes of the log that were synced.
    synced: u64,
    group_bytes: u64,
    /// Checksum of the group.
    checksum: u64,
    seal: u64,
}

/// The seal of a header, which is its last number.
fn seal_of<T: Pod>(header: &T, salt: u64, offset: u64) -> u64 {
    let bytes = bytemuck::bytes_of(header);
    xxh3_64_with_seed(&bytes[..bytes.len() - size_of::<u64>()], salt ^ offset.rotate_left(32))
}

impl LogWriter {
    /// A new log, whose file is synced.
    pub(crate) fn create(disk: &dyn Disk, name: &str, index: IndexId, number: u64) -> Result<Self> {
        let salt = disk.random()?;
        let mut header = LogHeader { magic: LOG_MAGIC, index: index.0, number, salt, seal: 0 };
        header.seal = header.seal();
        let mut file = disk.create(name)?;
        file.write(bytemuck::bytes_of(&header))?;
        file.sync()?;
        let bytes = LOG_HEADER_BYTES as u64;
        Ok(Self { file, salt, end: LogFile { number, bytes, seal: header.seal }, synced: bytes })
    }

    /// A log that was read; what follows its last whole group is cut off.
    pub(crate) fn append_to(disk: &dyn Disk, name: &str, read: &ReadLog) -> Result<Self> {
        let mut file = disk.append_after(name, read.end.bytes)?;
        // The writes that the previous process has synced are unknown.
        file.sync()?;
        Ok(Self { file, salt: read.salt, end: read.end, synced: read.end.bytes })
    }

    /// The log as it is.
    pub(crate) fn end(&self) -> LogFile {
        self.end
    }

    /// Returns whether it has no changes.
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
        let mut header = FrameHeader {
            magic: FRAME_MAGIC,
            previous: self.end.seal,
            synced: self.synced,
            group_bytes: group.len() as u64,
            checksum: xxh3_64(group),
            seal: 0,
        };
        header.seal = seal_of(&header, self.salt, self.end.bytes);
        frame[..FRAME_HEADER_BYTES].copy_from_slice(bytemuck::bytes_of(&header));
        frame
    }

    /// Appends the bytes of a group.
    ///
    /// # Errors
    /// The error, and whether the log is as before.
    pub(crate) fn append(&mut self, frame: &[u8], durability: Durability) -> std::result::Result<(), (Error, bool)> {
        let is_synced = durability == Durability::PowerLoss;
        let written = self.file.write(frame).and_then(|()| if is_synced { self.file.sync() } else { Ok(()) });
        if let Err(error) = written {
            return Err((error, self.file.truncate(self.end.bytes).is_ok()));
        }
        self.count(frame);
        if is_synced {
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

/// A log as it was read.
#[derive(Debug)]
pub(crate) struct ReadLog {
    /// Groups, in order.
    pub(crate) groups: Vec<Vec<Change>>,
    /// The log up to the last whole frame.
    pub(crate) end: LogFile,
    /// Length of what is behind it: of a write that did not come to its end.
    pub(crate) torn_bytes: u64,
    salt: u64,
}

impl FrameHeader {
    /// The header at a place of a log, if its seal is right; `None` if there is none.
    fn read(bytes: &[u8], salt: u64, offset: usize) -> Option<Self> {
        let bytes = bytes.get(offset..)?.first_chunk::<FRAME_HEADER_BYTES>()?;
        let header: Self = bytemuck::pod_read_unaligned(bytes);
        let is_frame = header.magic == FRAME_MAGIC && header.seal == seal_of(&header, salt, offset as u64);
        is_frame.then_some(header)
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
    while let Some(frame) = FrameHeader::read(bytes, log.salt, offset).filter(|frame| frame.previous == log.end.seal)
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
    let header: LogHeader = bytemuck::pod_read_unaligned(header);
    let LogHeader { magic, index: found, number, salt, seal } = header;
    if magic != LOG_MAGIC || seal != header.seal() {
        return Err(damaged());
    }
    if found != index.0 {
        return Err(Error::ForeignFile { path: path.to_owned() });
    }
    if number != known.number {
        return Err(Error::OtherCopy { path: path.to_owned() });
    }
    let end = LogFile { number, bytes: LOG_HEADER_BYTES as u64, seal };
    Ok(ReadLog { groups: Vec::new(), end, torn_bytes: 0, salt })
}

/// Returns whether a frame behind `offset` says that the bytes from there on were synced.
fn was_synced(bytes: &[u8], salt: u64, offset: usize) -> bool {
    let magic = FRAME_MAGIC.to_le_bytes();
    let later = offset + 1..bytes.len().saturating_sub(FRAME_HEADER_BYTES - 1).max(offset + 1);
    later
        .filter(|&at| bytes[at] == magic[0] && bytes[at..].starts_with(&magic))
        .any(|at| FrameHeader::read(bytes, salt, at).is_some_and(|frame| frame.synced > offset as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::IndexDocument;
    use crate::disk::simulated::SimulatedDisk;

    const INDEX: IndexId = IndexId(5);

    fn put(log: &mut LogWriter, id: &str, durability: Durability) {
        let frame = log.frame(&[Change::Delete(id.to_owned())]);
        log.append(&frame, durability).unwrap();
    }

    /// A log of three groups, with what a manifest knew of it at its beginning and after each of them.
    fn three_groups(durability: Durability) -> (SimulatedDisk, Vec<LogFile>) {
        let disk = SimulatedDisk::new();
        let mut log = LogWriter::create(&disk, "log", INDEX, 7).unwrap();
        let mut ends = vec![log.end()];
        for id in ["a", "b", "c"] {
            put(&mut log, id, durability);
            ends.push(log.end());
        }
        (disk, ends)
    }

    fn read(disk: &SimulatedDisk, known: LogFile) -> Result<ReadLog> {
        read_log(disk, "log", INDEX, known)
    }

    /// The log with a wrong byte in the last of its group that ends at `end`.
    fn with_wrong_byte(disk: &SimulatedDisk, end: LogFile, durability: Durability) -> SimulatedDisk {
        let disk = disk.killed();
        let acknowledgement = if durability == Durability::PowerLoss { FRAME_HEADER_BYTES } else { 0 };
        disk.flip("log", 8 * (end.bytes as usize - acknowledgement) - 3);
        disk
    }

    #[test]
    fn damage_of_an_acknowledged_group_is_an_error_and_of_another_one_ends_the_log() {
        let (disk, ends) = three_groups(Durability::PowerLoss);
        assert_eq!(read(&disk, ends[0]).unwrap().groups.len(), 3);
        for end in &ends[1..] {
            let damaged = with_wrong_byte(&disk, *end, Durability::PowerLoss);
            assert!(matches!(read(&damaged, ends[0]), Err(Error::LogDamaged { .. })));
        }
        let (disk, ends) = three_groups(Durability::Process);
        let damaged = with_wrong_byte(&disk, ends[2], Durability::Process);
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
            put(&mut log, id, Durability::Process);
            ends.push(log.end());
        }
        disk.flip("log", 8 * ends[2].bytes as usize - 3);
        assert!(matches!(read(&disk, first), Err(Error::LogDamaged { .. })));
    }

    #[test]
    fn every_prefix_of_a_log_is_a_prefix_of_its_groups_or_shorter_than_is_known() {
        let (disk, ends) = three_groups(Durability::PowerLoss);
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
        let (disk, ends) = three_groups(Durability::PowerLoss);
        assert!(matches!(read_log(&disk, "log", IndexId(6), ends[0]), Err(Error::ForeignFile { .. })));
        let (other, other_ends) = three_groups(Durability::PowerLoss);
        assert_eq!(read(&other, other_ends[3]).unwrap().groups.len(), 3);
        // Each log has a salt of its own, but the simulated disks have the same.
        let mut log = LogWriter::create(&disk, "log", INDEX, 7).unwrap();
        for id in ["a", "x", "c"] {
            put(&mut log, id, Durability::PowerLoss);
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
            let frame = log.frame(&[Change::Put(IndexDocument::of_set(id, elements))]);
            let bytes = [disk.read("log").unwrap(), frame].concat();
            assert_eq!(bytes[place as usize..][..forged.len()], forged);
            parse_log(&bytes[..bytes.len() - 1], Path::new("log"), INDEX, log.end)
        };
        assert!(torn_log(log.salt ^ 1).unwrap().torn_bytes > 0);
        assert!(matches!(torn_log(log.salt), Err(Error::LogDamaged { .. })));
    }
}

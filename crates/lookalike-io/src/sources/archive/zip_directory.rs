//! Facts that the reader of zip archives does not tell: the name that is there twice, and other archives in the file.
//!
//! ```text
//! [local header, content] ... [central directory: a header for each member] [end record, comment]
//! ```
//!
//! The reader looks for the end record from behind, and takes what is not reached from it for foreign bytes. These may
//! be another archive.

use memchr::memmem;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Signatures of a header in the central directory, of the end record, and of what may stand between the directory and
/// it: the end record of large archives, and a digital signature (APPNOTE, section 4.3).
const CENTRAL_HEADER: &[u8; 4] = b"PK\x01\x02";
const END: &[u8; 4] = b"PK\x05\x06";
const LOCAL_HEADER: &[u8; 4] = b"PK\x03\x04";
const BEFORE_END: [&[u8; 4]; 2] = [b"PK\x06\x06", b"PK\x05\x05"];

const CENTRAL_HEADER_BYTES: usize = 46;
const END_BYTES: usize = 22;
/// An end record and the longest comment.
const TAIL_BYTES: u64 = END_BYTES as u64 + 0xFFFF;
/// Stands for a number that the end record of large archives tells.
const ELSEWHERE: u32 = u32::MAX;

/// The first name that two members have, by the headers of the directory that begins at `start`.
pub(super) fn repeated_name(file: &Path, start: u64) -> io::Result<Option<String>> {
    let mut reader = BufReader::new(File::open(file)?);
    reader.seek(SeekFrom::Start(start))?;
    let mut seen = HashSet::new();
    loop {
        let mut header = [0; CENTRAL_HEADER_BYTES];
        reader.read_exact(&mut header)?;
        if !header.starts_with(CENTRAL_HEADER) {
            return Ok(None);
        }
        let length = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let mut name = vec![0; length(28).into()];
        reader.read_exact(&mut name)?;
        reader.seek_relative(i64::from(length(30)) + i64::from(length(32)))?;
        if !seen.insert(name.clone()) {
            return Ok(Some(String::from_utf8_lossy(&name).into_owned()));
        }
    }
}

/// Returns whether a file holds another archive beside the one that is read, whose first member begins at `first`.
pub(super) fn others_beside(file: &Path, first: Option<u64>) -> io::Result<bool> {
    let mut file = File::open(file)?;
    let length = file.seek(SeekFrom::End(0))?;
    let tail_start = length.saturating_sub(TAIL_BYTES);
    file.seek(SeekFrom::Start(tail_start))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    let Some(end) = memmem::rfind(&tail, END).filter(|end| end + END_BYTES <= tail.len()) else {
        // The end record that was found stands before all of this.
        return Ok(true);
    };
    let number = |at: usize| u32::from_le_bytes([tail[at], tail[at + 1], tail[at + 2], tail[at + 3]]);
    let comment = usize::from(u16::from_le_bytes([tail[end + 20], tail[end + 21]]));
    let behind = tail.get(end + END_BYTES + comment..).unwrap_or_default();
    if first.is_some_and(|first| first > 0) || memmem::find(behind, LOCAL_HEADER).is_some() {
        return Ok(true);
    }
    let size = number(end + 12);
    let offset = number(end + 16);
    if size == ELSEWHERE || offset == ELSEWHERE {
        return Ok(false);
    }
    let directory_end = u64::from(size) + u64::from(offset);
    if directory_end == tail_start + end as u64 {
        return Ok(false);
    }
    let mut signature = [0; 4];
    file.seek(SeekFrom::Start(directory_end))?;
    Ok(file.read_exact(&mut signature).is_err() || !BEFORE_END.contains(&&signature))
}

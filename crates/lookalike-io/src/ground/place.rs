//! Positions of records in files: for messages, and in bytes.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Position of a document for messages: a file, or a line, row or record (from 1) of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as the user named it.
    pub path: Arc<Path>,
    /// In files of records: number of its first line, of its record in WARC files, of its row in files of columns; all
    /// from 1.
    pub line: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(formatter, "{}:{line}", self.path.display()),
            None => write!(formatter, "{}", self.path.display()),
        }
    }
}

/// Bytes of a record in its decompressed file; the whole file if it is a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub offset: u64,
    /// Number of bytes, the line end included.
    pub length: u64,
}

impl Span {
    /// Offset of the first byte after it.
    pub fn end(self) -> u64 {
        self.offset + self.length
    }
}

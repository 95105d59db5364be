//! Positions of records in files: for messages, and in bytes.

use lookalike_core::printed_path;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Position of a document for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as the user named it; of documents in memory, what they are called.
    pub path: Arc<Path>,
    /// Position in the file.
    pub position: Position,
}

/// A file or folder as the user knows it, and on the disk: two paths if it is a copy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Located<'a> {
    /// The path in messages and ids.
    pub(crate) path: &'a Path,
    /// The path on the disk.
    pub(crate) file: &'a Path,
}

impl<'a> Located<'a> {
    /// A file or folder that is no copy.
    pub(crate) fn in_place(path: &'a Path) -> Self {
        Self { path, file: path }
    }
}

/// Position of a document in a file or in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// The whole file.
    File,
    /// Number in a file of records: of its first line, of its record in WARC files, of its row in files of columns; all
    /// from 1.
    Line(u64),
    /// Number of its row in memory, from 0.
    Row(u64),
}

impl Place {
    /// A whole file.
    pub fn file(path: impl Into<Arc<Path>>) -> Self {
        Self { path: path.into(), position: Position::File }
    }

    /// A line, row or record of a file, from 1.
    pub fn line(path: &Arc<Path>, line: u64) -> Self {
        Self { path: Arc::clone(path), position: Position::Line(line) }
    }

    /// A row in memory, from 0.
    pub fn row(name: &Arc<Path>, row: u64) -> Self {
        Self { path: Arc::clone(name), position: Position::Row(row) }
    }

    /// The number of the line, if it is one.
    pub fn line_number(&self) -> Option<u64> {
        match self.position {
            Position::Line(line) => Some(line),
            Position::File | Position::Row(_) => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Position::File => write!(formatter, "{}", printed_path(&self.path)),
            Position::Line(line) => write!(formatter, "{}:{line}", printed_path(&self.path)),
            Position::Row(row) => write!(formatter, "{}, row {row}", printed_path(&self.path)),
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

//! Records as bytes, by their place in the file.

use crate::document::Span;
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

const BUFFER_BYTES: usize = 1 << 20;

/// Reads records of one file; best in ascending order.
#[derive(Debug)]
pub struct RecordReader {
    path: PathBuf,
    reader: BufReader<File>,
    position: u64,
    record: Vec<u8>,
}

impl RecordReader {
    /// Opens a file.
    ///
    /// # Errors
    /// [`Error::Io`] if that fails.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|source| Error::io("open", path, source))?;
        let reader = BufReader::with_capacity(BUFFER_BYTES, file);
        Ok(Self { path: path.to_owned(), reader, position: 0, record: Vec::new() })
    }

    /// The bytes of a record, its line end included.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read, [`Error::Changed`] if it has become shorter.
    pub fn read(&mut self, span: Span) -> Result<&[u8]> {
        let io = |source| Error::io("read", &self.path, source);
        let distance = span.offset as i64 - self.position as i64;
        self.reader.seek_relative(distance).map_err(io)?;
        self.record.clear();
        let read = (&mut self.reader).take(span.length).read_to_end(&mut self.record).map_err(io)?;
        self.position = span.offset + read as u64;
        if (read as u64) < span.length {
            return Err(Error::Changed { path: self.path.clone() });
        }
        Ok(&self.record)
    }
}

//! The bytes of records, by their spans.

use crate::ground::{Compression, Decompressor, Error, Result, Span};
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

const BUFFER_BYTES: usize = 1 << 20;

/// Reads records of one file, fastest in ascending order.
#[derive(Debug)]
pub struct RecordReader {
    path: PathBuf,
    reader: Reader,
    position: u64,
    record: Vec<u8>,
}

#[derive(Debug)]
enum Reader {
    /// Seekable.
    File(BufReader<File>),
    /// Forward only.
    Stream(Decompressor),
}

impl RecordReader {
    /// Opens a file.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be opened.
    pub fn open(path: &Path, compression: Compression) -> Result<Self> {
        let reader = if compression == Compression::None {
            let file = File::open(path).map_err(|source| Error::io("open", path, source))?;
            Reader::File(BufReader::with_capacity(BUFFER_BYTES, file))
        } else {
            Reader::Stream(compression.open(path)?)
        };
        Ok(Self { path: path.to_owned(), reader, position: 0, record: Vec::new() })
    }

    /// The bytes of a record, its line end included. The records of a compressed file must be read in ascending order.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read, [`Error::Changed`] if it was truncated.
    pub fn read(&mut self, span: Span) -> Result<&[u8]> {
        let io = |source| Error::io("read", &self.path, source);
        let distance = span.offset as i64 - self.position as i64;
        self.record.clear();
        let read = match &mut self.reader {
            Reader::File(file) => {
                file.seek_relative(distance).map_err(io)?;
                file.take(span.length).read_to_end(&mut self.record)
            }
            Reader::Stream(stream) => {
                std::io::copy(&mut stream.take(distance as u64), &mut std::io::sink()).map_err(io)?;
                stream.take(span.length).read_to_end(&mut self.record)
            }
        };
        let read = read.map_err(io)?;
        self.position = span.offset + read as u64;
        if (read as u64) < span.length {
            return Err(Error::Changed { path: self.path.clone() });
        }
        Ok(&self.record)
    }

    /// The bytes of a run: a span of one or more records. The runs of a compressed file must be read in ascending
    /// order.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_run(&mut self, span: Span) -> Result<Vec<u8>> {
        let mut bytes = vec![0; span.length as usize];
        let read = match &mut self.reader {
            // Directly from the file, which saves a copy through the buffer.
            Reader::File(file) => {
                file.seek(SeekFrom::Start(span.offset)).and_then(|_| file.get_mut().read_exact(&mut bytes))
            }
            Reader::Stream(stream) => {
                let distance = span.offset.saturating_sub(self.position);
                std::io::copy(&mut stream.take(distance), &mut std::io::sink())
                    .and_then(|_| stream.read_exact(&mut bytes))
            }
        };
        self.position = span.end();
        match read {
            Ok(()) => Ok(bytes),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(Error::Changed { path: self.path.clone() }),
            Err(error) => Err(Error::io("read", &self.path, error)),
        }
    }
}

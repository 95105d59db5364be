//! The bytes of records, by their spans. Runs of records are checked: a file in which they no longer begin and end
//! where they did has changed since they were found.

use crate::base::details::Action;
use crate::base::{Compression, Decompressor, Error, Result, Span};
use crate::formats::RecordFormat;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
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
            let file = File::open(path).map_err(|source| Error::io(Action::Open, path, source))?;
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
        let io = |source| Error::io(Action::Read, &self.path, source);
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

    /// The bytes of a run: a span of one or more records of this format. The runs of a compressed file must be read in
    /// ascending order. `buffer` is scratch memory, which becomes the result; a reused one is not zeroed again.
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::Changed`] also if no record can begin or end there.
    pub fn read_run(&mut self, span: Span, format: RecordFormat, buffer: Vec<u8>) -> Result<Vec<u8>> {
        match self.read_with_borders(span, format, buffer) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(Error::Changed { path: self.path.clone() }),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(Error::Changed { path: self.path.clone() }),
            Err(error) => Err(Error::io(Action::Read, &self.path, error)),
        }
    }

    /// The bytes of a run; `None` if what stands before it or at its end is within a record.
    fn read_with_borders(
        &mut self,
        span: Span,
        format: RecordFormat,
        mut bytes: Vec<u8>,
    ) -> io::Result<Option<Vec<u8>>> {
        let before = self.byte_before(span)?;
        let begins = before.is_none_or(|byte| format.may_begin_behind(byte));
        // A long run takes memory for the bytes that are there, whatever its stated length.
        bytes.resize(span.length.min(BUFFER_BYTES as u64) as usize, 0);
        let mut source = self.source();
        source.read_exact(&mut bytes)?;
        let rest = span.length - bytes.len() as u64;
        if source.take(rest).read_to_end(&mut bytes)? as u64 != rest {
            return Ok(None);
        }
        self.position = span.end();
        let ends = bytes.last().is_none_or(|&byte| format.may_end_with(byte)) || self.is_at_end()?;
        Ok((begins && ends).then_some(bytes))
    }

    /// Goes to the begin of a run; returns the byte before it, unless that was read before.
    fn byte_before(&mut self, span: Span) -> io::Result<Option<u8>> {
        let distance = match &mut self.reader {
            Reader::File(file) => {
                file.seek(SeekFrom::Start(span.offset.saturating_sub(1)))?;
                span.offset.min(1)
            }
            Reader::Stream(_) => span.offset.saturating_sub(self.position),
        };
        let mut source = self.source();
        io::copy(&mut (&mut source).take(distance.saturating_sub(1)), &mut io::sink())?;
        let mut before = [0];
        match distance {
            0 => Ok(None),
            _ => source.read_exact(&mut before).map(|()| Some(before[0])),
        }
    }

    /// Returns whether nothing is left to read. Only where the last record of a file is read.
    fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.source().read(&mut [0])? == 0)
    }

    /// The bytes from the present position on; of a file directly, which saves a copy through the buffer.
    fn source(&mut self) -> Box<dyn Read + '_> {
        match &mut self.reader {
            Reader::File(file) => Box::new(file.get_mut()),
            Reader::Stream(stream) => Box::new(stream),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(content: &[u8]) -> (tempfile::TempDir, RecordReader) {
        let (folder, path) = crate::testing::file_with("x.jsonl", content);
        let compression = Compression::of_file(&path).unwrap();
        (folder, RecordReader::open(&path, compression).unwrap())
    }

    fn packed(content: &[u8]) -> Vec<u8> {
        zstd::encode_all(content, 1).unwrap()
    }

    #[test]
    fn runs_that_begin_and_end_with_a_record_are_read() {
        let lines = b"\xEF\xBB\xBF{1}\n{22}\r\n\n{4}";
        for content in [lines.to_vec(), packed(lines)] {
            let (_folder, mut reader) = reader(&content);
            for (offset, length, buffer) in [(3, 4, vec![]), (7, 7, vec![1; 2]), (14, 3, vec![1; 9])] {
                let bytes = reader.read_run(Span { offset, length }, RecordFormat::JsonLines, buffer).unwrap();
                assert_eq!(bytes, &lines[offset as usize..][..length as usize]);
            }
        }
    }

    #[test]
    fn runs_that_would_cut_a_record_are_changes() {
        let lines = b"{1}\n{22}\n{333}\n";
        for (offset, length) in [(1, 3), (0, 3), (4, 4), (5, 4), (4, 9), (9, 7)] {
            for content in [lines.to_vec(), packed(lines)] {
                let (_folder, mut reader) = reader(&content);
                let read = reader.read_run(Span { offset, length }, RecordFormat::JsonLines, vec![1; 9]);
                assert!(matches!(read, Err(Error::Changed { .. })), "{offset} {length}");
            }
        }
        // No memory can hold it.
        let (_folder, mut lines_reader) = reader(lines);
        let read = lines_reader.read_run(Span { offset: 4, length: 1 << 60 }, RecordFormat::JsonLines, vec![1; 9]);
        assert!(matches!(read, Err(Error::Changed { .. })));
        let (_folder, mut reader) = reader(b"id\ra\rb\r");
        assert_eq!(reader.read_run(Span { offset: 3, length: 2 }, RecordFormat::Csv, vec![1; 9]).unwrap(), b"a\r");
    }
}

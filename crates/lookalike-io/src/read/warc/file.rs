//! Cuts a WARC file into records.

use super::document::WarcRecords;
use super::record::{RawRecord, WarcHeader};
use crate::base::details::WarcFault;
use crate::base::{Compression, Error, Problem, Result, Span};
use crate::read::buffers::blank_prefix;
use crate::read::context::BLOCK_BYTES;
use crate::read::input::Input;
use crate::sources::{Source, SourceKind};
use memchr::memmem;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Maximum size of a header. URLs that contain data are long.
const MAX_HEADER_BYTES: usize = 1 << 20;
/// Bytes kept of a body above the limit: enough to decide whether the record would hold a document.
const GLIMPSE_BYTES: usize = 1 << 16;
/// The beginning of a record, searched for after a broken one.
const BEGINNING: &[u8] = b"\nWARC/1.";

/// Cuts a file into records.
#[derive(Debug)]
pub(in crate::read) struct WarcFile {
    input: Input,
    /// Decompressed bytes of the file from `offset` on.
    buffer: Vec<u8>,
    /// Position of the next record in the buffer.
    at: usize,
    /// Position of the buffer in the decompressed file.
    offset: u64,
    /// Number of records so far.
    records: u64,
    path: Arc<Path>,
    compression: Compression,
    /// Bytes of the file read before it was opened again.
    bytes_before_reopening: u64,
}

impl WarcFile {
    pub(in crate::read) fn open(source: &Source) -> Result<Self> {
        let SourceKind::Records { compression, .. } = source.kind else {
            return Err(Error::NotAFile { path: source.path.to_path_buf() });
        };
        let input = Input::open(&source.file, compression)?;
        let path = Arc::clone(&source.file);
        Ok(Self {
            input,
            buffer: Vec::new(),
            at: 0,
            offset: 0,
            records: 0,
            path,
            compression,
            bytes_before_reopening: 0,
        })
    }

    /// Bytes of the file read so far.
    pub(in crate::read) fn read_bytes(&self) -> u64 {
        self.bytes_before_reopening.max(self.input.read_bytes())
    }

    /// The next records of about [`BLOCK_BYTES`], without those that hold no documents.
    pub(in crate::read) fn next_block(&mut self, limit: Option<u64>) -> io::Result<Option<WarcRecords>> {
        let mut records = Vec::new();
        let mut bytes = 0;
        while bytes < BLOCK_BYTES {
            let Some(record) = self.next_record(limit)? else { break };
            // Records without documents count too, so that progress is reported.
            bytes += record.bytes.len();
            if record.may_hold_document() {
                records.push(record);
            }
        }
        Ok((bytes > 0 || !records.is_empty()).then_some(WarcRecords(records)))
    }

    /// The next record of any kind. Bodies of more than `limit` bytes are not kept.
    pub(super) fn next_record(&mut self, limit: Option<u64>) -> io::Result<Option<RawRecord>> {
        self.skip_blank_lines()?;
        self.records += 1;
        if self.at == self.buffer.len() {
            return Ok(self.input.damage.take().map(|message| self.broken(self.damaged(message))));
        }
        let Some(header_length) = self.find_header()? else {
            let problem = match self.input.damage.take() {
                Some(message) => self.damaged(message),
                None => Problem::NotWarc { fault: WarcFault::NoHeader },
            };
            self.find_beginning(self.at)?;
            return Ok(Some(self.broken(problem)));
        };
        let header = WarcHeader(&self.buffer[self.at..self.at + header_length]);
        let Some(body_bytes) = header.get("Content-Length").and_then(|length| length.parse::<u64>().ok()) else {
            self.find_beginning(self.at + header_length - 1)?;
            return Ok(Some(self.broken(Problem::NotWarc { fault: WarcFault::NoLength })));
        };
        match Problem::check_size(body_bytes, limit) {
            Ok(()) => self.take_body(header_length, body_bytes).map(Some),
            Err(excess) => self.skip_body(header_length, body_bytes, excess).map(Some),
        }
    }

    /// A record of which nothing can be used.
    fn broken(&self, problem: Problem) -> RawRecord {
        let span = Span { offset: self.offset, length: 0 };
        let number = self.records;
        let problem = Some(problem);
        RawRecord { number, span, bytes: Vec::new(), header_length: 0, excess: None, problem }
    }

    fn damaged(&self, message: String) -> Problem {
        Problem::Damaged { position: self.offset + self.buffer.len() as u64, message }
    }

    fn skip_blank_lines(&mut self) -> io::Result<()> {
        loop {
            self.drop_consumed();
            let rest = &self.buffer[self.at..];
            self.at += blank_prefix(rest, |byte| matches!(byte, b'\r' | b'\n'));
            if self.at < self.buffer.len() || !self.has_more(1)? {
                return Ok(());
            }
        }
    }

    /// Removes the bytes before the position from the buffer, if they are many or all.
    fn drop_consumed(&mut self) {
        if self.at >= BLOCK_BYTES || self.at == self.buffer.len() {
            self.buffer.drain(..self.at);
            self.offset += self.at as u64;
            self.at = 0;
        }
    }

    /// Reads until the buffer has `wanted_bytes` from the position on; `false` if the file ends before.
    fn has_more(&mut self, wanted_bytes: usize) -> io::Result<bool> {
        while self.buffer.len() - self.at < wanted_bytes && !self.input.has_ended {
            self.input.fill(&mut self.buffer)?;
        }
        Ok(self.buffer.len() - self.at >= wanted_bytes)
    }

    /// Length of the header at the position, its empty line included.
    fn find_header(&mut self) -> io::Result<Option<usize>> {
        let mut window_bytes = 1 << 12;
        loop {
            let is_all = !self.has_more(window_bytes)?;
            // Not the whole buffer, which may hold hundreds of records.
            let bytes = &self.buffer[self.at..self.buffer.len().min(self.at + window_bytes)];
            if !bytes.starts_with(b"WARC/") {
                return Ok(None);
            }
            let ends = [memmem::find(bytes, b"\n\r\n").map(|at| at + 3), memmem::find(bytes, b"\n\n").map(|at| at + 2)];
            let end = ends.into_iter().flatten().min();
            if end.is_some() || is_all || window_bytes > MAX_HEADER_BYTES {
                // A truncated header must not extend into the next record.
                return Ok(end.filter(|&end| memmem::find(&bytes[..end], BEGINNING).is_none()));
            }
            window_bytes *= 4;
        }
    }

    /// Moves to the next line that begins a record, from position `from` on, or to the end of the file.
    fn find_beginning(&mut self, from: usize) -> io::Result<()> {
        self.at = from;
        while self.has_more(BEGINNING.len())? {
            if let Some(found) = memmem::find(&self.buffer[self.at..], BEGINNING) {
                self.at += found + 1;
                return Ok(());
            }
            // The beginning may be split at the end of the buffer.
            self.at = self.buffer.len() + 1 - BEGINNING.len();
            self.drop_consumed();
        }
        self.at = self.buffer.len();
        Ok(())
    }

    /// Reads a record with its body of `body_bytes`.
    fn take_body(&mut self, header_length: usize, body_bytes: u64) -> io::Result<RawRecord> {
        // The header may claim any number.
        let length = header_length.saturating_add(usize::try_from(body_bytes).unwrap_or(usize::MAX));
        let is_complete = self.has_more(length)?;
        let end_length = if is_complete { self.record_end(length)? } else { None };
        let Some(end_length) = end_length else {
            let problem = if is_complete {
                Problem::NotWarc { fault: WarcFault::WrongLength }
            } else {
                match self.input.damage.take() {
                    Some(message) => self.damaged(message),
                    None => Problem::NotWarc { fault: WarcFault::Truncated },
                }
            };
            self.find_beginning(self.at + header_length - 1)?;
            return Ok(self.broken(problem));
        };
        let span = Span { offset: self.offset + self.at as u64, length: (length + end_length) as u64 };
        let bytes = self.buffer[self.at..self.at + length].to_vec();
        self.at += length + end_length;
        Ok(RawRecord { number: self.records, span, bytes, header_length, excess: None, problem: None })
    }

    /// Length of the line ends after a record of `length` bytes; `None` if other bytes than line ends and a record
    /// follow.
    fn record_end(&mut self, length: usize) -> io::Result<Option<usize>> {
        self.has_more(length + 2 * BEGINNING.len())?;
        let rest = &self.buffer[self.at + length..];
        if rest.starts_with(b"\r\n\r\n") {
            return Ok(Some(4));
        }
        let blank = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        Ok((rest.len() == blank || rest[blank..].starts_with(b"WARC/")).then_some(blank))
    }

    /// Skips a body above the limit; only its beginning is kept.
    fn skip_body(&mut self, header_length: usize, body_bytes: u64, excess: Problem) -> io::Result<RawRecord> {
        self.has_more(header_length + GLIMPSE_BYTES)?;
        let kept = (header_length + GLIMPSE_BYTES).min(self.buffer.len() - self.at);
        let bytes = self.buffer[self.at..self.at + kept].to_vec();
        let offset = self.offset + self.at as u64;
        let mut remaining_bytes = body_bytes.saturating_add(header_length as u64);
        while remaining_bytes > 0 && self.has_more(1)? {
            let skipped = remaining_bytes.min((self.buffer.len() - self.at) as u64);
            self.at += skipped as usize;
            remaining_bytes -= skipped;
            self.drop_consumed();
        }
        let end_length = if remaining_bytes == 0 { self.record_end(0)? } else { None };
        let Some(end_length) = end_length else {
            self.go_back(offset + header_length as u64 - 1)?;
            self.find_beginning(self.at)?;
            return Ok(self.broken(Problem::NotWarc { fault: WarcFault::WrongLength }));
        };
        self.at += end_length;
        let span = Span { offset, length: header_length as u64 + body_bytes + end_length as u64 };
        Ok(RawRecord { number: self.records, span, bytes, header_length, excess: Some(excess), problem: None })
    }

    /// Moves back to skipped bytes by reading the file again: a wrong length must not cost the records after it.
    fn go_back(&mut self, offset: u64) -> io::Result<()> {
        self.bytes_before_reopening = self.read_bytes();
        self.input = Input::open(&self.path, self.compression).map_err(io::Error::other)?;
        self.buffer.clear();
        self.at = 0;
        self.offset = 0;
        while self.offset + (self.at as u64) < offset && self.has_more(1)? {
            let missing_bytes = offset - self.offset - self.at as u64;
            self.at += missing_bytes.min((self.buffer.len() - self.at) as u64) as usize;
            self.drop_consumed();
        }
        Ok(())
    }
}

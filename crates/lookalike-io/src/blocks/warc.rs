//! WARC and WET files: records with a header of their own and a body whose length it tells (ISO 28500).
//!
//! ```text
//! WARC/1.0 CRLF  name: value CRLF ...  CRLF  body of Content-Length bytes  CRLF CRLF
//! ```
//!
//! Whoever reads finds the records; what is in them is found by whoever takes the block ([`page`]). A record that cannot
//! be what it says is named by its number, and reading goes on where a line begins a record again: behind the broken header,
//! not behind the body that it promises, because a wrong length must not swallow records that follow.

mod copy;
mod page;

use super::input::Input;
use super::{BLOCK_BYTES, Context, Origin, Visited};
use crate::compression::Compression;
use crate::document::Span;
use crate::error::{BadRecord, Error, Problem, Result};
use crate::source::{Source, SourceKind};
pub use copy::kept_records;
use memchr::{memchr, memmem};
use page::document;
use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Longest header that is taken; addresses with data in them are long.
const MOST_HEADER_BYTES: usize = 1 << 20;
/// Of a body that is too long to be held: enough to see what it would have been.
const GLIMPSE_BYTES: usize = 1 << 16;
/// By which the begin of a record is found again.
const BEGIN: &[u8] = b"\nWARC/1.";

/// Some consecutive records that may hold documents.
#[derive(Debug)]
pub(super) struct WarcRecords(Vec<RawRecord>);

/// A record as it stands in the file.
#[derive(Debug)]
struct RawRecord {
    /// Place in the file, from 1.
    number: u64,
    span: Span,
    /// Header and body; of a body that is too long, the begin.
    bytes: Vec<u8>,
    header_length: usize,
    is_whole: bool,
    problem: Option<Problem>,
}

impl RawRecord {
    fn header(&self) -> Header<'_> {
        Header(&self.bytes[..self.header_length])
    }

    fn body(&self) -> &[u8] {
        &self.bytes[self.header_length..]
    }

    /// Whether it has to be looked into: all others hold no documents.
    fn is_candidate(&self) -> bool {
        let kind = self.header().get("WARC-Type");
        let is_candidate = |kind: &str| {
            ["response", "resource", "conversion"].iter().any(|candidate| kind.eq_ignore_ascii_case(candidate))
        };
        self.problem.is_some() || kind.is_some_and(|kind| is_candidate(&kind))
    }
}

/// The lines of a header.
#[derive(Debug, Clone, Copy)]
struct Header<'a>(&'a [u8]);

impl<'a> Header<'a> {
    /// The value of the first line with a name, in any case.
    fn get(self, name: &str) -> Option<Cow<'a, str>> {
        self.0.split(|&byte| byte == b'\n').find_map(|line| {
            let colon = memchr(b':', line)?;
            let is_named = line[..colon].trim_ascii().eq_ignore_ascii_case(name.as_bytes());
            is_named.then(|| String::from_utf8_lossy(line[colon + 1..].trim_ascii()))
        })
    }

    /// The address that the record is about; early writers put it in angle brackets.
    fn target(self) -> Option<Cow<'a, str>> {
        let target = self.get("WARC-Target-URI")?;
        let bare = target.strip_prefix('<').and_then(|target| target.strip_suffix('>')).map(str::to_owned);
        Some(bare.map_or(target, Cow::Owned)).filter(|target| !target.is_empty())
    }
}

impl WarcRecords {
    pub(super) fn bytes(&self) -> u64 {
        self.0.iter().map(|record| record.bytes.len() as u64).sum()
    }

    pub(super) fn for_each_document(&self, context: &Context<'_>, visit: impl FnMut(Visited<'_>)) {
        self.0.iter().filter_map(|record| document(record, context)).for_each(visit);
    }

    pub(super) fn for_each_with_origin(&self, context: &Context<'_>, mut visit: impl FnMut(Visited<'_>, Origin)) {
        for record in &self.0 {
            if let Some(document) = document(record, context) {
                let header = record.header();
                let owned = |value: Option<Cow<'_, str>>| value.map(Cow::into_owned);
                visit(document, Origin { url: owned(header.target()), date: owned(header.get("WARC-Date")) });
            }
        }
    }
}

/// Cuts a file into records.
#[derive(Debug)]
pub(super) struct WarcFile {
    input: Input,
    /// Bytes that were read, from `offset` on.
    buffer: Vec<u8>,
    /// Place in the buffer of what comes next.
    at: usize,
    offset: u64,
    records: u64,
    path: Arc<Path>,
    compression: Compression,
    /// Bytes of the file that were read before it was opened again.
    most_read_bytes: u64,
}

impl WarcFile {
    pub(super) fn open(source: &Source) -> Result<Self> {
        let SourceKind::Records { compression, .. } = source.kind else {
            return Err(Error::NotAFile { path: source.path.to_path_buf() });
        };
        let (input, path) = (Input::open(&source.file, compression)?, Arc::clone(&source.file));
        Ok(Self { input, buffer: Vec::new(), at: 0, offset: 0, records: 0, path, compression, most_read_bytes: 0 })
    }

    /// Bytes of the file that were needed so far.
    pub(super) fn read_bytes(&self) -> u64 {
        self.most_read_bytes.max(self.input.read_bytes())
    }

    /// Records until there are enough, without those that hold no documents.
    pub(super) fn next_block(&mut self, limit: u64) -> io::Result<Option<WarcRecords>> {
        let (mut records, mut bytes) = (Vec::new(), 0);
        while bytes < BLOCK_BYTES {
            let Some(record) = self.next_record(limit)? else { break };
            // Those without documents count too, so that progress is seen.
            bytes += record.bytes.len();
            if record.is_candidate() {
                records.push(record);
            }
        }
        Ok((bytes > 0 || !records.is_empty()).then_some(WarcRecords(records)))
    }

    /// The next record, whatever it holds. Bodies of more than `limit` bytes are not kept.
    fn next_record(&mut self, limit: u64) -> io::Result<Option<RawRecord>> {
        self.pass_blank_lines()?;
        self.records += 1;
        if self.at == self.buffer.len() {
            return Ok(self.input.damage.take().map(|message| self.broken(self.damaged(message))));
        }
        let Some(header_length) = self.find_header()? else {
            let problem = match self.input.damage.take() {
                Some(message) => self.damaged(message),
                None => Problem::NotWarc { message: "no header of a record" },
            };
            self.find_begin(self.at)?;
            return Ok(Some(self.broken(problem)));
        };
        let header = Header(&self.buffer[self.at..self.at + header_length]);
        let Some(body) = header.get("Content-Length").and_then(|length| length.parse::<u64>().ok()) else {
            self.find_begin(self.at + header_length - 1)?;
            return Ok(Some(self.broken(Problem::NotWarc { message: "its header has no Content-Length" })));
        };
        if body > limit { self.pass_body(header_length, body) } else { self.take_body(header_length, body) }.map(Some)
    }

    /// A record of which nothing can be used.
    fn broken(&self, problem: Problem) -> RawRecord {
        let span = Span { offset: self.offset, length: 0 };
        let (number, problem) = (self.records, Some(problem));
        RawRecord { number, span, bytes: Vec::new(), header_length: 0, is_whole: true, problem }
    }

    fn damaged(&self, message: String) -> Problem {
        Problem::Damaged { position: self.offset + self.buffer.len() as u64, message }
    }

    fn pass_blank_lines(&mut self) -> io::Result<()> {
        loop {
            self.forget_read();
            let rest = &self.buffer[self.at..];
            self.at += rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            if self.at < self.buffer.len() || !self.has_more(1)? {
                return Ok(());
            }
        }
    }

    /// Drops what lies behind, if that is worth the moving.
    fn forget_read(&mut self) {
        if self.at >= BLOCK_BYTES || self.at == self.buffer.len() {
            self.buffer.drain(..self.at);
            self.offset += self.at as u64;
            self.at = 0;
        }
    }

    /// Whether there are `wanted` bytes from here on; reads them if need be.
    fn has_more(&mut self, wanted: usize) -> io::Result<bool> {
        while self.buffer.len() - self.at < wanted && !self.input.has_ended {
            self.input.fill(&mut self.buffer)?;
        }
        Ok(self.buffer.len() - self.at >= wanted)
    }

    /// Length of the header that begins here, its empty line included.
    fn find_header(&mut self) -> io::Result<Option<usize>> {
        let mut wanted = 1 << 12;
        loop {
            let is_all = !self.has_more(wanted)?;
            // No more than that: what was read may hold hundreds of records.
            let bytes = &self.buffer[self.at..self.buffer.len().min(self.at + wanted)];
            if !bytes.starts_with(b"WARC/") {
                return Ok(None);
            }
            let ends = [memmem::find(bytes, b"\n\r\n").map(|at| at + 3), memmem::find(bytes, b"\n\n").map(|at| at + 2)];
            let end = ends.into_iter().flatten().min();
            if end.is_some() || is_all || wanted > MOST_HEADER_BYTES {
                // A header that is cut must not take the next one for its own.
                return Ok(end.filter(|&end| memmem::find(&bytes[..end], BEGIN).is_none()));
            }
            wanted *= 4;
        }
    }

    /// Goes to the next line that begins a record, from a place in the buffer on, or to the end.
    fn find_begin(&mut self, from: usize) -> io::Result<()> {
        self.at = from;
        while self.has_more(BEGIN.len())? {
            if let Some(found) = memmem::find(&self.buffer[self.at..], BEGIN) {
                self.at += found + 1;
                return Ok(());
            }
            // The begin may be cut by the end of what was read.
            self.at = self.buffer.len() + 1 - BEGIN.len();
            self.forget_read();
        }
        self.at = self.buffer.len();
        Ok(())
    }

    fn take_body(&mut self, header_length: usize, body: u64) -> io::Result<RawRecord> {
        // Any number may stand in a header.
        let length = header_length.saturating_add(usize::try_from(body).unwrap_or(usize::MAX));
        let is_whole = self.has_more(length)?;
        let end_length = if is_whole { self.record_end(length)? } else { None };
        let Some(end_length) = end_length else {
            let problem = match self.input.damage.take() {
                Some(message) if !is_whole => self.damaged(message),
                _ if !is_whole => {
                    Problem::NotWarc { message: "it is cut: its body is shorter than its Content-Length" }
                }
                damage => {
                    self.input.damage = damage;
                    Problem::NotWarc { message: "its body does not end where its Content-Length says" }
                }
            };
            self.find_begin(self.at + header_length - 1)?;
            return Ok(self.broken(problem));
        };
        let span = Span { offset: self.offset + self.at as u64, length: (length + end_length) as u64 };
        let bytes = self.buffer[self.at..self.at + length].to_vec();
        self.at += length + end_length;
        Ok(RawRecord { number: self.records, span, bytes, header_length, is_whole: true, problem: None })
    }

    /// Length of the line ends behind a record of `length` bytes; `None` if what stands there is neither those nor the next.
    fn record_end(&mut self, length: usize) -> io::Result<Option<usize>> {
        self.has_more(length + 2 * BEGIN.len())?;
        let behind = &self.buffer[self.at + length..];
        if behind.starts_with(b"\r\n\r\n") {
            return Ok(Some(4));
        }
        let blank = behind.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        Ok((behind.len() == blank || behind[blank..].starts_with(b"WARC/")).then_some(blank))
    }

    /// Reads over a body, of which only the begin is kept.
    fn pass_body(&mut self, header_length: usize, body: u64) -> io::Result<RawRecord> {
        self.has_more(header_length + GLIMPSE_BYTES)?;
        let kept = (header_length + GLIMPSE_BYTES).min(self.buffer.len() - self.at);
        let bytes = self.buffer[self.at..self.at + kept].to_vec();
        let offset = self.offset + self.at as u64;
        let mut left = body.saturating_add(header_length as u64);
        while left > 0 && self.has_more(1)? {
            let passed = left.min((self.buffer.len() - self.at) as u64);
            self.at += passed as usize;
            left -= passed;
            self.forget_read();
        }
        let end_length = if left == 0 { self.record_end(0)? } else { None };
        let Some(end_length) = end_length else {
            self.go_back(offset + header_length as u64 - 1)?;
            self.find_begin(self.at)?;
            return Ok(self.broken(Problem::NotWarc { message: "its body does not end where its Content-Length says" }));
        };
        self.at += end_length;
        let span = Span { offset, length: header_length as u64 + body + end_length as u64 };
        Ok(RawRecord { number: self.records, span, bytes, header_length, is_whole: false, problem: None })
    }

    /// Goes to a place that was read over and not kept: a wrong length must not cost the records behind it.
    fn go_back(&mut self, offset: u64) -> io::Result<()> {
        self.most_read_bytes = self.read_bytes();
        self.input = Input::open(&self.path, self.compression).map_err(io::Error::other)?;
        self.buffer.clear();
        (self.at, self.offset) = (0, 0);
        while self.offset + (self.at as u64) < offset && self.has_more(1)? {
            let wanted = offset - self.offset - self.at as u64;
            self.at += wanted.min((self.buffer.len() - self.at) as u64) as usize;
            self.forget_read();
        }
        Ok(())
    }
}

impl RawRecord {
    fn reject(&self, context: &Context<'_>, problem: Problem) -> BadRecord {
        BadRecord { place: context.place(self.number), problem }
    }
}

#[cfg(test)]
mod tests;

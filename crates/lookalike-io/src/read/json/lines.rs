//! Files with one record per line.

use crate::base::{BYTE_ORDER_MARK, BadRecord, Problem, Span};
use crate::formats::RecordFormat;
use crate::read::buffers::{BlockBuffers, Buffer, blank_prefix, move_rest};
use crate::read::context::{Context, RecordFields, Visited};
use crate::read::input::Input;
use crate::read::json;
use crate::sources::decode_part;
use memchr::{memchr, memchr_iter, memrchr};

/// Complete lines of a file, the last of which may lack its line end, and the problem of the line after them.
#[derive(Debug)]
pub(in crate::read) struct LineBlock {
    bytes: Buffer,
    offset: u64,
    first_line: u64,
    format: RecordFormat,
    problem: Option<Problem>,
}

impl LineBlock {
    pub(in crate::read) fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Visits the lines; blank ones are no records, and a byte order mark before one is no part of it: files that were
    /// put together have some in the middle.
    pub(in crate::read) fn for_each_document(&self, context: &Context<'_>, mut visit: impl FnMut(Visited<'_>)) {
        let mut start = 0;
        let mut line = self.first_line;
        while start < self.bytes.len() {
            let rest = &self.bytes[start..];
            let blank = blank_lines(rest, context.limit);
            if blank > 0 {
                line += memchr_iter(b'\n', &rest[..blank]).count() as u64;
                start += blank;
                continue;
            }
            if rest.starts_with(BYTE_ORDER_MARK) {
                start += BYTE_ORDER_MARK.len();
                continue;
            }
            let record = &rest[..memchr(b'\n', rest).map_or(rest.len(), |at| at + 1)];
            let span = Span { offset: self.offset + start as u64, length: record.len() as u64 };
            start += record.len();
            if let Err(problem) = Problem::check_size(span.length, context.limit) {
                visit(Err(BadRecord { place: context.place(line), problem }));
            } else if !record.trim_ascii().is_empty() {
                visit(self.read_line(record, line, span, context));
            }
            line += 1;
        }
        if let Some(problem) = &self.problem {
            visit(Err(BadRecord { place: context.place(line), problem: problem.clone() }));
        }
    }

    fn read_line<'a>(&self, record: &'a [u8], line: u64, span: Span, context: &Context<'_>) -> Visited<'a> {
        let fields = match self.format {
            RecordFormat::ItemLines => read_items(record, context),
            _ => json::parse(record, context.names),
        };
        context.document(fields, line, span)
    }
}

/// Bytes of the blank lines at the beginning, none of which is above the limit.
fn blank_lines(bytes: &[u8], limit: Option<u64>) -> usize {
    let blank = &bytes[..blank_prefix(bytes, |byte| byte.is_ascii_whitespace())];
    if Problem::check_size(blank.len() as u64, limit).is_err() {
        return 0;
    }
    memrchr(b'\n', blank).map_or(0, |last| last + 1)
}

/// Reads a line of items.
fn read_items<'a>(line: &'a [u8], context: &Context<'_>) -> std::result::Result<RecordFields<'a>, Problem> {
    let content = context.content(decode_part(line, context.names.encoding)?)?;
    Ok(RecordFields::new(content, None))
}

/// Cuts a file at line ends.
#[derive(Debug)]
pub(in crate::read) struct LineFile {
    input: Input,
    format: RecordFormat,
    offset: u64,
    line: u64,
    /// The incomplete line after the last block.
    rest: Vec<u8>,
    buffers: BlockBuffers,
}

impl LineFile {
    pub(in crate::read) fn new(input: Input, format: RecordFormat, buffers: &BlockBuffers) -> Self {
        Self { input, format, offset: 0, line: 1, rest: Vec::new(), buffers: buffers.clone() }
    }

    /// Bytes of the file read so far.
    pub(in crate::read) fn read_bytes(&self) -> u64 {
        self.input.read_bytes()
    }

    /// The next complete lines: at least one. A line above the limit is skipped.
    pub(in crate::read) fn next_block(&mut self, limit: Option<u64>) -> std::io::Result<Option<LineBlock>> {
        let mut bytes = self.buffers.take();
        bytes.append(&mut self.rest);
        let mut searched = 0;
        while !self.input.has_ended {
            self.input.fill(&mut bytes)?;
            if let Some(last) = memrchr(b'\n', &bytes[searched..]) {
                move_rest(&mut bytes, searched + last + 1, &mut self.rest);
                break;
            }
            searched = bytes.len();
            if let Err(problem) = Problem::check_size(bytes.len() as u64, limit) {
                return self.skip_line(bytes, problem).map(Some);
            }
        }
        let problem = self.take_damage(&mut bytes);
        let offset = self.offset;
        let first_line = self.line;
        self.offset += bytes.len() as u64;
        self.line += memchr_iter(b'\n', &bytes).count() as u64;
        let has_content = !bytes.is_empty() || problem.is_some();
        Ok(has_content.then_some(LineBlock { bytes, offset, first_line, format: self.format, problem }))
    }

    /// The problem of a corrupt file, if it ended so. An incomplete last line is removed from `bytes`.
    fn take_damage(&mut self, bytes: &mut Vec<u8>) -> Option<Problem> {
        let message = self.input.damage.take()?;
        let position = self.offset + (bytes.len() + self.rest.len()) as u64;
        let complete = memrchr(b'\n', bytes).map_or(0, |last| last + 1);
        bytes.truncate(complete);
        self.rest.clear();
        Some(Problem::Damaged { position, message })
    }

    /// Skips a line with `problem`, of which `bytes` is the beginning.
    fn skip_line(&mut self, mut bytes: Buffer, problem: Problem) -> std::io::Result<LineBlock> {
        let offset = self.offset;
        let first_line = self.line;
        self.offset += bytes.len() as u64;
        self.line += 1;
        while !self.input.has_ended {
            bytes.clear();
            self.input.fill(&mut bytes)?;
            if let Some(end) = memchr(b'\n', &bytes) {
                move_rest(&mut bytes, end + 1, &mut self.rest);
                self.offset += bytes.len() as u64;
                break;
            }
            self.offset += bytes.len() as u64;
        }
        bytes.reset();
        Ok(LineBlock { bytes, offset, first_line, format: self.format, problem: Some(problem) })
    }
}

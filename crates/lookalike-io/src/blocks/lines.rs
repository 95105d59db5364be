//! Files with a record a line.

use super::buffers::{Buffer, Buffers, move_rest};
use super::input::Input;
use super::{BYTE_ORDER_MARK, Context, Visited};
use crate::compression::Compression;
use crate::document::{Document, Span};
use crate::error::{BadRecord, Problem, Result};
use crate::format::RecordFormat;
use crate::record::{self, Fields};
use memchr::{memchr, memchr_iter, memrchr};
use std::borrow::Cow;
use std::path::Path;

/// Whole lines of a file, of which the last one may lack its line end; and what is wrong with the line behind them.
#[derive(Debug)]
pub(super) struct Lines {
    bytes: Buffer,
    offset: u64,
    first_line: u64,
    format: RecordFormat,
    problem: Option<Problem>,
}

impl Lines {
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Lines of white space are no records.
    pub(super) fn for_each_document(&self, context: &Context<'_>, mut visit: impl FnMut(Visited<'_>)) {
        let (mut start, mut line) = (0, self.first_line);
        let ends = memchr_iter(b'\n', &self.bytes).map(|at| at + 1).chain([self.bytes.len()]);
        for end in ends.filter(|&end| end > 0) {
            let record = &self.bytes[start..end];
            let span = Span { offset: self.offset + start as u64, length: record.len() as u64 };
            start = end;
            if span.length > context.limit {
                let problem = Problem::TooLarge { limit: context.limit };
                visit(Err(BadRecord { place: context.place(line), problem }));
            } else if !record.trim_ascii().is_empty() {
                visit(self.read_line(record, line, span, context));
            }
            line += u64::from(!record.is_empty());
        }
        if let Some(problem) = &self.problem {
            visit(Err(BadRecord { place: context.place(line), problem: problem.clone() }));
        }
    }

    fn read_line<'a>(&self, record: &'a [u8], line: u64, span: Span, context: &Context<'_>) -> Visited<'a> {
        let place = context.place(line);
        let fields = match self.format {
            RecordFormat::ItemLines => read_items(record, context),
            _ => record::parse(record, context.names),
        };
        match fields {
            Ok(fields) => {
                let key = Cow::Owned(fields.id.unwrap_or_else(|| place.to_string()));
                let number = place.line.unwrap_or_default();
                Ok(Document { key, text: fields.text, score: fields.score, place, number, span })
            }
            Err(problem) => Err(BadRecord { place, problem }),
        }
    }
}

/// A line that is all text.
fn read_items<'a>(line: &'a [u8], context: &Context<'_>) -> std::result::Result<Fields<'a>, Problem> {
    let text = simdutf8::compat::from_utf8(line).map_err(|error| Problem::NotUtf8 { at: error.valid_up_to() + 1 })?;
    Ok(Fields { text: context.text(Cow::Borrowed(text))?, id: None, score: None })
}

/// Cuts a file at line ends.
#[derive(Debug)]
pub(super) struct LineFile {
    input: Input,
    format: RecordFormat,
    offset: u64,
    line: u64,
    /// The begun line behind the last block.
    rest: Vec<u8>,
    buffers: Buffers,
}

impl LineFile {
    pub(super) fn open(path: &Path, compression: Compression, format: RecordFormat, buffers: &Buffers) -> Result<Self> {
        let input = Input::open(path, compression)?;
        Ok(Self { input, format, offset: 0, line: 1, rest: Vec::new(), buffers: buffers.clone() })
    }

    /// Bytes of the file that were needed so far.
    pub(super) fn read_bytes(&self) -> u64 {
        self.input.read_bytes()
    }

    /// Reads on until there is a whole line, and then as many as fit. A line that is too long is not kept.
    pub(super) fn next_block(&mut self, limit: u64) -> std::io::Result<Option<Lines>> {
        let mut bytes = self.buffers.take();
        bytes.append(&mut self.rest);
        let (mut problem, mut searched) = (None, 0);
        while !self.input.has_ended {
            self.input.fill(&mut bytes)?;
            if let Some(last) = memrchr(b'\n', &bytes[searched..]) {
                move_rest(&mut bytes, searched + last + 1, &mut self.rest);
                break;
            }
            searched = bytes.len();
            if bytes.len() as u64 > limit {
                return self.skip_line(bytes, limit).map(Some);
            }
        }
        if let Some(message) = self.input.damage.take() {
            let position = self.offset + (bytes.len() + self.rest.len()) as u64;
            problem = Some(Problem::Damaged { position, message });
            // The last line may lack its end, and then nobody knows how it went on.
            let whole = memrchr(b'\n', &bytes).map_or(0, |last| last + 1);
            bytes.truncate(whole);
            self.rest.clear();
        }
        let (mut offset, first_line) = (self.offset, self.line);
        self.offset += bytes.len() as u64;
        self.line += memchr_iter(b'\n', &bytes).count() as u64;
        if offset == 0 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
            offset = BYTE_ORDER_MARK.len() as u64;
        }
        let has_content = !bytes.is_empty() || problem.is_some();
        Ok(has_content.then_some(Lines { bytes, offset, first_line, format: self.format, problem }))
    }

    /// Reads over the rest of a line whose begin is given.
    fn skip_line(&mut self, mut begun: Buffer, limit: u64) -> std::io::Result<Lines> {
        let (offset, first_line) = (self.offset, self.line);
        self.offset += begun.len() as u64;
        self.line += 1;
        while !self.input.has_ended {
            begun.clear();
            self.input.fill(&mut begun)?;
            if let Some(end) = memchr(b'\n', &begun) {
                move_rest(&mut begun, end + 1, &mut self.rest);
                self.offset += begun.len() as u64;
                break;
            }
            self.offset += begun.len() as u64;
        }
        begun.give_up();
        let problem = Some(Problem::TooLarge { limit });
        Ok(Lines { bytes: begun, offset, first_line, format: self.format, problem })
    }
}

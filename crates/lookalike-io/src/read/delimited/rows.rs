//! Whole rows of a table, as bytes.

use super::columns::{RowBytes, TableColumns};
use super::row_ends::{BLANK_LINE, content, line_ends, newlines, row_reader, row_start, with_line_feed};
use crate::base::{BadRecord, Problem, Span};
use crate::read::buffers::Buffer;
use crate::read::context::{Context, TableRemarks, Visited};
use std::sync::Arc;

/// Complete rows of a file, the last of which may lack its line end, and the problem of the row after them.
#[derive(Debug)]
pub(in crate::read) struct TableBlock {
    pub(super) bytes: Buffer,
    pub(super) offset: u64,
    pub(super) first_line: u64,
    pub(super) columns: Arc<TableColumns>,
    pub(super) problem: Option<Problem>,
}

impl TableBlock {
    pub(in crate::read) fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Visits the documents of the rows, without empty lines and repeated headers, and the problem after them.
    pub(in crate::read) fn for_each_document(
        &self,
        context: &Context<'_>,
        mut visit: impl FnMut(Visited<'_>),
    ) -> TableRemarks {
        let mut remarks = TableRemarks::default();
        let mut fields = csv::ByteRecord::new();
        let mut line = self.first_line;
        let mut start = 0;
        let mut parser = RowParser::new(self, row_start(&self.bytes));
        loop {
            let begin = start + row_start(&self.bytes[start..]);
            let before = &self.bytes[start..begin];
            if line_ends(before) < before.len() {
                // There is a byte order mark, which the parser would take for a part of the first field.
                parser = RowParser::new(self, begin);
            }
            let Some(end) = parser.next(&mut fields).map(|end| with_line_feed(&self.bytes, end)) else { break };
            line += newlines(before);
            start = end;
            let row = &self.bytes[begin..end];
            let first_line = line;
            let lines = RowLines::new(row);
            line += lines.ends;
            if content(row) == self.columns.header() {
                remarks.repeated_headers.add(|| context.place(first_line));
                continue;
            }
            if lines.spanned > 1 {
                remarks.spanning_rows.add(|| context.place(first_line));
            }
            let span = Span { offset: self.offset + begin as u64, length: row.len() as u64 };
            let row = RowBytes { bytes: row, lines: lines.spanned };
            let found = Problem::check_size(span.length, context.limit);
            let found = found.and_then(|()| self.columns.fields(&fields, &row, context));
            visit(context.document(found, first_line, span));
        }
        if let Some(problem) = &self.problem {
            line += newlines(&self.bytes[start..]);
            visit(Err(BadRecord { place: context.place(line), problem: problem.clone() }));
        }
        remarks
    }
}

/// The lines of a row.
struct RowLines {
    /// Number of line ends in the row.
    ends: u64,
    /// Number of lines that the row spans.
    spanned: u64,
}

impl RowLines {
    fn new(row: &[u8]) -> Self {
        let ends = newlines(row);
        let has_end = row.last().is_some_and(|byte| matches!(byte, b'\r' | b'\n'));
        Self { ends, spanned: ends + u64::from(!has_end) }
    }
}

/// A parser of the rows of a block from `base` on.
struct RowParser<R> {
    /// Offset in the bytes of the block.
    base: usize,
    reader: csv::Reader<R>,
}

impl<'a> RowParser<std::io::Chain<&'static [u8], &'a [u8]>> {
    fn new(rows: &'a TableBlock, base: usize) -> Self {
        Self { base, reader: row_reader(&rows.bytes[base..], rows.columns.dialect) }
    }

    /// Reads the next row; returns the offset of its end, which is between the two bytes of a line end of CR LF.
    fn next(&mut self, fields: &mut csv::ByteRecord) -> Option<usize> {
        // Reading from memory cannot fail.
        let is_row = self.reader.read_byte_record(fields).unwrap_or(false);
        is_row.then(|| self.base + self.reader.position().byte() as usize - BLANK_LINE.len())
    }
}

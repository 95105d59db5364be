//! Whole rows of a table, as bytes.

use super::columns::Columns;
use super::row_ends::{BLANK_LINE, line_ends, newlines, row_reader, with_line_feed};
use crate::ground::{BadRecord, Problem, Span};
use crate::read::buffers::Buffer;
use crate::read::context::{Context, Visited};
use std::sync::Arc;

/// Complete rows of a file, the last of which may lack its line end, and the problem of the row after them.
#[derive(Debug)]
pub(in crate::read) struct Rows {
    pub(super) bytes: Buffer,
    pub(super) offset: u64,
    pub(super) first_line: u64,
    pub(super) columns: Arc<Columns>,
    pub(super) problem: Option<Problem>,
}

impl Rows {
    pub(in crate::read) fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Visits the rows; empty lines are none.
    pub(in crate::read) fn for_each_document(&self, context: &Context<'_>, mut visit: impl FnMut(Visited<'_>)) {
        let blank = line_ends(&self.bytes);
        let mut reader = row_reader(&self.bytes[blank..], self.columns.delimiter);
        let mut fields = csv::ByteRecord::new();
        let (mut line, mut counted, mut start) = (self.first_line, 0, 0);
        // Reading from memory cannot fail.
        while let Ok(true) = reader.read_byte_record(&mut fields) {
            start += line_ends(&self.bytes[start..]);
            let end = blank + reader.position().byte() as usize - BLANK_LINE.len();
            let end = with_line_feed(&self.bytes, end);
            let row = &self.bytes[start..end];
            line += newlines(&self.bytes[counted..start]);
            (counted, start) = (start, end);
            let span = Span { offset: self.offset + counted as u64, length: row.len() as u64 };
            let place = context.place(line);
            visit(match Problem::check_size(span.length, context.limit) {
                Ok(()) => self.columns.document(&fields, (row, span), place, context),
                Err(problem) => Err(BadRecord { place, problem }),
            });
        }
        if let Some(problem) = &self.problem {
            line += newlines(&self.bytes[counted..]);
            visit(Err(BadRecord { place: context.place(line), problem: problem.clone() }));
        }
    }
}

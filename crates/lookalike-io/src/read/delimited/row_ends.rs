//! Row ends and line ends of tables.

use crate::base::BYTE_ORDER_MARK;
use crate::formats::Dialect;
use crate::read::buffers::blank_prefix;
use csv_core::ReadRecordResult;
use memchr::memchr_iter;
use std::io::{Chain, Read};

/// Fed to a parser that starts at a later row: a blank line is no row, and after it a byte order mark is not skipped.
pub(super) const BLANK_LINE: &[u8] = b"\n";

/// Finds row ends.
#[derive(Debug)]
pub(super) struct RowEnds {
    dialect: Dialect,
    automaton: csv_core::Reader,
    /// Output of the automaton, unused.
    fields: Box<[u8]>,
    field_ends: Box<[usize]>,
    /// True if a row has begun that has not ended yet.
    is_in_row: bool,
    /// Number of bytes before the next row that may become a byte order mark.
    mark: usize,
}

impl RowEnds {
    pub(super) fn new(dialect: Dialect) -> Self {
        let automaton = dialect.automaton();
        let fields = vec![0; 1 << 14].into();
        let field_ends = vec![0; 1 << 8].into();
        // The automaton passes over the byte order mark at the beginning of a file.
        Self { dialect, automaton, fields, field_ends, is_in_row: true, mark: 0 }
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Resets the automaton to the start of a row after the first one.
    pub(super) fn restart(&mut self) {
        self.automaton.reset();
        // Not `next`, which passes over it.
        self.automaton.read_record(BLANK_LINE, &mut self.fields, &mut self.field_ends);
        self.is_in_row = false;
        self.mark = 0;
    }

    /// Continues with `bytes`; returns the offset after the next row end. Empty lines are no rows.
    pub(super) fn next(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = if self.is_in_row { 0 } else { self.begin_row(bytes) };
        // Empty input would mean the end of the file to the automaton.
        while at < bytes.len() {
            let (result, read, ..) = self.automaton.read_record(&bytes[at..], &mut self.fields, &mut self.field_ends);
            at += read;
            self.is_in_row = !matches!(result, ReadRecordResult::Record);
            if !self.is_in_row {
                return Some(at);
            }
        }
        None
    }

    /// Passes over what stands before a row ([`row_start`]), of which a byte order mark may be cut by the end of
    /// `bytes`; returns the offset behind it.
    fn begin_row(&mut self, bytes: &[u8]) -> usize {
        let at = if self.mark == 0 { row_start(bytes) } else { 0 };
        let expected = &BYTE_ORDER_MARK[self.mark..];
        let found = bytes[at..].iter().zip(expected).take_while(|(found, expected)| found == expected).count();
        let at = at + found;
        self.mark += found;
        if self.mark == BYTE_ORDER_MARK.len() {
            self.mark = 0;
            return at + self.begin_row(&bytes[at..]);
        }
        if at < bytes.len() && self.mark > 0 {
            // No row end: a field begins with these bytes.
            self.automaton.read_record(&BYTE_ORDER_MARK[..self.mark], &mut self.fields, &mut self.field_ends);
            self.mark = 0;
        }
        at
    }

    /// Returns whether a row has begun that has not ended yet.
    pub(super) fn is_in_row(&self) -> bool {
        self.is_in_row || self.mark > 0
    }

    /// Returns whether the file ends within quotes, given its last bytes: there a line end does not end the row.
    pub(super) fn is_open(&mut self, last: &[u8]) -> bool {
        row_start(last) < last.len() && self.next(b"\n").is_none()
    }
}

/// Parses a file from its beginning, where a byte order mark is not part of a field.
pub(crate) fn csv_reader<R: Read>(bytes: R, dialect: Dialect) -> csv::Reader<R> {
    dialect.reader_builder().from_reader(bytes)
}

/// Parses a file from a later row on, where a byte order mark is an ordinary character. Positions include the
/// [`BLANK_LINE`].
pub(crate) fn row_reader(rows: &[u8], dialect: Dialect) -> csv::Reader<Chain<&'static [u8], &[u8]>> {
    csv_reader(BLANK_LINE.chain(rows), dialect)
}

/// Returns whether a header consists of a byte order mark and line ends only.
pub(crate) fn is_blank(header: &[u8]) -> bool {
    let header = header.strip_prefix(BYTE_ORDER_MARK).unwrap_or(header);
    line_ends(header) == header.len()
}

/// The offset behind what may stand before a row: line ends, and byte order marks of files that were put together.
pub(super) fn row_start(bytes: &[u8]) -> usize {
    let mut at = line_ends(bytes);
    while bytes[at..].starts_with(BYTE_ORDER_MARK) {
        at += BYTE_ORDER_MARK.len();
        at += line_ends(&bytes[at..]);
    }
    at
}

/// A row without its line end and what stands before it.
pub(super) fn content(row: &[u8]) -> &[u8] {
    let row = &row[row_start(row)..];
    let ends = row.iter().rev().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    &row[..row.len() - ends]
}

/// Number of carriage returns and line feeds at the beginning.
pub(super) fn line_ends(bytes: &[u8]) -> usize {
    blank_prefix(bytes, |byte| matches!(byte, b'\r' | b'\n'))
}

/// The end of a row, moved from after a carriage return to after the line feed that follows it.
pub(super) fn with_line_feed(bytes: &[u8], end: usize) -> usize {
    let has_line_feed = bytes[..end].ends_with(b"\r") && bytes.get(end) == Some(&b'\n');
    end + usize::from(has_line_feed)
}

/// Number of line ends. A carriage return without a line feed counts too, so that rows that end with it have different
/// line numbers.
pub(super) fn newlines(bytes: &[u8]) -> u64 {
    let is_alone = |&at: &usize| bytes.get(at + 1) != Some(&b'\n');
    (memchr_iter(b'\n', bytes).count() + memchr_iter(b'\r', bytes).filter(is_alone).count()) as u64
}

//! Row ends and line ends of tables.

use crate::read::blank;
use crate::read::context::BYTE_ORDER_MARK;
use csv_core::ReadRecordResult;
use memchr::memchr_iter;
use std::io::Read;

/// Fed to a parser that starts at a later row: a blank line is no row, and after it a byte order mark is not skipped.
pub(super) const BLANK_LINE: &[u8] = b"\n";

/// Finds row ends.
#[derive(Debug)]
pub(super) struct RowEnds {
    delimiter: u8,
    automaton: csv_core::Reader,
    /// Output of the automaton, unused.
    fields: Box<[u8]>,
    field_ends: Box<[usize]>,
    /// Whether a row has begun that has not ended yet.
    is_in_row: bool,
}

impl RowEnds {
    pub(super) fn new(delimiter: u8) -> Self {
        let automaton = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
        let (fields, field_ends) = (vec![0; 1 << 14].into(), vec![0; 1 << 8].into());
        // At the beginning of a file the automaton must see all: a byte order mark counts there only.
        Self { delimiter, automaton, fields, field_ends, is_in_row: true }
    }

    pub(super) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Resets the automaton to the start of a row after the first one.
    pub(super) fn restart(&mut self) {
        self.automaton.reset();
        // Not `next`, which passes over it.
        self.automaton.read_record(BLANK_LINE, &mut self.fields, &mut self.field_ends);
        self.is_in_row = false;
    }

    /// Continues with `bytes`; returns the offset after the next row end. Empty lines are no rows.
    pub(super) fn next(&mut self, bytes: &[u8]) -> Option<usize> {
        // Between rows the automaton ignores them, too, one by one.
        let mut at = if self.is_in_row { 0 } else { line_ends(bytes) };
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

    /// Whether a row has begun that has not ended yet.
    pub(super) fn is_in_row(&self) -> bool {
        self.is_in_row
    }

    /// Whether the file ends within quotes, given its last bytes: there a line end does not end the row.
    pub(super) fn is_open(&mut self, last: &[u8]) -> bool {
        line_ends(last) < last.len() && self.next(b"\n").is_none()
    }
}

/// Parses a file from its beginning, where a byte order mark is not part of a field.
pub(crate) fn csv_reader<R: Read>(bytes: R, delimiter: u8) -> csv::Reader<R> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(bytes)
}

/// Parses a file from a later row on, where a byte order mark is an ordinary character. Positions include the
/// [`BLANK_LINE`].
pub(crate) fn row_reader(rows: &[u8], delimiter: u8) -> csv::Reader<impl Read> {
    csv_reader(BLANK_LINE.chain(rows), delimiter)
}

/// Whether a header consists of a byte order mark and line ends only.
pub(crate) fn is_blank(header: &[u8]) -> bool {
    let header = header.strip_prefix(BYTE_ORDER_MARK).unwrap_or(header);
    line_ends(header) == header.len()
}

/// Number of carriage returns and line feeds at the beginning.
pub(super) fn line_ends(bytes: &[u8]) -> usize {
    blank::prefix(bytes, |byte| matches!(byte, b'\r' | b'\n'))
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

//! Separator and quotation marks by which a table of text is cut into fields.
//!
//! CSV has quotes (RFC 4180). TSV has none (the media type text/tab-separated-values), yet programs that write CSV
//! write TSV with the same quotes, so its files tell by [`quotes_of`] which of both they are.

use crate::base::details::Action;
use crate::base::{BYTE_ORDER_MARK, Compression, Error, Result};
use serde::{Deserialize, Serialize};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// The mark that encloses fields.
pub(crate) const QUOTE: u8 = b'"';
const BUFFER_BYTES: usize = 1 << 18;

/// Meaning of quotation marks in a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quotes {
    /// Marks that enclose fields, in which separators and line ends are text and two of them stand for one (RFC 4180).
    #[default]
    Double,
    /// Characters like all others: a field ends at the next separator or line end.
    None,
}

/// Separator and quotes of a table of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// The separator of fields.
    pub delimiter: u8,
    /// Meaning of quotation marks.
    pub quotes: Quotes,
}

impl Dialect {
    /// The separator with quotes, as in CSV.
    pub fn quoted(delimiter: u8) -> Self {
        Self { delimiter, quotes: Quotes::Double }
    }

    /// Returns whether quotation marks enclose fields.
    pub(crate) fn has_quotes(self) -> bool {
        self.quotes == Quotes::Double
    }

    /// A parser of rows that may have any number of fields; a header is one of them.
    pub(crate) fn reader_builder(self) -> csv::ReaderBuilder {
        let mut builder = csv::ReaderBuilder::new();
        builder.has_headers(false).flexible(true).delimiter(self.delimiter).quoting(self.has_quotes());
        builder
    }

    /// The automaton that finds row ends.
    pub(crate) fn automaton(self) -> csv_core::Reader {
        csv_core::ReaderBuilder::new().delimiter(self.delimiter).quoting(self.has_quotes()).build()
    }
}

/// Meaning of the marks of a file of tab-separated values, as the file shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuotesFound {
    Known(Quotes),
    /// Lines that may be a row with a field of several lines, or a row each.
    Unclear {
        first_line: u64,
        last_line: u64,
    },
}

/// Finds the meaning of quotation marks in a file of tab-separated values, which the whole file shows.
///
/// ```text
/// no field begins with a mark                                        characters
/// one that does, does not end with one right before a tab or line
/// end, or another field holds one                                    characters
/// a row that holds tabs or line ends in quotes has not as many
/// fields as the header                                               characters
/// a row of several lines, of which one but the first has as many
/// tabs as a row, or more                                             unclear, but for the two lines below
///     every name of the header stands in quotes                      quotes
///     all fields of the row that are not empty do, two at least      quotes
/// else                                                               quotes
/// ```
///
/// So no line that may be a row is ever taken for a part of another one. What is written here keeps to it
/// ([`is_clear_row`]).
///
/// # Errors
/// [`Error::Io`] if the file cannot be opened or read.
pub(crate) fn quotes_of(path: &Path, compression: Compression) -> Result<QuotesFound> {
    // Most files have no such mark, which is seen far faster than that all of them pair up.
    let has_any = any_block(path, compression, |block| memchr::memchr(QUOTE, block).is_some())?;
    let mut pairing = Pairing::default();
    let is_refuted = !has_any || any_block(path, compression, |block| !block.iter().all(|&byte| pairing.takes(byte)))?;
    Ok(if is_refuted { QuotesFound::Known(Quotes::None) } else { pairing.finish() })
}

/// Returns whether a row of a file of tab-separated values with so many columns, in which fields stand in quotes, can
/// be read again without a flag.
pub(crate) fn is_clear_row(row: &[u8], columns: usize) -> bool {
    let mut pairing = Pairing { columns: Some(columns), ..Pairing::default() };
    row.iter().all(|&byte| pairing.takes(byte)) && pairing.takes(b'\n') && pairing.unclear.is_none()
}

/// Returns whether `is_selected` is true of a block of a file; later ones are not read. Corrupt compression ends the
/// file.
fn any_block(path: &Path, compression: Compression, mut is_selected: impl FnMut(&[u8]) -> bool) -> Result<bool> {
    let mut reader = compression.open(path)?;
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(false),
            Ok(read) if is_selected(&buffer[..read]) => return Ok(true),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Readers report it with its position.
            Err(error) if compression != Compression::None && error.raw_os_error().is_none() => return Ok(false),
            Err(source) => return Err(Error::io(Action::Read, path, source)),
        }
    }
}

/// The rows of a file so far, read with quotes and, line by line, without.
#[derive(Debug)]
struct Pairing {
    state: FieldState,
    /// True if some field began with a quotation mark.
    has_quotes: bool,
    /// Number of fields of the header, read with quotes.
    columns: Option<usize>,
    /// True if all names of the header stand in quotes.
    has_quoted_header: bool,
    /// Number of the present line, from 1.
    line: u64,
    /// True if the last byte was a carriage return, so that a line feed belongs to it.
    is_after_return: bool,
    row: PendingRow,
    /// First and last line of the first row that may be several.
    unclear: Option<(u64, u64)>,
}

impl Default for Pairing {
    fn default() -> Self {
        Self {
            state: FieldState::Start,
            has_quotes: false,
            columns: None,
            has_quoted_header: false,
            line: 1,
            is_after_return: false,
            row: PendingRow::default(),
            unclear: None,
        }
    }
}

/// A row that has begun.
#[derive(Debug, Default)]
struct PendingRow {
    /// Number of its first line; 0 before its first byte.
    first_line: u64,
    /// Number of separators outside of quotes.
    separators: usize,
    /// Number of fields in quotes.
    quoted: usize,
    /// True if a field that is not empty stands without quotes.
    has_plain: bool,
    /// True if a tab or a line end stands inside of quotes.
    spans: bool,
    /// Number of all tabs of the present line.
    tabs: usize,
    /// True if the present line has begun.
    has_content: bool,
    /// Number of lines that have ended.
    lines: u64,
    /// True if one behind the first has as many fields as the header, read without quotes, or more, as a row with a tab
    /// too many.
    has_whole_row: bool,
    /// Bytes of a byte order mark that it begins with.
    mark: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum FieldState {
    /// Beginning of a field.
    #[default]
    Start,
    Plain,
    Quoted,
    /// After a quotation mark inside quotes: the end of them, or the first of two that stand for one.
    AfterQuote,
}

impl Pairing {
    /// Takes the next byte; whether all marks pair up so far.
    fn takes(&mut self, byte: u8) -> bool {
        let is_line_end = matches!(byte, b'\r' | b'\n');
        if self.state == FieldState::Quoted && (is_line_end || byte == b'\t') {
            self.row.spans = true;
        }
        if self.row.first_line == 0 && !is_line_end {
            self.row.first_line = self.line;
        }
        let last_line = self.line;
        if is_line_end {
            self.end_line(byte);
        } else {
            self.row.tabs += usize::from(byte == b'\t');
            self.row.has_content = true;
        }
        self.is_after_return = byte == b'\r';
        match (self.state, byte) {
            (FieldState::Quoted, QUOTE) => self.state = FieldState::AfterQuote,
            (FieldState::Quoted, _) => {}
            (_, b'\t') => {
                self.row.separators += 1;
                self.state = FieldState::Start;
            }
            (_, b'\r' | b'\n') => return self.end_row(last_line),
            (FieldState::Start, QUOTE) => {
                self.has_quotes = true;
                self.row.quoted += 1;
                self.state = FieldState::Quoted;
            }
            (FieldState::AfterQuote, QUOTE) => self.state = FieldState::Quoted,
            (FieldState::AfterQuote, _) | (FieldState::Plain, QUOTE) => return false,
            // A byte order mark at the beginning of a row is no part of its first field.
            (FieldState::Start, byte)
                if self.row.separators == 0 && BYTE_ORDER_MARK.get(self.row.mark) == Some(&byte) =>
            {
                self.row.mark += 1;
            }
            (FieldState::Start | FieldState::Plain, _) => {
                self.row.has_plain = true;
                self.state = FieldState::Plain;
            }
        }
        true
    }

    /// Ends a line of the present row, as it is read without quotes. Empty ones are none.
    fn end_line(&mut self, byte: u8) {
        self.line += u64::from(byte == b'\r' || !self.is_after_return);
        if self.row.has_content {
            let is_whole = self.columns.is_some_and(|columns| self.row.tabs + 1 >= columns);
            self.row.has_whole_row |= is_whole && self.row.lines > 0;
            self.row.lines += 1;
        }
        self.row.tabs = 0;
        self.row.has_content = false;
    }

    /// Ends the present row, which ends in this line; whether its quotes are such.
    fn end_row(&mut self, last_line: u64) -> bool {
        let is_blank = self.state == FieldState::Start && self.row.separators == 0;
        let row = std::mem::take(&mut self.row);
        self.state = FieldState::Start;
        if is_blank {
            return true;
        }
        let found = row.separators + 1;
        if self.columns.is_none() {
            self.has_quoted_header = row.quoted == found;
        }
        let columns = *self.columns.get_or_insert(found);
        let is_quoted = self.has_quoted_header || !row.has_plain && row.quoted > 1;
        if row.spans && row.has_whole_row && !is_quoted {
            self.unclear.get_or_insert((row.first_line, last_line));
        }
        !row.spans || found == columns
    }

    /// Returns the meaning of the marks, at the end of the file.
    fn finish(mut self) -> QuotesFound {
        let is_closed = self.takes(b'\n') && self.state == FieldState::Start;
        match self.unclear {
            _ if !is_closed || !self.has_quotes => QuotesFound::Known(Quotes::None),
            Some((first_line, last_line)) => QuotesFound::Unclear { first_line, last_line },
            None => QuotesFound::Known(Quotes::Double),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(table: &str) -> QuotesFound {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), table).unwrap();
        quotes_of(file.path(), Compression::None).unwrap()
    }

    #[test]
    fn marks_that_pair_up_in_the_whole_file_are_quotes() {
        let many = "9\tplain\n".repeat(40_000);
        for (table, expected) in [
            ("id\ttext\n1\t\"a\"\n", Quotes::Double),
            ("id\ttext\n1\t\"a \"\"b\"\"\"\n2\tc\n", Quotes::Double),
            ("id\ttext\r\n1\t\"a\r\nb\"\r\n2\tc", Quotes::Double),
            ("id\ttext\n1\t\"a\tb\"\n", Quotes::Double),
            ("id\ttext\tmore\n1\t\"a\n\nb\"\tc\n", Quotes::Double),
            ("\"id\"\t\"text\"\n\n\"1\"\t\"a\"", Quotes::Double),
            ("\u{feff}\"id\"\t\"text\"\n1\ta\n\u{feff}\"id\"\t\"text\"\n", Quotes::Double),
            ("id\ttext\n1\ta\n", Quotes::None),
            // Opened, and never closed, or closed in another row.
            ("id\ttext\n1\t\"something\n2\tother\n", Quotes::None),
            ("id\ttext\n1\t\"something\n2\tother\n3\t\"more\n", Quotes::None),
            ("id\ttext\n1\t\"a\" b\n", Quotes::None),
            ("id\ttext\n1\t\"a\"\n2\t5\" disc\n", Quotes::None),
            ("id\ttext\n1\t\"a\tb\tc\"\td\n", Quotes::None),
            ("", Quotes::None),
            (&format!("id\ttext\n1\t\"a\"\n{many}2\t\"b\n"), Quotes::None),
            (&format!("id\ttext\n{many}2\t\"b\"\n"), Quotes::Double),
            // Lines in quotes that are as long as rows, in a row or below a header that shows that there are quotes.
            ("id\ttext\n\"1\"\t\"a\nb\tc\"\n2\td\n", Quotes::Double),
            ("id\ttext\tmore\n\"1\"\t\"a\nb\t\tc\"\t\n", Quotes::Double),
            ("\"id\"\t\"text\"\n1\t\"a\nb\tc\"\n", Quotes::Double),
            ("\"text\"\n\"a\nb\"\n", Quotes::Double),
        ] {
            assert_eq!(found(table), QuotesFound::Known(expected), "{}", &table[..table.len().min(60)]);
        }
    }

    #[test]
    fn lines_that_may_be_rows_make_marks_unclear() {
        for (table, first_line, last_line) in [
            ("id\ttext\n1\t\"something\n2\tother\n3\tthe said \"\n", 2, 4),
            ("id\ttext\n1\t\"something\n2\tother\n3\tthe said\"\n", 2, 4),
            ("id\ttext\r\n\r\n1\t\"something\r\n2\tother\textra\r\n3\tsaid\"\r\n", 3, 5),
            ("text\n\"a\nb\"", 2, 3),
            ("id\ttext\n1\t\"a\n\nb\tc\td\"\n", 2, 4),
            ("id\ttext\na.txt\t\"hello\nfoo\tbar\"\nb.txt\tplain\n", 2, 3),
            ("id\ttext\n\t\"hello\nfoo\tbar\"\n", 2, 3),
        ] {
            let expected = QuotesFound::Unclear { first_line, last_line };
            assert_eq!(found(table), expected, "{table:?}");
        }
    }
}

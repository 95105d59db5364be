//! How a table of text is cut into fields: its separator, and what its quotation marks are.
//!
//! CSV has quotes (RFC 4180). TSV has none (the media type text/tab-separated-values), yet programs that write CSV
//! write TSV with the same quotes, so its files tell by [`quotes_of`] which of both they are.

use crate::ground::{BYTE_ORDER_MARK, Compression, Error, Result};
use serde::{Deserialize, Serialize};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// The mark that encloses fields.
pub(crate) const QUOTE: u8 = b'"';
const BUFFER_BYTES: usize = 1 << 18;

/// What quotation marks are in a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quotes {
    /// They enclose fields, in which separators and line ends are text and two of them stand for one (RFC 4180).
    #[default]
    Double,
    /// Characters like all others: a field ends at the next separator or line end.
    None,
}

/// How a table of text is cut into fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// The separator of fields.
    pub delimiter: u8,
    /// What quotation marks are.
    pub quotes: Quotes,
}

impl Dialect {
    /// The separator with quotes, as in CSV.
    pub fn quoted(delimiter: u8) -> Self {
        Self { delimiter, quotes: Quotes::Double }
    }

    /// Whether quotation marks enclose fields.
    pub fn has_quotes(self) -> bool {
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

/// What quotation marks are in a file of tab-separated values, which the whole file tells.
///
/// They enclose fields if some field begins with one, and wherever that is so, it ends with one right before a tab or
/// line end, and no other field holds one. A row with tabs or line ends inside such a field must have as many fields as
/// the header, and its lines, read without quotes, must not all have as many: then each of them is a row. In all other
/// cases they are characters like all others.
///
/// # Errors
/// [`Error::Io`] if the file cannot be opened or read.
pub(crate) fn quotes_of(path: &Path, compression: Compression) -> Result<Quotes> {
    // Most files have no such mark, which is seen far faster than that all of them pair up.
    let has_any = any_block(path, compression, |block| memchr::memchr(QUOTE, block).is_some())?;
    let mut pairing = Pairing::default();
    let is_refuted = !has_any || any_block(path, compression, |block| !block.iter().all(|&byte| pairing.takes(byte)))?;
    Ok(if !is_refuted && pairing.takes(b'\n') && pairing.is_closed() { Quotes::Double } else { Quotes::None })
}

/// Whether `is_wanted` is true of a block of a file; later ones are not read. Corrupt compression ends the file.
fn any_block(path: &Path, compression: Compression, mut is_wanted: impl FnMut(&[u8]) -> bool) -> Result<bool> {
    let mut reader = compression.open(path)?;
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(false),
            Ok(read) if is_wanted(&buffer[..read]) => return Ok(true),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Readers report it with its position.
            Err(error) if compression != Compression::None && error.raw_os_error().is_none() => return Ok(false),
            Err(source) => return Err(Error::io("read", path, source)),
        }
    }
}

/// The rows of a file so far, read with quotes and, line by line, without.
#[derive(Debug, Default)]
struct Pairing {
    state: State,
    /// Whether some field began with a quotation mark.
    has_quotes: bool,
    /// Number of fields of the header, read with quotes.
    columns: Option<usize>,
    row: Row,
}

/// A row that has begun.
#[derive(Debug, Default)]
struct Row {
    /// Number of separators outside of quotes.
    separators: usize,
    /// Whether a tab or a line end stands inside of quotes.
    spans: bool,
    /// Number of all tabs of the present line.
    tabs: usize,
    /// Whether the present line has begun.
    has_content: bool,
    /// Whether all lines before it have as many fields as the header.
    lines_fit: bool,
    /// Bytes of a byte order mark that it begins with.
    mark: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// At the beginning of a field.
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
        let is_quoted = self.state == State::Quoted;
        if is_quoted && (is_line_end || byte == b'\t') {
            self.row.spans = true;
        }
        if is_line_end {
            self.end_line();
        } else {
            self.row.tabs += usize::from(byte == b'\t');
            self.row.has_content = true;
        }
        match (self.state, byte) {
            (State::Quoted, QUOTE) => self.state = State::AfterQuote,
            (State::Quoted, _) => {}
            (_, b'\t') => {
                self.row.separators += 1;
                self.state = State::Start;
            }
            (_, b'\r' | b'\n') => return self.end_row(),
            (State::Start, QUOTE) => {
                self.has_quotes = true;
                self.state = State::Quoted;
            }
            (State::AfterQuote, QUOTE) => self.state = State::Quoted,
            (State::AfterQuote, _) | (State::Plain, QUOTE) => return false,
            // A byte order mark at the beginning of a row is no part of its first field.
            (State::Start, byte) if self.row.separators == 0 && BYTE_ORDER_MARK.get(self.row.mark) == Some(&byte) => {
                self.row.mark += 1;
            }
            (State::Start | State::Plain, _) => self.state = State::Plain,
        }
        true
    }

    /// Ends a line of the present row, as it is read without quotes. Empty ones are none.
    fn end_line(&mut self) {
        let fits = !self.row.has_content || self.columns.is_some_and(|columns| self.row.tabs + 1 == columns);
        self.row.lines_fit &= fits;
        (self.row.tabs, self.row.has_content) = (0, false);
    }

    /// Ends the present row; whether its quotes are such.
    fn end_row(&mut self) -> bool {
        let is_blank = self.state == State::Start && self.row.separators == 0;
        let Row { separators, spans, lines_fit, .. } = std::mem::take(&mut self.row);
        (self.row.lines_fit, self.state) = (true, State::Start);
        if is_blank {
            return true;
        }
        let found = separators + 1;
        let columns = *self.columns.get_or_insert(found);
        !spans || found == columns && !lines_fit
    }

    /// Whether the marks of the rows that have ended enclose fields.
    fn is_closed(&self) -> bool {
        self.has_quotes && self.state == State::Start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_pair_up_in_the_whole_file_are_quotes() {
        let many = "9\tplain\n".repeat(40_000);
        for (table, expected) in [
            ("id\ttext\n1\t\"a\"\n", Quotes::Double),
            ("id\ttext\n1\t\"a \"\"b\"\"\"\n2\tc\n", Quotes::Double),
            ("id\ttext\r\n1\t\"a\r\nb\"\r\n2\tc", Quotes::Double),
            ("id\ttext\n1\t\"a\tb\"\n", Quotes::Double),
            ("\"id\"\t\"text\"\n\n\"1\"\t\"a\"", Quotes::Double),
            ("\u{feff}\"id\"\t\"text\"\n1\ta\n\u{feff}\"id\"\t\"text\"\n", Quotes::Double),
            ("id\ttext\n1\ta\n", Quotes::None),
            // Opened, and never closed, or closed in another row.
            ("id\ttext\n1\t\"something\n2\tother\n", Quotes::None),
            ("id\ttext\n1\t\"something\n2\tother\n3\t\"more\n", Quotes::None),
            ("id\ttext\n1\t\"something\n2\tother\n3\the said \"\n", Quotes::None),
            ("id\ttext\n1\t\"a\" b\n", Quotes::None),
            ("id\ttext\n1\t\"a\"\n2\t5\" disc\n", Quotes::None),
            ("text\n\"a\nb\"\n", Quotes::None),
            ("id\ttext\n1\t\"a\tb\tc\"\td\n", Quotes::None),
            ("", Quotes::None),
            (&format!("id\ttext\n1\t\"a\"\n{many}2\t\"b\n"), Quotes::None),
            (&format!("id\ttext\n{many}2\t\"b\"\n"), Quotes::Double),
        ] {
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), table).unwrap();
            let found = quotes_of(file.path(), Compression::None).unwrap();
            assert_eq!(found, expected, "{}", &table[..table.len().min(60)]);
        }
    }
}

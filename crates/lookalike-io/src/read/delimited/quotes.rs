//! Places and quotes of fields, which the parser does not tell.

use crate::formats::{Dialect, QUOTE};
use memchr::{memchr, memchr3};
use std::ops::Range;

/// Returns whether the field of a row in this column, from 0, is in quotes.
pub(crate) fn is_quoted(row: &[u8], column: usize, dialect: Dialect) -> bool {
    dialect.has_quotes() && cell_place(row, column, dialect).is_some_and(|place| row[place].starts_with(&[QUOTE]))
}

/// Place of the field of a row in this column, from 0, with its quotation marks; `None` if the row has fewer.
pub(crate) fn cell_place(row: &[u8], column: usize, dialect: Dialect) -> Option<Range<usize>> {
    Cells::new(row, dialect).nth(column).map(|cell| cell.place)
}

/// The first column, from 0, of a row in which text stands behind the closing quote of a field.
pub(super) fn text_behind_quote(row: &[u8], dialect: Dialect) -> Option<usize> {
    if !dialect.has_quotes() || memchr(QUOTE, row).is_none() {
        return None;
    }
    Cells::new(row, dialect).position(|cell| cell.has_text_behind)
}

/// A field as it stands in its row.
struct CellPlace {
    /// Place with its quotation marks.
    place: Range<usize>,
    /// True if text stands behind its closing quote.
    has_text_behind: bool,
}

/// The fields of a row.
struct Cells<'a> {
    row: &'a [u8],
    dialect: Dialect,
    /// Beginning of the next one; `None` behind the last one.
    start: Option<usize>,
}

impl<'a> Cells<'a> {
    fn new(row: &'a [u8], dialect: Dialect) -> Self {
        Self { row, dialect, start: Some(0) }
    }

    /// The end of the quoted part of a field that begins here, behind its closing quote.
    fn end_of_quotes(&self, start: usize) -> usize {
        let mut at = start + 1;
        while let Some(found) = memchr(QUOTE, &self.row[at..]) {
            at += found + 1;
            if self.row.get(at) != Some(&QUOTE) {
                return at;
            }
            at += 1;
        }
        self.row.len()
    }
}

impl Iterator for Cells<'_> {
    type Item = CellPlace;

    fn next(&mut self) -> Option<CellPlace> {
        let start = self.start?;
        let is_quoted = self.dialect.has_quotes() && self.row[start..].starts_with(&[QUOTE]);
        let behind = if is_quoted { self.end_of_quotes(start) } else { start };
        let end = memchr3(self.dialect.delimiter, b'\r', b'\n', &self.row[behind..]).map(|at| behind + at);
        let is_last = end.is_none_or(|end| self.row[end] != self.dialect.delimiter);
        self.start = end.filter(|_| !is_last).map(|end| end + 1);
        let end = end.unwrap_or(self.row.len());
        Some(CellPlace { place: start..end, has_text_behind: is_quoted && end > behind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Quotes;

    #[test]
    fn quotes_count_at_the_beginning_of_their_field_only() {
        for (row, expected) in [
            ("\"\",,x\n", [true, false, false]),
            (",\"\",\"\"", [false, true, true]),
            ("\"a\"\",\"\"b\",\"\"\r\n", [true, true, false]),
            ("a\",\"x\"y,\"", [false, true, true]),
            ("\"a\nb,\",c,\"", [true, false, true]),
            ("", [false, false, false]),
        ] {
            let found = [0, 1, 2].map(|column| is_quoted(row.as_bytes(), column, Dialect::quoted(b',')));
            assert_eq!(found, expected, "{row}");
            let without = Dialect { delimiter: b',', quotes: Quotes::None };
            assert!([0, 1, 2].iter().all(|&column| !is_quoted(row.as_bytes(), column, without)), "{row}");
        }
    }

    #[test]
    fn text_behind_a_closing_quote_is_found() {
        for (row, expected) in [
            ("a,\"b\"\n", None),
            ("a,\"b\"\"c\"\r\n", None),
            ("a,\"b\"c,d\n", Some(1)),
            ("\"a\" ,b\n", Some(0)),
            ("a,\"b\nc\"d\n", Some(1)),
            ("5\" disc,\"b\"", None),
            ("a,\"b\"\"", None),
        ] {
            assert_eq!(text_behind_quote(row.as_bytes(), Dialect::quoted(b',')), expected, "{row}");
        }
    }
}

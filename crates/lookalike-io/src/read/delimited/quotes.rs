//! Places and quotes of fields, which the parser does not tell.

use std::ops::Range;

/// Whether the field of a row in this column, from 0, begins with a quotation mark. An empty field in quotes is an
/// empty string, one without is no value.
pub(crate) fn is_quoted(row: &[u8], column: usize, delimiter: u8) -> bool {
    cell_place(row, column, delimiter).is_some_and(|place| row[place].starts_with(b"\""))
}

/// Where the field of a row in this column, from 0, stands, with its quotation marks; `None` if it has fewer.
pub(crate) fn cell_place(row: &[u8], column: usize, delimiter: u8) -> Option<Range<usize>> {
    let (mut field, mut state, mut start) = (0, State::Start, 0);
    for (at, &byte) in row.iter().enumerate() {
        let is_quoted = matches!(state, State::Quoted);
        let ends_field = !is_quoted && (byte == delimiter || matches!(byte, b'\r' | b'\n'));
        if ends_field && field == column {
            return Some(start..at);
        }
        if ends_field && byte != delimiter {
            return None;
        }
        state = match (state, byte) {
            (State::Start | State::AfterQuote, b'"') => State::Quoted,
            (State::Quoted, b'"') => State::AfterQuote,
            (State::Quoted, _) => State::Quoted,
            (State::Start | State::Plain | State::AfterQuote, _) => State::Plain,
        };
        if ends_field {
            (field, state, start) = (field + 1, State::Start, at + 1);
        }
    }
    (field == column).then_some(start..row.len())
}

#[derive(Clone, Copy)]
enum State {
    /// At the beginning of a field.
    Start,
    Plain,
    Quoted,
    /// After a quotation mark inside quotes: the end of them, or the first of two that stand for one.
    AfterQuote,
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!([0, 1, 2].map(|column| is_quoted(row.as_bytes(), column, b',')), expected, "{row}");
        }
    }
}

//! Quotes of fields, which the parser does not tell.

/// Whether the field of a row in this column, from 0, begins with a quotation mark. An empty field in quotes is an
/// empty string, one without is no value.
pub(crate) fn is_quoted(row: &[u8], column: usize, delimiter: u8) -> bool {
    let (mut field, mut state) = (0, State::Start);
    for &byte in row {
        state = match (state, byte) {
            (State::Start, b'"') if field == column => return true,
            (State::Start, b'"') | (State::AfterQuote, b'"') => State::Quoted,
            (State::Quoted, b'"') => State::AfterQuote,
            (State::Quoted, _) => State::Quoted,
            (_, byte) if byte == delimiter => {
                field += 1;
                State::Start
            }
            (State::Start | State::Plain | State::AfterQuote, _) => State::Plain,
        };
        if field > column {
            break;
        }
    }
    false
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

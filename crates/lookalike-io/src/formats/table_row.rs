//! Rows of tables of text, as they are written.
//!
//! A field stands in quotes if it needs them. Where readers of tab-separated values could take the lines of a field for
//! rows ([`is_clear_row`]), all fields of the row do, which shows that it is one; where that is not enough, as in
//! tables of one column, the row is refused.

use super::dialect::{QUOTE, is_clear_row};

/// A row that readers of tab-separated values could take for several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{UNCLEAR_ROW}, which tab-separated values cannot hold; CSV and JSON Lines can")]
pub(crate) struct UnclearRow;

/// Fault of such a row in messages.
pub(crate) const UNCLEAR_ROW: &str = "a text whose lines could be rows";

/// Choice of the fields that stand in quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoting {
    /// Fields that need quotes.
    Needed,
    /// Fields that are not empty.
    All,
}

/// Appends a row of these fields with a line feed at its end.
///
/// # Errors
/// [`UnclearRow`], and nothing is appended.
pub(crate) fn push_row<F: AsRef<[u8]>>(fields: &[F], delimiter: u8, out: &mut Vec<u8>) -> Result<(), UnclearRow> {
    let begin = out.len();
    push_fields(fields, delimiter, Quoting::Needed, out);
    let has_lines = |field: &F| memchr::memchr2(b'\r', b'\n', field.as_ref()).is_some();
    if delimiter != b'\t' || !fields.iter().any(has_lines) || is_clear_row(&out[begin..], fields.len()) {
        return Ok(());
    }
    out.truncate(begin);
    push_fields(fields, delimiter, Quoting::All, out);
    if is_clear_row(&out[begin..], fields.len()) {
        return Ok(());
    }
    out.truncate(begin);
    Err(UnclearRow)
}

fn push_fields<F: AsRef<[u8]>>(fields: &[F], delimiter: u8, quoting: Quoting, out: &mut Vec<u8>) {
    for (number, field) in fields.iter().map(AsRef::as_ref).enumerate() {
        if number > 0 {
            out.push(delimiter);
        }
        let needs_quotes = memchr::memchr3(delimiter, QUOTE, b'\n', field).is_some() || field.contains(&b'\r');
        // An empty field alone in its row would be an empty line.
        let is_blank = field.is_empty() && fields.len() == 1;
        if !needs_quotes && !is_blank && (quoting == Quoting::Needed || field.is_empty()) {
            out.extend_from_slice(field);
            continue;
        }
        out.push(QUOTE);
        for part in field.split_inclusive(|&byte| byte == QUOTE) {
            out.extend_from_slice(part);
            if part.ends_with(&[QUOTE]) {
                out.push(QUOTE);
            }
        }
        out.push(QUOTE);
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Compression;
    use crate::formats::dialect::{Quotes, QuotesFound, quotes_of};
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    fn row(fields: &[&str], delimiter: u8) -> Option<String> {
        let mut out = Vec::new();
        push_row(fields, delimiter, &mut out).ok()?;
        Some(String::from_utf8(out).unwrap())
    }

    #[test]
    fn fields_stand_in_quotes_where_a_reader_needs_them() {
        assert_eq!(row(&["a,\"b\"", "", "c d"], b',').unwrap(), "\"a,\"\"b\"\"\",,c d\n");
        assert_eq!(row(&["a,b", "c\td"], b'\t').unwrap(), "a,b\t\"c\td\"\n");
        assert_eq!(row(&[""], b',').unwrap(), "\"\"\n");
        assert_eq!(row(&["1", "a\nb"], b'\t').unwrap(), "1\t\"a\nb\"\n");
        assert_eq!(row(&["1", "a\nb\tc"], b'\t').unwrap(), "\"1\"\t\"a\nb\tc\"\n");
        assert_eq!(row(&["1", "", "a\nb\t\tc"], b'\t').unwrap(), "\"1\"\t\t\"a\nb\t\tc\"\n");
        assert_eq!(row(&["1", "a\nb,c"], b',').unwrap(), "1,\"a\nb,c\"\n");
        assert_eq!(row(&["a\nb"], b'\t'), None);
        assert_eq!(row(&["", "a\nb\tc"], b'\t'), None);
    }

    proptest! {
        #[test]
        fn tables_of_tabs_come_back_or_are_refused(
            columns in 1usize..4,
            cells in proptest::collection::vec("[a\"\t\n\r ]{0,8}", 0..20),
        ) {
            let rows: Vec<&[String]> = cells.chunks_exact(columns).collect();
            let header: Vec<String> = (0..columns).map(|column| format!("c{column}")).collect();
            let mut table = Vec::new();
            push_row(&header, b'\t', &mut table).unwrap();
            let is_written = rows.iter().all(|row| push_row(row, b'\t', &mut table).is_ok());
            let is_simple = |row: &[String]| !row.iter().any(|cell| cell.contains(['\n', '\r']));
            prop_assert!(is_written || !rows.iter().all(|row| is_simple(row)));
            if is_written {
                let file = tempfile::NamedTempFile::new().unwrap();
                std::fs::write(file.path(), &table).unwrap();
                let QuotesFound::Known(quotes) = quotes_of(file.path(), Compression::None).unwrap() else {
                    panic!("unclear: {:?}", String::from_utf8_lossy(&table))
                };
                let mut reader = csv::ReaderBuilder::new();
                reader.delimiter(b'\t').quoting(quotes == Quotes::Double).flexible(true);
                let found: Vec<Vec<String>> = reader
                    .from_reader(&table[..])
                    .records()
                    .map(|row| row.unwrap().iter().map(str::to_owned).collect())
                    .collect();
                prop_assert_eq!(found, rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>());
            }
        }

        #[test]
        fn no_line_is_lost_in_silence_where_marks_are_characters(
            columns in 2usize..4,
            lines in proptest::collection::vec("[a ]{1,2}(\t[a\" ]{0,4}){0,3}", 0..12),
        ) {
            let header = (0..columns).map(|column| format!("c{column}")).collect::<Vec<_>>().join("\t");
            let table = format!("{header}\n{}\n", lines.join("\n"));
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), &table).unwrap();
            if quotes_of(file.path(), Compression::None).unwrap() == QuotesFound::Known(Quotes::Double) {
                let mut reader = csv::ReaderBuilder::new();
                let rows = reader.delimiter(b'\t').flexible(true).from_reader(table.as_bytes()).records().count();
                let whole = lines.iter().filter(|line| line.matches('\t').count() + 1 == columns).count();
                prop_assert!(rows >= whole, "{:?}", table);
            }
        }
    }
}

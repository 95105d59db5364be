//! Fields of tables of text, written beside fields that stay.

use crate::formats::{Dialect, QUOTE, UnclearRow, is_clear_row, push_row};
use crate::read::row_reader;
use std::borrow::Cow;

/// A table without quotes has no field that holds its separator or a line end.
#[derive(Debug)]
pub(super) struct NoQuotes;

/// A field in quotes.
pub(super) fn quoted_cell(text: &str) -> Cow<'_, str> {
    Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
}

/// A field, in quotes only if it needs them.
///
/// # Errors
/// [`NoQuotes`] if it needs them, and the table has none.
pub(super) fn plain_cell(text: &str, dialect: Dialect) -> Result<Cow<'_, str>, NoQuotes> {
    let has = |byte: u8| text.as_bytes().contains(&byte);
    let needs_quotes = has(dialect.delimiter) || has(b'\r') || has(b'\n');
    match needs_quotes || has(QUOTE) {
        true if dialect.has_quotes() => Ok(quoted_cell(text)),
        _ if needs_quotes => Err(NoQuotes),
        _ => Ok(Cow::Borrowed(text)),
    }
}

/// Writes the row that begins at `begin` of `out` anew, with all its fields in quotes, if readers of tab-separated
/// values could take its lines for rows. Its line end stays.
///
/// # Errors
/// [`UnclearRow`] if that does not help; the row stays as it is.
pub(super) fn make_clear(out: &mut Vec<u8>, begin: usize, dialect: Dialect) -> Result<(), UnclearRow> {
    let row = &out[begin..];
    let ends = row.iter().rev().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let (content, line_end) = row.split_at(row.len() - ends);
    let spans = dialect.has_quotes() && memchr::memchr2(b'\r', b'\n', content).is_some();
    if !spans || dialect.delimiter != b'\t' {
        return Ok(());
    }
    let mut fields = csv::ByteRecord::new();
    // Reading from memory cannot fail.
    let _ = row_reader(content, dialect).read_byte_record(&mut fields);
    if is_clear_row(content, fields.len()) {
        return Ok(());
    }
    let fields: Vec<&[u8]> = fields.iter().collect();
    let mut clear = Vec::with_capacity(row.len());
    push_row(&fields, dialect.delimiter, &mut clear)?;
    clear.pop();
    clear.extend_from_slice(line_end);
    out.truncate(begin);
    out.extend_from_slice(&clear);
    Ok(())
}

//! Fields of tables of text, written beside fields that stay.

use crate::formats::{Dialect, QUOTE};
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

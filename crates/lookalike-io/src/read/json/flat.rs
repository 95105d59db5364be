//! The usual record, read without the parser: an object of strings, numbers and literals, whose names have no escapes.
//!
//! ```text
//! { "id" : "k7" , "text" : "..." , "n" : 1 }
//!   name   value, up to the quotation mark, comma or brace that ends it
//! ```
//!
//! The parser would scan a text once more, to skip it, before it is copied; that was a twentieth of a job. All that is
//! not so plain is left to the parser: nested values, escapes outside the text, whatever is wrong and has to be
//! described. What is read here is what the parser would read; a property test compares the two.

use super::fields::{FieldRoles, RawFields};
use super::text;
use super::value::{JsonValue, ValueSeed};
use crate::sources::FieldNames;
use memchr::memchr2;
use serde::de::DeserializeSeed;
use std::borrow::Cow;

/// The selected fields of a record.
///
/// # Errors
/// The record is not so plain; with its text, if that was met and is a string.
pub(super) fn read<'a>(line: &'a str, names: &FieldNames) -> Result<RawFields<'a>, Option<Cow<'a, str>>> {
    let mut scanner = Scanner { rest: line };
    let mut raw = RawFields::default();
    match scanner.fields(names, &mut raw) {
        Some(()) => Ok(raw),
        None => Err(match raw.text {
            Some(JsonValue::Text(text)) if raw.twice.is_none() => Some(text),
            _ => None,
        }),
    }
}

/// Rest of a line.
struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    /// Reads the object and the end of the line; `None` if it is not so plain.
    fn fields(&mut self, names: &FieldNames, raw: &mut RawFields<'a>) -> Option<()> {
        self.take('{')?;
        loop {
            self.take('"')?;
            let roles = FieldRoles::new(self.plain_string()?, names);
            self.take(':')?;
            let value = self.value(roles)?;
            raw.put(roles, value, names);
            if self.take(',').is_none() {
                self.take('}')?;
                return self.rest.trim_start_matches(BLANKS).is_empty().then_some(());
            }
        }
    }

    fn value(&mut self, roles: FieldRoles<'a>) -> Option<JsonValue<'a>> {
        if self.take('"').is_some() {
            return Some(JsonValue::Text(if roles.text { self.text()? } else { Cow::Borrowed(self.plain_string()?) }));
        }
        let end = self.rest.find([',', '}']).filter(|_| !self.rest.starts_with(['[', '{']))?;
        let (word, rest) = self.rest.split_at(end);
        let mut deserializer = sonic_rs::Deserializer::from_str(word);
        let value = ValueSeed { is_selected: false }.deserialize(&mut deserializer).ok()?;
        deserializer.end().ok()?;
        self.rest = rest;
        Some(value)
    }

    /// Reads the character `expected` after blanks, and the blanks after it; those after a quotation mark belong to
    /// the string.
    fn take(&mut self, expected: char) -> Option<()> {
        self.rest = self.rest.trim_start_matches(BLANKS).strip_prefix(expected)?;
        if expected != '"' {
            self.rest = self.rest.trim_start_matches(BLANKS);
        }
        Some(())
    }

    /// The string whose opening quotation mark was taken, if it has no escapes.
    fn plain_string(&mut self) -> Option<&'a str> {
        let end = memchr2(b'"', b'\\', self.rest.as_bytes())?;
        let (string, rest) = self.rest.split_at(end);
        self.rest = rest.strip_prefix('"')?;
        is_printed(string).then_some(string)
    }

    /// The string whose opening quotation mark was taken, with its escapes resolved.
    fn text(&mut self) -> Option<Cow<'a, str>> {
        let (text, end) = text::unescape_to_end(self.rest)?;
        let (spelled, rest) = self.rest.split_at(end);
        self.rest = rest.strip_prefix('"')?;
        is_printed(spelled).then_some(text)
    }
}

/// Blanks between the parts of a record (RFC 8259, section 2).
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// Returns whether a string has no control characters as they are (RFC 8259, section 7). Without an early end, which
/// makes it fast.
fn is_printed(string: &str) -> bool {
    !string.bytes().fold(false, |found, byte| found | (byte < b' '))
}

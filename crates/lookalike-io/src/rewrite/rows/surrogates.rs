//! Surrogate escapes of JSON, replaced by their characters.
//!
//! The decoder of arrow-json (60.1) joins the halves of a surrogate pair with `|` where `+` is meant, so that
//! characters of the planes 2, 4, ..., 16 become those of another plane. It is given records without such escapes.
//! Records that have none, nearly all, are passed on as they are.

use memchr::{memchr, memchr_iter};
use std::borrow::Cow;

/// Length of a pair of escapes: `\ud842\udfb7`.
const PAIR_BYTES: usize = 12;

/// The record with each pair of surrogate escapes, in values and in names, replaced by its character.
///
/// # Errors
/// A surrogate without its other half.
pub(super) fn without_surrogate_escapes(record: &[u8]) -> Result<Cow<'_, [u8]>, serde_json::Error> {
    if !memchr_iter(b'\\', record).any(|at| is_surrogate(&record[at..])) {
        return Ok(Cow::Borrowed(record));
    }
    let mut replaced = Vec::with_capacity(record.len());
    let mut rest = record;
    // In JSON a backslash is part of a string and begins an escape.
    while let Some(at) = memchr(b'\\', rest) {
        let (before, escape) = rest.split_at(at);
        replaced.extend_from_slice(before);
        let length = if is_surrogate(escape) {
            let pair = escape.get(..PAIR_BYTES).unwrap_or(escape);
            let character: String = serde_json::from_slice(&[b"\"", pair, b"\""].concat())?;
            replaced.extend_from_slice(character.as_bytes());
            pair.len()
        } else {
            let length = escape.len().min(2);
            replaced.extend_from_slice(&escape[..length]);
            length
        };
        rest = &escape[length..];
    }
    replaced.extend_from_slice(rest);
    Ok(Cow::Owned(replaced))
}

/// Returns whether an escape is of U+D800 to U+DFFF.
fn is_surrogate(escape: &[u8]) -> bool {
    matches!(escape, [b'\\', b'u', b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_become_their_characters_and_all_else_stays() {
        for (record, expected) in [
            (r#"{"a":"\ud842\udfb7"}"#, "{\"a\":\"\u{20bb7}\"}"),
            (r#"{"\uDBFF\uDFFD\u00e9":["\ud83d\ude00\n"]}"#, "{\"\u{10fffd}\\u00e9\":[\"\u{1f600}\\n\"]}"),
            (r#"{"a":"\\ud842\udb40\uDC61\\"}"#, "{\"a\":\"\\\\ud842\u{e0061}\\\\\"}"),
            (r#"{"a":"\\ud842\\udfb7"}"#, r#"{"a":"\\ud842\\udfb7"}"#),
            (r#"{"a":"\u00e9\u4e00"}"#, r#"{"a":"\u00e9\u4e00"}"#),
        ] {
            let found = without_surrogate_escapes(record.as_bytes()).unwrap();
            assert_eq!(std::str::from_utf8(&found).unwrap(), expected);
        }
    }

    #[test]
    fn half_a_pair_is_refused() {
        for record in [r#"{"a":"\ud842"}"#, r#"{"a":"\udfb7\ud842"}"#, r#"{"a":"\ud842\u0041 "}"#, r#""\ud8"#] {
            assert!(without_surrogate_escapes(record.as_bytes()).is_err(), "{record}");
        }
    }
}

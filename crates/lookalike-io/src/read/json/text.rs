//! Texts of JSON records, with their escapes resolved.
//!
//! The parser resolves escapes in a buffer that it allocates for each record and that grows from eight bytes on. For
//! long texts that was a tenth of the run time, and more with several threads, which contend for the allocator whenever
//! a buffer grows. So the parser only checks a text and skips it; here it is copied once, from the line into memory of
//! sufficient size.

use lookalike_core::kernel::Kernel;
use memchr::{memchr, memchr2};
use std::borrow::Cow;

/// The part of `line` after the opening quotation mark of the value whose key is `key`, a slice of the line; `None` if
/// the value is not a string.
pub(super) fn string_after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let end = key.as_bytes().as_ptr_range().end.addr().checked_sub(line.as_ptr().addr())?;
    let blanks = [' ', '\t', '\n', '\r'];
    let value = line.get(end..)?.strip_prefix('"')?.trim_start_matches(blanks).strip_prefix(':')?;
    value.trim_start_matches(blanks).strip_prefix('"')
}

/// The content of a string, given the bytes after its opening quotation mark. `None` if it has no end or a malformed
/// escape.
pub(super) fn unescape(rest: &str) -> Option<Cow<'_, str>> {
    unescape_to_end(rest).map(|(text, _)| text)
}

/// The content of a string and the offset of the closing quotation mark, given the bytes after the opening one.
pub(super) fn unescape_to_end(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let mut special = memchr2(b'"', b'\\', rest.as_bytes())?;
    if rest[special..].starts_with('"') {
        return Some((Cow::Borrowed(&rest[..special]), special));
    }
    // The first quotation mark is usually the end.
    let quote = memchr(b'"', rest.as_bytes())?;
    let max_bytes = if rest[..quote].ends_with('\\') { rest.len() } else { quote };
    let mut text = String::with_capacity(max_bytes);
    let kernel = Kernel::detect();
    text.push_str(&rest[..special]);
    loop {
        special = kernel.unescape(rest, special, &mut text);
        let Some(escape) = rest[special..].strip_prefix('\\') else {
            return rest[special..].starts_with('"').then_some((Cow::Owned(text), special));
        };
        // All other escapes are resolved.
        let (character, length) = resolve_unicode(escape.strip_prefix('u')?)?;
        text.push(character);
        special += 1 + length;
    }
}

/// The character of the digits after `u`, one UTF-16 unit or a surrogate pair, and the length of the escape after the
/// backslash (RFC 8259, section 7).
fn resolve_unicode(digits: &str) -> Option<(char, usize)> {
    let first = unit(digits)?;
    if !(0xD800..0xDC00).contains(&first) {
        return Some((char::from_u32(first)?, 5));
    }
    let second = unit(digits[4..].strip_prefix("\\u")?)?;
    if !(0xDC00..0xE000).contains(&second) {
        return None;
    }
    let character = char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00))?;
    Some((character, 11))
}

/// The UTF-16 unit of four hexadecimal digits.
fn unit(digits: &str) -> Option<u32> {
    let digits = digits.as_bytes().get(..4)?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    #[test]
    fn values_are_found_after_their_keys() {
        let line = r#"{"a" : "x", "b":1, "c":"y"}"#;
        assert_eq!(string_after(line, &line[2..3]), Some(r#"x", "b":1, "c":"y"}"#));
        assert_eq!(string_after(line, &line[13..14]), None);
        assert_eq!(string_after(line, &line[20..21]), Some(r#"y"}"#));
        // Not a part of the line.
        assert_eq!(string_after(line, "a"), None);
    }

    #[test]
    fn wrong_escapes_and_open_strings_are_refused() {
        let wrong =
            [r#"\x""#, r#"\u12g4""#, r#"\u+123""#, r#"\ud800""#, r#"\ud800\n""#, r#"\udc00""#, r#"\ud800\ud800""#];
        let open = ["", "x", "\\", "\\u12", "\\ud800\\u", "é\\"];
        for rest in wrong.into_iter().chain(open) {
            assert_eq!(unescape(rest), None, "{rest}");
        }
    }

    /// Characters, escapes right and wrong, halves of surrogate pairs, and perhaps the end.
    const ANY_REST: &str = r#"([a-zé"\\ ]|\\["\\/bfnrtu]|\\u[dD][8-9a-fA-F][0-9a-f]{2}|\\u00[0-9a-f]{2}){0,20}"?"#;

    proptest! {
        #[test]
        fn strings_are_those_of_serde_json(rest in ANY_REST) {
            let quoted = format!("\"{rest}");
            let mut strings = serde_json::Deserializer::from_str(&quoted).into_iter::<String>();
            // Bytes after the string are ignored.
            let expected = strings.next().and_then(Result::ok);
            prop_assert_eq!(unescape(&rest).map(Cow::into_owned), expected);
        }

        #[test]
        fn texts_come_back_from_any_spelling(text in "\\PC{0,30}", from in 0usize..30) {
            let spell = |(at, character): (usize, char)| {
                if at < from && !"\"\\".contains(character) {
                    return character.to_string();
                }
                let mut units = [0; 2];
                character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect()
            };
            let spelled: String = text.chars().enumerate().map(spell).collect();
            let rest = format!("{spelled}\", 1");
            prop_assert_eq!(unescape(&rest), Some(Cow::Borrowed(&text[..])));
            prop_assert!(spelled.contains('\\') || matches!(unescape(&rest), Some(Cow::Borrowed(_))));
        }
    }
}

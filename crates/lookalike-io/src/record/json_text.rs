//! Texts of JSON records, with their escapes resolved.
//!
//! The parser resolves them in a buffer that it makes anew for each record, and that grows from eight bytes on. With long texts that
//! was a tenth of all work, and more with several threads, which meet in the allocator whenever a buffer grows. So the parser only
//! checks a text and passes over it; here it is copied once, from where it stands, into memory that is large enough.

use memchr::{memchr, memchr2};
use std::borrow::Cow;

/// What stands in `line` behind the quotation mark of the string whose key is `key`, a part of the line; `None` if the value is no
/// string.
pub(super) fn string_behind<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let end = key.as_bytes().as_ptr_range().end.addr().checked_sub(line.as_ptr().addr())?;
    let blanks = [' ', '\t', '\n', '\r'];
    let behind = line.get(end..)?.strip_prefix('"')?.trim_start_matches(blanks).strip_prefix(':')?;
    behind.trim_start_matches(blanks).strip_prefix('"')
}

/// The content of a string, given all that stands behind its opening quotation mark. `None` if it has no end or a wrong escape.
pub(super) fn unescape(behind: &str) -> Option<Cow<'_, str>> {
    let mut special = memchr2(b'"', b'\\', behind.as_bytes())?;
    if behind[special..].starts_with('"') {
        return Some(Cow::Borrowed(&behind[..special]));
    }
    // Most often the first quotation mark is the end.
    let quote = memchr(b'"', behind.as_bytes())?;
    let most_bytes = if behind[..quote].ends_with('\\') { behind.len() } else { quote };
    let (mut text, mut at) = (String::with_capacity(most_bytes), 0);
    loop {
        text.push_str(&behind[at..special]);
        let Some(escape) = behind[special..].strip_prefix('\\') else { return Some(Cow::Owned(text)) };
        let (character, length) = resolve(escape)?;
        text.push(character);
        at = special + 1 + length;
        special = next_special(behind.as_bytes(), at)?;
    }
}

type Word = [u8; 8];
/// Words that are looked at one by one before the search for the next special byte gets going.
const NEAR_WORDS: usize = 8;

/// Where the next quotation mark or backslash is, from `at` on: near most often.
fn next_special(bytes: &[u8], mut at: usize) -> Option<usize> {
    for _ in 0..NEAR_WORDS {
        let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<{ size_of::<Word>() }>()) else { break };
        let plain = plain_bytes(*word);
        at += plain;
        if plain < word.len() {
            return Some(at);
        }
    }
    memchr2(b'"', b'\\', bytes.get(at..)?).map(|plain| at + plain)
}

/// Number of bytes before the first quotation mark or backslash, all at once: subtracting 1 from each byte of a word borrows from
/// the upper bit of those that are zero (and perhaps of bytes above them, which does not matter).
fn plain_bytes(word: Word) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const UPPER_BITS: u64 = u64::from_le_bytes([0x80; 8]);
    let word = u64::from_le_bytes(word);
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & UPPER_BITS;
    let equal_to = |byte: u8| zeros(word ^ u64::from_le_bytes([byte; 8]));
    (equal_to(b'"') | equal_to(b'\\')).trailing_zeros() as usize / 8
}

/// The character that an escape stands for, and how many bytes it has behind the backslash (RFC 8259, section 7).
fn resolve(escape: &str) -> Option<(char, usize)> {
    let character = match escape.as_bytes().first()? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return resolve_unicode(&escape[1..]),
        _ => return None,
    };
    Some((character, 1))
}

/// The same for `u` and four digits, or two of these where UTF-16 takes two units.
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

/// Four hexadecimal digits.
fn unit(digits: &str) -> Option<u32> {
    let digits = digits.as_bytes().get(..4)?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    #[test]
    fn values_are_found_behind_their_keys() {
        let line = r#"{"a" : "x", "b":1, "c":"y"}"#;
        assert_eq!(string_behind(line, &line[2..3]), Some(r#"x", "b":1, "c":"y"}"#));
        assert_eq!(string_behind(line, &line[13..14]), None);
        assert_eq!(string_behind(line, &line[20..21]), Some(r#"y"}"#));
        // Not a part of the line.
        assert_eq!(string_behind(line, "a"), None);
    }

    #[test]
    fn wrong_escapes_and_open_strings_are_refused() {
        let wrong =
            [r#"\x""#, r#"\u12g4""#, r#"\u+123""#, r#"\ud800""#, r#"\ud800\n""#, r#"\udc00""#, r#"\ud800\ud800""#];
        let open = ["", "x", "\\", "\\u12", "\\ud800\\u", "é\\"];
        for behind in wrong.into_iter().chain(open) {
            assert_eq!(unescape(behind), None, "{behind}");
        }
    }

    proptest! {
        #[test]
        fn strings_are_what_serde_json_says(behind in r#"([a-zé"\\ ]|\\["\\/bfnrtu]|\\u[dD][8-9a-fA-F][0-9a-f]{2}|\\u00[0-9a-f]{2}){0,20}"?"#) {
            let quoted = format!("\"{behind}");
            let mut strings = serde_json::Deserializer::from_str(&quoted).into_iter::<String>();
            // What comes behind the string is no matter of ours.
            let expected = strings.next().and_then(Result::ok);
            prop_assert_eq!(unescape(&behind).map(Cow::into_owned), expected);
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
            let behind = format!("{spelled}\", 1");
            prop_assert_eq!(unescape(&behind), Some(Cow::Borrowed(&text[..])));
            prop_assert!(spelled.contains('\\') || matches!(unescape(&behind), Some(Cow::Borrowed(_))));
        }
    }
}

//! Numbers in a record of JSON, and those that no double can hold, as `1e400`: JSON has them (RFC 8259, section 6), and
//! the parser refuses them wherever they stand.

use memchr::memchr2;
use std::iter;
use std::ops::Range;

/// Numbers of no more digits are doubles without an exponent.
const MAX_DIGITS: usize = 300;

/// The record with such numbers replaced by small ones of the same length, so that all else keeps its place; `None` if
/// it has none.
pub(super) fn without_large(line: &str) -> Option<String> {
    let mut small = line.as_bytes().to_vec();
    let mut is_changed = false;
    for number in numbers(line.as_bytes()) {
        let digits = line.get(number.clone())?;
        if is_too_large(digits) {
            is_changed = true;
            small[number].copy_from_slice(&reduced(digits));
        }
    }
    is_changed.then(|| String::from_utf8(small).ok()).flatten()
}

/// The number with an exponent of zero; one of hundreds of digits becomes a fraction.
fn reduced(digits: &str) -> Vec<u8> {
    let mut small = digits.as_bytes().to_vec();
    let exponent = digits.find(['e', 'E']).unwrap_or(small.len());
    small[exponent..].iter_mut().filter(|byte| byte.is_ascii_digit()).for_each(|byte| *byte = b'0');
    if small[..exponent].len() > MAX_DIGITS {
        let sign = usize::from(digits.starts_with('-'));
        small[sign..exponent].fill(b'0');
        small[sign + 1] = b'.';
    }
    small
}

/// Returns whether a number is beyond the range of doubles.
fn is_too_large(digits: &str) -> bool {
    digits.parse().is_ok_and(f64::is_infinite)
}

/// The places of the numbers of a JSON text, outside of strings.
pub(crate) fn numbers(json: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    iter::from_fn(move || {
        let begin = next_number(json, at)?;
        let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
        at = json[begin..].iter().position(|byte| !is_part(byte)).map_or(json.len(), |length| begin + length);
        Some(begin..at)
    })
}

/// The beginning of the next number.
fn next_number(json: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match json.get(at)? {
            b'"' => at = string_end(json, at + 1)?,
            b'-' | b'0'..=b'9' => return Some(at),
            _ => at += 1,
        }
    }
}

/// The offset behind the string whose content begins at `at`.
fn string_end(json: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr2(b'"', b'\\', json.get(at..)?)?;
        if json[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_beyond_doubles_are_replaced() {
        assert_eq!(
            without_large(r#"{"a":1e400,"b":"1e400 \"2e999\"","c":[-2.5E+308,7,3e-999]}"#).unwrap(),
            r#"{"a":1e000,"b":"1e400 \"2e999\"","c":[-2.5E+000,7,3e-999]}"#
        );
        let long = format!("[-{}]", "9".repeat(400));
        let small = without_large(&long).unwrap();
        assert!(small.len() == long.len() && serde_json::from_str::<Vec<f64>>(&small).unwrap()[0] == 0.0);
        for line in [r#"{"a":1e30}"#, r#"{"a":"1e400"}"#, "{}", "", r#"{"a":1e-400}"#] {
            assert_eq!(without_large(line), None, "{line}");
        }
    }
}

//! Numbers of JSON that no double can hold, as `1e400`. JSON has them (RFC 8259, section 6), and the parser refuses
//! them wherever they stand. Only records that it refuses come here.

use std::ops::Range;

/// Numbers of no more digits are doubles without an exponent.
const MAX_DIGITS: usize = 300;

/// The record with such numbers replaced by small ones of the same length, so that all else keeps its place; `None` if
/// it has none.
pub(super) fn without(line: &str) -> Option<String> {
    let mut small = line.as_bytes().to_vec();
    let mut is_changed = false;
    for number in numbers(line) {
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

/// Whether a number is beyond the range of doubles.
fn is_too_large(digits: &str) -> bool {
    digits.parse().is_ok_and(f64::is_infinite)
}

/// The places of what may be a number: digits and signs outside of strings.
fn numbers(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    let mut is_string = false;
    let mut is_escaped = false;
    for (at, byte) in line.bytes().chain([b' ']).enumerate() {
        if is_string {
            is_string = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
            continue;
        }
        is_string = byte == b'"';
        let is_part = byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
        match (start, is_part) {
            (None, true) => start = Some(at),
            (Some(first), false) => {
                found.push(first..at);
                start = None;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_beyond_doubles_are_replaced() {
        assert_eq!(
            without(r#"{"a":1e400,"b":"1e400 \"2e999\"","c":[-2.5E+308,7,3e-999]}"#).unwrap(),
            r#"{"a":1e000,"b":"1e400 \"2e999\"","c":[-2.5E+000,7,3e-999]}"#
        );
        let long = format!("[-{}]", "9".repeat(400));
        let small = without(&long).unwrap();
        assert!(small.len() == long.len() && serde_json::from_str::<Vec<f64>>(&small).unwrap()[0] == 0.0);
        for line in [r#"{"a":1e30}"#, r#"{"a":"1e400"}"#, "{}", "", r#"{"a":1e-400}"#] {
            assert_eq!(without(line), None, "{line}");
        }
    }
}

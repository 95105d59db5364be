//! Numbers of JSON that no double is.
//!
//! `1e-400`, `1e400` and `3.14159265358979323846` are numbers of JSON, whose nearest doubles are others. Where types
//! are looked for, such a number counts as a string, so that its column has the characters as written.

use crate::base::is_printed_as;
use crate::read::numbers;
use memchr::memchr3;
use std::borrow::Cow;

/// The record with each number that no double is in quotes.
pub(super) fn with_inexact_quoted(record: &[u8]) -> Cow<'_, [u8]> {
    let mut quoted = Vec::new();
    let mut copied = 0;
    for number in numbers(record).filter(|number| !is_exact(&record[number.clone()])) {
        quoted.extend_from_slice(&record[copied..number.start]);
        quoted.push(b'"');
        quoted.extend_from_slice(&record[number.clone()]);
        quoted.push(b'"');
        copied = number.end;
    }
    if copied == 0 {
        return Cow::Borrowed(record);
    }
    quoted.extend_from_slice(&record[copied..]);
    Cow::Owned(quoted)
}

/// Returns whether the shortest decimal of the nearest double has the value of this number. Integers, which have other
/// types, are exact unless they are beyond doubles. What is no number is left to the parser.
fn is_exact(number: &[u8]) -> bool {
    let Some(text) = std::str::from_utf8(number).ok() else { return true };
    let Ok(nearest) = text.parse::<f64>() else { return true };
    if !nearest.is_finite() {
        return false;
    }
    memchr3(b'.', b'e', b'E', number).is_none() || is_printed_as(nearest, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_no_double_is_are_put_into_quotes() {
        for (record, expected) in [
            (
                r#"{"a":1e-400,"b":"1e-400 \" 2e999","c":[-2.5E+308,7,3e-999]}"#,
                r#"{"a":"1e-400","b":"1e-400 \" 2e999","c":["-2.5E+308",7,"3e-999"]}"#,
            ),
            (r#"{"a":3.14159265358979323846}"#, r#"{"a":"3.14159265358979323846"}"#),
            (
                r#"{"a":1e99999999999999999999,"b":0e99999999999999999999}"#,
                r#"{"a":"1e99999999999999999999","b":0e99999999999999999999}"#,
            ),
        ] {
            assert_eq!(std::str::from_utf8(&with_inexact_quoted(record.as_bytes())).unwrap(), expected);
        }
        let long = format!("[{}]", "9".repeat(400));
        assert_eq!(with_inexact_quoted(long.as_bytes()).len(), long.len() + 2);
    }

    #[test]
    fn other_spellings_of_a_double_are_exact() {
        for number in [
            "1.50",
            "1.5",
            "-0.0",
            "0.1",
            "1e2",
            "1E+2",
            "100.0",
            "0.000001e6",
            "5e-324",
            "1.7976931348623157e308",
            "0e7",
            "123456789012345678901234567890",
            "0.10000000149011612",
            "-12",
            "2.0E-3",
        ] {
            assert!(matches!(with_inexact_quoted(number.as_bytes()), Cow::Borrowed(_)), "{number}");
        }
        for number in ["0.10000000000000001", "9007199254740993.0", "1e400", "-1e-400", "0.30000000000000000001"] {
            assert!(matches!(with_inexact_quoted(number.as_bytes()), Cow::Owned(_)), "{number}");
        }
    }
}

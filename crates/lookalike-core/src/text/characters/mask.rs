//! Masks: parts of a text whose value does not count.

use super::classes::is_digit;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The sign for a number that is masked: a digit, so that words are cut as before.
pub(in crate::text) const MASKED: &str = "0";

/// Parts of a text of which only the place counts, not the value. Stored by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mask {
    /// Makes each run of decimal digits, of any script, is one sign; in source code each number literal is, with its
    /// fraction, exponent and suffix.
    Numbers,
}

/// A token with each of its runs of digits as one sign.
pub(in crate::text) fn without_digits(token: Cow<'_, str>) -> Cow<'_, str> {
    if !token.chars().any(is_digit) {
        return token;
    }
    let mut masked = String::with_capacity(token.len());
    let mut is_in_run = false;
    for character in token.chars() {
        match (is_digit(character), is_in_run) {
            (true, false) => masked.push_str(MASKED),
            (true, true) => {}
            (false, _) => masked.push(character),
        }
        is_in_run = is_digit(character);
    }
    Cow::Owned(masked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_digits_of_any_script_are_one_sign() {
        for (token, expected) in
            [("12.50", "0.0"), ("v17", "v0"), ("٣٤", "0"), ("x", "x"), ("", ""), ("a1b22", "a0b0"), ("½", "½")]
        {
            assert_eq!(without_digits(token.into()), expected);
        }
    }
}

//! Decimal numbers of any number of digits. They are compared and printed, nothing is computed with them: a library
//! for numbers would be more than that.

use std::cmp::Ordering;
use std::fmt;

/// Maximum number of digits of an exponent.
const MAX_EXPONENT_DIGITS: usize = 9;

/// A number in scientific notation: its digits with the point behind the first, times ten to the exponent. No digits
/// stand for zero. There is one form for each number: neither the first digit nor the last is 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    is_negative: bool,
    /// Digits in ASCII.
    digits: Box<str>,
    exponent: i64,
}

impl Decimal {
    /// The number that a text spells: digits with a sign, a point and an exponent, or without.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let exponent_digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let is_number = are_digits(whole) && are_digits(fraction) && are_digits(exponent_digits);
        if !is_number || exponent_digits.is_empty() || whole.len() + fraction.len() == 0 {
            return None;
        }
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0');
        if digits.is_empty() {
            return Some(Self { is_negative: false, digits: Box::default(), exponent: 0 });
        }
        if exponent_digits.trim_start_matches('0').len() > MAX_EXPONENT_DIGITS {
            return None;
        }
        let zeros = all.len() - digits.len();
        let exponent = exponent.parse::<i64>().ok()? + whole.len() as i64 - zeros as i64 - 1;
        Some(Self { is_negative: text.starts_with('-'), digits: digits.trim_end_matches('0').into(), exponent })
    }

    pub(super) fn from_integer(number: i128) -> Self {
        let all = number.unsigned_abs().to_string();
        let digits: Box<str> = all.trim_matches('0').into();
        let exponent = if digits.is_empty() { 0 } else { all.len() as i64 - 1 };
        Self { is_negative: number < 0, digits, exponent }
    }

    /// The shortest decimal that is read as a finite float.
    fn from_float(number: f64) -> Option<Self> {
        Self::from_text(&format!("{number:e}"))
    }

    /// The number as an integer, if it is one of at most 128 bits.
    pub(super) fn integer(&self) -> Option<i128> {
        /// Digits of the largest integer.
        const MAX_DIGITS: i64 = 39;
        if self.digits.is_empty() {
            return Some(0);
        }
        let zeros = self.exponent + 1 - self.digits.len() as i64;
        if zeros < 0 || self.exponent >= MAX_DIGITS {
            return None;
        }
        let sign = if self.is_negative { "-" } else { "" };
        format!("{sign}{}{}", self.digits, "0".repeat(zeros as usize)).parse().ok()
    }

    /// Returns whether a float stands for this number.
    pub(super) fn is_float(&self, float: f64) -> bool {
        Self::from_float(float).is_some_and(|decimal| decimal == *self)
    }

    /// Compares with a float, which is not NaN.
    pub(super) fn compare_with_float(&self, float: f64) -> Ordering {
        match Self::from_float(float) {
            Some(decimal) => self.cmp(&decimal),
            // Infinite ones have no digits.
            None if float > 0.0 => Ordering::Less,
            None => Ordering::Greater,
        }
    }

    /// Compares the absolute values.
    fn compare_size(&self, other: &Self) -> Ordering {
        let has_digits = [self, other].map(|number| !number.digits.is_empty());
        let by_zero = has_digits[0].cmp(&has_digits[1]);
        // Digits behind the same point are ordered as strings.
        by_zero.then_with(|| self.exponent.cmp(&other.exponent)).then_with(|| self.digits.cmp(&other.digits))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, false) => self.compare_size(other),
            (true, true) => other.compare_size(self),
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative { "-" } else { "" };
        let Some((first, rest)) = self.digits.split_at_checked(1) else { return formatter.write_str("0") };
        let point = if rest.is_empty() { "" } else { "." };
        write!(formatter, "{sign}{first}{point}{rest}e{}", self.exponent)
    }
}

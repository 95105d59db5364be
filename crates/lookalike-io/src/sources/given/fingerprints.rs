//! Documents that are given fingerprints instead of texts: perceptual hashes, SimHash made elsewhere.
//!
//! A text with hexadecimal digits stays as it is spelled, so that it can be told whether two are identical; all others
//! are spelled by as many digits as the width has.

use crate::base::Problem;
use lookalike_core::documents::Bits;
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt::Write;

/// Width and digits of fingerprints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprints {
    /// Number of their bits.
    pub width: u32,
    /// Digits of those in texts and tables.
    #[serde(default)]
    pub digits: Digits,
}

/// Digits that spell a fingerprint in a text. Numbers of JSON, Parquet and Arrow are numbers. Stored in lower case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Digits {
    /// Hexadecimal ones, with or without `0x`.
    #[default]
    Hex,
    /// Decimal ones; of a negative number the fingerprint is its two's complement.
    Decimal,
}

impl Digits {
    /// Default digits, which [`crate::sources::Notation`] does not store.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
    pub(crate) fn are_hexadecimal(&self) -> bool {
        *self == Self::Hex
    }
}

impl Fingerprints {
    /// The fingerprint in a text.
    pub(crate) fn of_text<'a>(self, text: Cow<'a, str>, field: &str) -> Result<Bits<'a>, Problem> {
        match self.digits {
            Digits::Hex => self.of_hexadecimal(text, field),
            Digits::Decimal => self.of_decimal(&text, field),
        }
    }

    /// The fingerprint of hexadecimal digits.
    pub(crate) fn of_hexadecimal<'a>(self, digits: Cow<'a, str>, field: &str) -> Result<Bits<'a>, Problem> {
        Bits::parse(digits, self.width).map_err(|problem| Problem::NotBits { field: field.to_owned(), problem })
    }

    /// The fingerprint of a number that is written in decimal digits.
    pub(crate) fn of_decimal(self, text: &str, field: &str) -> Result<Bits<'static>, Problem> {
        if self.width <= u64::BITS {
            let number = text.trim_ascii().parse().map_err(|_| self.no_integer(text, field))?;
            return self.of_integer(number, field);
        }
        let decimal = Some(text.trim_ascii().as_bytes()).filter(|text| text.iter().all(u8::is_ascii_digit));
        let number = decimal.and_then(|text| BigUint::parse_bytes(text, 10));
        let number = number.filter(|number| number.bits() <= u64::from(self.width));
        let digits = self.width.div_ceil(4) as usize;
        let number = number.ok_or_else(|| self.no_integer(text, field))?;
        self.of_hexadecimal(format!("{number:0digits$x}").into(), field)
    }

    /// The fingerprint of a number.
    pub(crate) fn of_integer(self, number: i128, field: &str) -> Result<Bits<'static>, Problem> {
        // Wider fingerprints have no sign: of a negative number it is not known how many ones precede it.
        let bits = self.width.min(i128::BITS - 1);
        let min = if self.width <= u64::BITS { -(1i128 << (bits - 1)) } else { 0 };
        if number < min || number >> bits > 0 {
            return Err(self.no_integer(&number.to_string(), field));
        }
        let digits = self.width.div_ceil(4) as usize;
        let mask = if bits < i128::BITS - 1 { (1i128 << bits) - 1 } else { i128::MAX };
        self.of_hexadecimal(format!("{:0digits$x}", number & mask).into(), field)
    }

    fn no_integer(self, found: &str, field: &str) -> Problem {
        let found = found.chars().take(40).collect();
        Problem::NotAnInteger { field: field.to_owned(), found, bits: self.width }
    }
}

/// The hexadecimal digits of bytes, the first byte first.
pub(crate) fn hex_of_bytes(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_width(width: u32) -> Fingerprints {
        Fingerprints { width, digits: Digits::Decimal }
    }

    #[test]
    fn integers_become_digits_of_the_width() {
        for (width, number, expected) in [
            (64, "0", "0000000000000000"),
            (64, "-1", "ffffffffffffffff"),
            (64, "-9223372036854775808", "8000000000000000"),
            (64, " 18446744073709551615 ", "ffffffffffffffff"),
            (10, "1023", "3ff"),
            (10, "-1", "3ff"),
            (130, "5", "000000000000000000000000000000005"),
            (128, "340282366920938463463374607431768211455", "ffffffffffffffffffffffffffffffff"),
            (200, "1606938044258990275541962092341162602522202993782792835301375", "f".repeat(50).as_str()),
        ] {
            assert_eq!(of_width(width).of_decimal(number, "f").unwrap().spelled(), expected, "{width} {number}");
        }
        for (width, number) in [
            (64, "18446744073709551616"),
            (64, "-9223372036854775809"),
            (10, "1024"),
            (10, "-513"),
            (65, "-1"),
            (65, "36893488147419103232"),
            (200, "1606938044258990275541962092341162602522202993782792835301376"),
            (128, "1.5"),
            (128, "1_000"),
            (128, ""),
            (64, "1.5"),
            (64, ""),
        ] {
            assert!(
                matches!(of_width(width).of_decimal(number, "f"), Err(Problem::NotAnInteger { .. })),
                "{width} {number}"
            );
        }
        assert_eq!(hex_of_bytes(&[0, 171, 255]), "00abff");
    }
}

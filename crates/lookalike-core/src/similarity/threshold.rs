//! The threshold as an exact fraction.
//!
//! A user who writes 0.8 means 8/10, and a pair with 8 common shingles of 10 belongs to the answer. The double nearest
//! to 0.8 is slightly above it, so a comparison in floating point would depend on rounding; here both sides are
//! integers.

use crate::base::{Error, Result};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Maximum number of decimals: 10^18 fits a `u64`.
const MAX_DECIMALS: usize = 18;

/// A threshold in (0, 1] with up to 18 decimals; comparisons are exact, and equality reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    numerator: u64,
    /// The smallest sufficient power of ten, so that equal thresholds have equal fields.
    denominator: u64,
}

/// ceil(size numerator / denominator): at most `size`, where the numerator is at most the denominator.
pub(crate) fn scale_up(size: usize, numerator: u64, denominator: u64) -> usize {
    (size as u128 * u128::from(numerator)).div_ceil(u128::from(denominator)) as usize
}

impl Threshold {
    /// The threshold 1, which only equal documents reach.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// The lowest threshold, which all documents reach that have anything in common.
    pub(crate) const LOWEST: Self = Self { numerator: 1, denominator: 10u64.pow(MAX_DECIMALS as u32) };

    /// Returns whether `part / whole` is at least the threshold; true for 0 / 0.
    ///
    /// ```
    /// # use lookalike_core::Threshold;
    /// let threshold: Threshold = "0.8".parse()?;
    /// assert!(threshold.is_reached_by(8, 10));
    /// assert!(!threshold.is_reached_by(79_999, 100_000));
    /// # Ok::<(), lookalike_core::Error>(())
    /// ```
    pub fn is_reached_by(self, part: usize, whole: usize) -> bool {
        part as u128 * u128::from(self.denominator) >= whole as u128 * u128::from(self.numerator)
    }

    /// Numerator and denominator; the numerator is at most the denominator, which is at most 10^18.
    pub(crate) fn fraction(self) -> (u64, u64) {
        (self.numerator, self.denominator)
    }

    /// ceil(threshold size): the minimum part of `size` elements that reaches the threshold; at most `size`.
    pub(crate) fn part_of(self, size: usize) -> usize {
        scale_up(size, self.numerator, self.denominator)
    }

    /// The highest threshold with 15 decimals that a part of a whole reaches, and the next smaller part does not; the
    /// part is not 0, and the whole below 10^15.
    pub(crate) fn of_part(part: usize, whole: usize) -> Self {
        const UNITS: u64 = 10u64.pow(15);
        let numerator = part as u128 * u128::from(UNITS) / (whole as u128).max(1);
        Self { numerator: (numerator as u64).clamp(1, UNITS), denominator: UNITS }
    }

    /// Returns whether it is at least another.
    pub(crate) fn is_at_least(self, other: Self) -> bool {
        let [mine, theirs] =
            [(self, other), (other, self)].map(|(a, b)| u128::from(a.numerator) * u128::from(b.denominator));
        mine >= theirs
    }

    /// A threshold slightly below a similarity, which such a similarity reaches however it was rounded; at least this
    /// one.
    pub(crate) fn raised_to(self, similarity: f64) -> Self {
        const UNITS: u64 = 10u64.pow(15);
        const SLACK: u64 = 8;
        let numerator = ((similarity.clamp(0.0, 1.0) * UNITS as f64) as u64).saturating_sub(SLACK).max(1);
        let raised = Self { numerator, denominator: UNITS };
        if raised.is_at_least(self) { raised } else { self }
    }

    /// The nearest double, for formulas that need no exact comparison.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl Default for Threshold {
    /// The threshold 0.8.
    fn default() -> Self {
        Self { numerator: 8, denominator: 10 }
    }
}

impl FromStr for Threshold {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let error = || Error::Threshold { found: text.to_owned() };
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() && decimals.is_empty()
            || !digits(whole)
            || !digits(decimals)
            || decimals.len() > MAX_DECIMALS
        {
            return Err(error());
        }
        let decimals = decimals.trim_end_matches('0');
        let denominator = 10u64.pow(decimals.len() as u32);
        let numerator = format!("0{whole}{decimals}").parse().map_err(|_| error())?;
        if numerator == 0 || numerator > denominator {
            return Err(error());
        }
        Ok(Self { numerator, denominator })
    }
}

impl TryFrom<f64> for Threshold {
    type Error = Error;

    /// The threshold with the shortest decimals that parse as `value`: 0.8 is 8/10.
    fn try_from(value: f64) -> Result<Self> {
        value.to_string().parse()
    }
}

impl fmt::Display for Threshold {
    /// Prints all decimals, without trailing zeros.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator.ilog10() as usize {
            0 => write!(formatter, "{}", self.numerator),
            decimals => write!(formatter, "0.{:0decimals$}", self.numerator),
        }
    }
}

impl Serialize for Threshold {
    /// Serializes as a number, or as a string if the nearest double has other decimals.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.as_f64() {
            number if Self::try_from(number).as_ref() == Ok(self) => serializer.serialize_f64(number),
            _ => serializer.collect_str(self),
        }
    }
}

/// The two stored forms of a threshold.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredThreshold {
    Number(f64),
    Text(String),
}

impl<'de> Deserialize<'de> for Threshold {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let threshold = match StoredThreshold::deserialize(deserializer)? {
            StoredThreshold::Number(number) => Self::try_from(number),
            StoredThreshold::Text(text) => text.parse(),
        };
        threshold.map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_taken_as_written() {
        for text in ["0.8", ".8", "0.80", "00.8"] {
            let threshold: Threshold = text.parse().unwrap();
            assert!(threshold.is_reached_by(4, 5), "{text}");
            assert!(!threshold.is_reached_by(799_999_999, 1_000_000_000), "{text}");
            assert_eq!(threshold, Threshold::default(), "{text}");
        }
        assert_eq!(Threshold::try_from(0.8).unwrap(), Threshold::default());
        assert!("1".parse::<Threshold>().unwrap().is_reached_by(3, 3));
    }

    #[test]
    fn values_outside_the_range_are_refused() {
        let wrong = "0 0.0 1.01 2 -0.5 . nan 0.8x 1e-3 0.1234567890123456789 99999999999999999999";
        for text in wrong.split(' ').chain([""]) {
            assert!(matches!(text.parse::<Threshold>(), Err(Error::Threshold { found }) if found == text), "{text}");
        }
        assert!(Threshold::try_from(f64::NAN).is_err());
    }

    #[test]
    fn every_decimal_survives_printing_and_storing() {
        for text in ["0.8", "1", "0.05", "0.123456789012345678", "0.800000000000000001", "0.000000000000000001"] {
            let threshold: Threshold = text.parse().unwrap();
            assert_eq!(threshold.to_string(), text);
            let stored = serde_json::to_string(&threshold).unwrap();
            assert_eq!(serde_json::from_str::<Threshold>(&stored).unwrap(), threshold, "{stored}");
        }
    }
}

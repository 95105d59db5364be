//! The similarity threshold as an exact fraction.
//!
//! A user who writes 0.8 means 8/10, and a pair with 8 common shingles of 10 belongs to the answer. The double nearest to
//! 0.8 is a little above it, so comparing in floating point would depend on luck; here both sides are integers.

use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

const MAX_DECIMALS: usize = 18;

/// A similarity in (0, 1], exact to 18 decimals; compared without rounding, and inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    numerator: u64,
    denominator: u64,
}

impl Threshold {
    /// Whether `common / union` reaches the threshold.
    ///
    /// ```
    /// # use lookalike_core::Threshold;
    /// let threshold: Threshold = "0.8".parse()?;
    /// assert!(threshold.reached_by(8, 10));
    /// assert!(!threshold.reached_by(79_999, 100_000));
    /// # Ok::<(), lookalike_core::Error>(())
    /// ```
    pub fn reached_by(self, common: usize, union: usize) -> bool {
        common as u128 * u128::from(self.denominator) >= union as u128 * u128::from(self.numerator)
    }

    /// The least number of common elements with which sets of `left` and `right` elements reach the threshold:
    /// J >= t is the same as common >= (left + right) t / (1 + t).
    pub fn required_overlap(self, left: usize, right: usize) -> usize {
        self.scale_up(left + right, self.numerator + self.denominator)
    }

    /// Whether sets of `total` elements together can reach the threshold with `common` common ones: the same as
    /// `common >= required_overlap`, without a division.
    pub fn allows_overlap(self, common: usize, total: usize) -> bool {
        common as u128 * u128::from(self.numerator + self.denominator) >= total as u128 * u128::from(self.numerator)
    }

    /// The size below which a set cannot reach the threshold with one of `size` elements: ceil(t size).
    pub fn least_partner(self, size: usize) -> usize {
        self.scale_up(size, self.denominator)
    }

    /// Elements of a set of `size` among which a partner must share one, under any fixed order of the elements:
    /// size - ceil(t size) + 1 (prefix filter: Bayardo, Ma, Srikant 2007; Xiao et al. 2008).
    pub fn prefix_length(self, size: usize) -> usize {
        if size == 0 { 0 } else { size - self.least_partner(size) + 1 }
    }

    fn scale_up(self, size: usize, denominator: u64) -> usize {
        // At most `size`, since the numerator is at most the denominator.
        (size as u128 * u128::from(self.numerator)).div_ceil(u128::from(denominator)) as usize
    }

    /// The nearest double, for formulas and printing.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl Default for Threshold {
    /// 0.8
    fn default() -> Self {
        Self { numerator: 8, denominator: 10 }
    }
}

impl FromStr for Threshold {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let error = || Error::Threshold { found: text.to_owned() };
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() && decimals.is_empty()
            || !digits(whole)
            || !digits(decimals)
            || decimals.len() > MAX_DECIMALS
        {
            return Err(error());
        }
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

    /// The shortest decimal that prints as `value`: 0.8 is 8/10.
    fn try_from(value: f64) -> Result<Self> {
        value.to_string().parse()
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_f64().fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    #[test]
    fn decimals_are_taken_as_written() {
        for text in ["0.8", ".8", "0.80", "00.8"] {
            let threshold: Threshold = text.parse().unwrap();
            assert!(threshold.reached_by(4, 5), "{text}");
            assert!(!threshold.reached_by(799_999_999, 1_000_000_000), "{text}");
        }
        assert_eq!(Threshold::try_from(0.8).unwrap(), Threshold::default());
        assert!("1".parse::<Threshold>().unwrap().reached_by(3, 3));
    }

    #[test]
    fn values_outside_the_range_are_refused() {
        for text in [
            "0",
            "0.0",
            "1.01",
            "2",
            "-0.5",
            "",
            ".",
            "nan",
            "0.8x",
            "1e-3",
            "0.1234567890123456789",
            "99999999999999999999",
        ] {
            assert!(matches!(text.parse::<Threshold>(), Err(Error::Threshold { found }) if found == text), "{text}");
        }
        assert!(Threshold::try_from(f64::NAN).is_err());
    }

    proptest! {
        #[test]
        fn bounds_are_the_least_that_reach(percent in 1u32..=100, left in 1usize..200, right in 1usize..200) {
            let threshold: Threshold = (f64::from(percent) / 100.0).try_into().unwrap();
            let least = (0..=left + right).find(|&common| threshold.reached_by(common, left + right - common)).unwrap();
            prop_assert_eq!(threshold.required_overlap(left, right), least);
            prop_assert!(threshold.allows_overlap(least, left + right));
            prop_assert!(least == 0 || !threshold.allows_overlap(least - 1, left + right));
            let partner = threshold.least_partner(left);
            prop_assert!(threshold.reached_by(partner, left));
            prop_assert!(partner == 0 || !threshold.reached_by(partner - 1, left));
            prop_assert!((1..=left).contains(&threshold.prefix_length(left)));
        }
    }
}

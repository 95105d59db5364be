//! The maximum distance of vectors.

use crate::ground::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A distance above 0 and finite. Stored as a number.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Distance(f64);

// No distance is NaN.
impl Eq for Distance {}

impl Distance {
    /// The distance that all vectors are within.
    pub(crate) const LARGEST: Self = Self(f64::MAX);

    /// This distance, or a smaller one that two vectors are apart.
    pub(crate) fn lowered_to(self, apart: f64) -> Self {
        // Of 0, which is no distance, the smallest number is close enough: what is found is compared again.
        let apart = if apart <= 0.0 { f64::MIN_POSITIVE } else { apart };
        Self::try_from(apart).ok().filter(|&closer| closer < self).unwrap_or(self)
    }

    /// The number.
    pub fn as_f64(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Distance {
    type Error = Error;

    fn try_from(found: f64) -> Result<Self> {
        if found > 0.0 && found.is_finite() {
            Ok(Self(found))
        } else {
            Err(Error::VectorDistance { found: found.to_string() })
        }
    }
}

impl From<Distance> for f64 {
    fn from(distance: Distance) -> Self {
        distance.0
    }
}

impl FromStr for Distance {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = || Error::VectorDistance { found: text.to_owned() };
        text.parse::<f64>().map_err(|_| found()).and_then(|distance| Self::try_from(distance).map_err(|_| found()))
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_above_zero_and_finite() {
        for text in ["0.5", "12", "1e-3"] {
            let distance: Distance = text.parse().unwrap();
            let json = serde_json::to_string(&distance).unwrap();
            assert_eq!(serde_json::from_str::<Distance>(&json).unwrap(), distance);
        }
        for text in ["0", "-1", "NaN", "inf", "1e999", "", "far"] {
            let error = text.parse::<Distance>().unwrap_err();
            assert_eq!(error, Error::VectorDistance { found: text.to_owned() });
        }
        assert!(serde_json::from_str::<Distance>("-1").is_err());
    }
}

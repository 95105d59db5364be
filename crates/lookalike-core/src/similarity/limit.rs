//! Figure that a measure counts, and the limit from which on documents are near-duplicates.

use super::Threshold;
use crate::base::{Error, Result, counted};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Figure that a measure counts of a pair: the name of a column in rows, and how its values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// A similarity above 0 and at most 1: `similarity`.
    Similarity,
    /// The larger share of one document that is in the other, as `similarity`, and both shares.
    Containment,
    /// The number of common elements: `common`.
    Common,
    /// The number of bits in which fingerprints differ: `distance`.
    Distance {
        /// Width of the fingerprints.
        width: u32,
    },
    /// The distance of vectors: `euclidean_distance`, or that of another metric.
    VectorDistance(Metric),
    /// The share in which signatures agree: `estimated_similarity`, with the interval of what it estimates.
    EstimatedSimilarity,
}

impl Figure {
    /// The similarity of a document to itself, as the measure counts it inside the program; `None` where it depends on
    /// the document.
    pub fn similarity_to_itself(self) -> Option<f64> {
        match self {
            Self::Similarity | Self::Containment | Self::Distance { .. } | Self::EstimatedSimilarity => Some(1.0),
            Self::VectorDistance(_) => Some(0.0),
            Self::Common => None,
        }
    }
}

/// The metric of a distance of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// The root of the sum of squared differences.
    Euclidean,
    /// The sum of differences.
    Manhattan,
}

/// The minimum, or maximum, with which two documents are near-duplicates, in the figure of the measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// Minimum similarity (>=).
    Similarity(Threshold),
    /// Minimum number of common elements (>=).
    Common(usize),
    /// Maximum number of differing bits (<=).
    Distance(u32),
    /// Maximum distance of vectors (<=), by the metric of the measure.
    Within(Distance),
}

impl Limit {
    /// The number.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Similarity(threshold) => threshold.as_f64(),
            Self::Common(common) => common as f64,
            Self::Distance(bits) => bits.into(),
            Self::Within(distance) => distance.as_f64(),
        }
    }

    /// The minimum similarity; `None` for another limit.
    pub fn threshold(self) -> Option<Threshold> {
        if let Self::Similarity(threshold) = self { Some(threshold) } else { None }
    }

    /// The minimum number of common elements.
    pub fn min_common(self) -> Option<usize> {
        if let Self::Common(common) = self { Some(common) } else { None }
    }

    /// The maximum number of differing bits.
    pub fn max_bits(self) -> Option<u32> {
        if let Self::Distance(bits) = self { Some(bits) } else { None }
    }

    /// The maximum distance of vectors.
    pub fn max_distance(self) -> Option<Distance> {
        if let Self::Within(distance) = self { Some(distance) } else { None }
    }

    /// Returns whether all pairs within this limit are within `other`, which is one of the same measure.
    pub(crate) fn is_within(self, other: Self) -> bool {
        match (self, other) {
            (Self::Similarity(mine), Self::Similarity(other)) => mine.is_at_least(other),
            (Self::Common(mine), Self::Common(other)) => mine >= other,
            (Self::Distance(mine), Self::Distance(other)) => mine <= other,
            (Self::Within(mine), Self::Within(other)) => mine <= other,
            (Self::Similarity(_) | Self::Common(_) | Self::Distance(_) | Self::Within(_), _) => false,
        }
    }

    /// Returns whether more pairs are within this limit than within `other`, which is one of the same measure.
    pub fn is_looser_than(self, other: Self) -> bool {
        !self.is_within(other)
    }
}

/// Forms of limits, by what they bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitForm {
    /// A minimum similarity.
    Threshold,
    /// A minimum number of common elements.
    MinCommon,
    /// A maximum number of differing bits.
    Bits,
    /// A maximum distance of vectors.
    Distance,
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // No similarity is above.
            Self::Similarity(threshold) if threshold.as_f64() >= 1.0 => formatter.write_str("at 1"),
            Self::Similarity(threshold) => write!(formatter, "at {threshold} or above"),
            Self::Common(common) => write!(formatter, "with {} or more", counted(*common as u64, "common element")),
            Self::Within(distance) => write!(formatter, "within a distance of {distance}"),
            Self::Distance(0) => formatter.write_str("with equal bits"),
            Self::Distance(distance) => write!(formatter, "within {}", counted((*distance).into(), "bit")),
        }
    }
}

/// Choice whether texts of zero bytes are duplicates. Stored in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EmptyPolicy {
    /// A text of zero bytes has no duplicates.
    #[default]
    Keep,
    /// Makes all texts of zero bytes duplicates of each other.
    Duplicate,
}

/// A distance above 0 and finite. Stored as a number.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Distance(f64);

// No distance is NaN.
impl Eq for Distance {}

impl Distance {
    /// The distance that all vectors are within.
    pub(crate) const LARGEST: Self = Self(f64::MAX);

    /// Returns this distance, or a smaller one that two vectors are apart.
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

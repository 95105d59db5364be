//! Containment estimated from fingerprints, and how sure that is.

use super::Selection;
use crate::keys::plan::binomial_interval;

/// What the fingerprints of two documents say about the share of one that is in the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FingerprintEstimate {
    /// Number of fingerprints of the contained document.
    pub fingerprints: u64,
    /// Those of them that are fingerprints of the other document.
    pub common: u64,
    /// Their share; `None` without fingerprints.
    pub estimated_containment: Option<f64>,
    /// The interval of the containment with a confidence of 95 % (Clopper, Pearson 1934; from 10,000 fingerprints on
    /// Wilson 1927). `None` for winnowing, whose fingerprints are no random sample of the elements.
    pub interval: Option<(f64, f64)>,
}

/// Confidence of the interval.
const CONFIDENCE: f64 = 0.95;

impl FingerprintEstimate {
    /// The estimate for a document that shares `common` of its `fingerprints` with another one.
    pub fn of(selection: Selection, common: u64, fingerprints: u64) -> Self {
        let interval = match selection {
            Selection::Mod(_) => Some(binomial_interval(common, fingerprints, CONFIDENCE)),
            Selection::Winnow(_) => None,
        };
        let estimated_containment = (fingerprints > 0).then(|| common as f64 / fingerprints as f64);
        Self { fingerprints, common, estimated_containment, interval }
    }
}

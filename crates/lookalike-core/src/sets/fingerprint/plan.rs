//! The parameters of the fingerprint method, and how many fingerprints suffice for its recall.
//!
//! Elements whose hash is 0 mod P are a random sample of the elements of a document, and the same elements are selected
//! in every document. So of n fingerprints of A, of which a share c is in B, B has X ~ Binomial(n, c), or rather less
//! varied, because they are drawn without replacement. A pair is worth verifying if the upper end of the interval for c
//! (Clopper, Pearson 1934), one-sided at the requested recall, reaches the threshold t:
//!
//! ```text
//! P(Binomial(n, t) <= X) > 1 - recall        X >= x(n), the greatest x with P(Binomial(n, t) < x) <= 1 - recall
//! ```
//!
//! With that, a pair at the threshold is found with the probability `recall` or a higher one. If x(n) is 0, no count
//! can refuse a pair, because documents without a common fingerprint may reach the threshold: then there are too few
//! fingerprints, and the document is looked up by all its elements.

use super::Selection;
use crate::base::{Result, check_probability};
use crate::keys::plan::binomial_interval;
use crate::similarity::Threshold;
use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, Normal};

/// Parameters of the fingerprint method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Selection of elements.
    pub select: Selection,
    /// Minimum probability, in (0, 1), of finding a pair whose containment is the threshold. Winnowing has its
    /// guarantee in place of it.
    pub recall: f64,
    /// Seed of the sample on which the recall is measured.
    pub seed: u64,
}

impl Default for Fingerprint {
    fn default() -> Self {
        Self { select: Selection::default(), recall: 0.99, seed: 1 }
    }
}

impl Fingerprint {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`crate::Error::NotAProbability`] for a recall outside (0, 1).
    pub(crate) fn check(&self) -> Result<()> {
        check_probability("recall", self.recall)
    }
}

/// Numbers of fingerprints for which the minimum is exact; beyond, the normal distribution agrees to a few.
const EXACT: usize = 10_000;

/// Minimum number of fingerprints of a contained document that its container has.
#[derive(Debug, Clone)]
pub struct FingerprintPlan {
    /// The minimum number of common ones, by number of fingerprints; empty if one suffices.
    min_common: Vec<u32>,
    threshold: f64,
    /// Quantile of the normal distribution for the recall.
    deviations: f64,
}

impl FingerprintPlan {
    /// A plan for a threshold and a recall in (0, 1).
    pub fn new(selection: Selection, threshold: Threshold, recall: f64) -> Self {
        let threshold = threshold.as_f64();
        let deviations = Normal::standard().inverse_cdf(recall);
        let min_common = match selection {
            Selection::Mod(_) => minima(threshold, 1.0 - recall),
            Selection::Winnow(_) => Vec::new(),
        };
        Self { min_common, threshold, deviations }
    }

    /// The minimum number of common fingerprints, given how many the contained document has. 0 if no number of them
    /// tells: then there are too few fingerprints for the recall.
    pub fn min_common(&self, fingerprints: usize) -> usize {
        if self.min_common.is_empty() {
            return fingerprints.min(1);
        }
        if let Some(&min) = self.min_common.get(fingerprints) {
            return min as usize;
        }
        let n = fingerprints as f64;
        let t = self.threshold;
        // One less than the quantile: rounding must not cost recall.
        (n * t - self.deviations * (n * t * (1.0 - t)).sqrt() - 1.0).floor().max(1.0) as usize
    }

    /// The number of the rarest fingerprints of which every document with enough common ones has one (prefix filter:
    /// Bayardo, Ma, Srikant 2007); `None` if there are too few fingerprints for the recall.
    pub fn prefix_length(&self, fingerprints: usize) -> Option<usize> {
        let min = self.min_common(fingerprints);
        (min > 0).then(|| fingerprints - min + 1)
    }

    /// The least number of fingerprints with which a document is not looked up by all its elements.
    pub fn min_fingerprints(&self) -> usize {
        (0..).find(|&fingerprints| self.min_common(fingerprints) > 0).unwrap_or(0)
    }

    /// The minimum probability of finding a pair whose contained document has `fingerprints` fingerprints, and the
    /// share `containment` of its elements in the container.
    pub fn probability(&self, fingerprints: usize, containment: f64) -> f64 {
        probability_of_common(self.min_common(fingerprints) as u64, fingerprints as u64, containment)
    }
}

/// The probability that a container with the share `containment` of a document has `min_common` of its fingerprints or
/// more.
pub fn probability_of_common(min_common: u64, fingerprints: u64, containment: f64) -> f64 {
    let Some(below) = min_common.checked_sub(1) else { return 1.0 };
    let binomial = Binomial::new(containment.clamp(0.0, 1.0), fingerprints);
    binomial.map_or(0.0, |binomial| binomial.sf(below))
}

/// Returns for each number n of fingerprints the greatest x with P(Binomial(n, t) < x) <= `missed`. From one n to the
/// next it grows by one at most.
fn minima(threshold: f64, missed: f64) -> Vec<u32> {
    let mut min: u32 = 0;
    let is_enough = |n: usize, x: u32| {
        let below = |binomial: Binomial| binomial.cdf(u64::from(x) - 1);
        // At a threshold of 1 all are common, whatever is rounded.
        threshold >= 1.0 || Binomial::new(threshold, n as u64).is_ok_and(|binomial| below(binomial) <= missed)
    };
    let next = |n: usize| {
        min += u32::from(n > 0 && is_enough(n, min + 1));
        min
    };
    (0..=EXACT).map(next).collect()
}

/// Estimate, from the fingerprints of two documents, of the share of one that is in the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FingerprintEstimate {
    /// Number of fingerprints of the contained document.
    pub fingerprints: u64,
    /// Fingerprints that are fingerprints of the other document.
    pub common: u64,
    /// Share of `common` in `fingerprints`; `None` without fingerprints.
    pub estimated_containment: Option<f64>,
    /// The interval of the containment with a confidence of 95 % (Clopper, Pearson 1934; from 10,000 fingerprints on
    /// Wilson 1927). `None` for winnowing, whose fingerprints are no random sample of the elements.
    pub interval: Option<(f64, f64)>,
}

/// Confidence of the interval.
const CONFIDENCE: f64 = 0.95;

impl FingerprintEstimate {
    /// The estimate for a document that shares `common` of its `fingerprints` with another one.
    pub fn new(selection: Selection, common: u64, fingerprints: u64) -> Self {
        let is_random = matches!(selection, Selection::Mod(_));
        let interval = is_random.then(|| binomial_interval(common, fingerprints, CONFIDENCE));
        let estimated_containment = (fingerprints > 0).then(|| common as f64 / fingerprints as f64);
        Self { fingerprints, common, estimated_containment, interval }
    }
}

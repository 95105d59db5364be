//! Areas under curves of probability.

use crate::base::{Error, Result};

/// Width of the strips in numerical integration.
const STRIP: f64 = 0.001;

/// The area under a curve from one similarity to another, by the midpoints of strips of at most 0.001.
pub fn area_under(from: f64, to: f64, height: impl Fn(f64) -> f64) -> f64 {
    // Subtracting 1e-9 gives 800 strips for 0.8 / 0.001, whichever way it is rounded.
    let strips = ((to - from) / STRIP - 1e-9).ceil().max(0.0) as u32;
    let width = (to - from) / f64::from(strips.max(1));
    let heights = (0..strips).map(|strip| height(from + (f64::from(strip) + 0.5) * width));
    // A fold, because `sum` of no strips is -0.0.
    width * heights.fold(0.0, |sum, height| sum + height)
}

/// Checks that a threshold lies in (0, 1].
pub(super) fn check_threshold(threshold: f64) -> Result<()> {
    let fits = threshold > 0.0 && threshold <= 1.0;
    if fits { Ok(()) } else { Err(Error::Threshold { found: threshold.to_string() }) }
}

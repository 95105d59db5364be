//! Range checks of similarities and probabilities.

use crate::ground::{Error, Result};

/// Checks that a threshold lies in (0, 1].
pub(super) fn check_threshold(threshold: f64) -> Result<()> {
    let fits = threshold > 0.0 && threshold <= 1.0;
    if fits { Ok(()) } else { Err(Error::Threshold { found: threshold.to_string() }) }
}

/// Checks that the parameter `name` lies in (0, 1).
pub(super) fn check_probability(name: &'static str, found: f64) -> Result<()> {
    let fits = found > 0.0 && found < 1.0;
    if fits { Ok(()) } else { Err(Error::NotAProbability { name, found }) }
}

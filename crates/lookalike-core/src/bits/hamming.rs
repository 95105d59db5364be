//! The algebra of the Hamming distance: the number of bits in which two fingerprints differ.
//!
//! Inside the program every measure is a similarity, higher for closer documents. Here it is 1 - d / width, of which
//! rounding gives the distance d back.

use crate::base::details::{MethodKind, PointKind};
use crate::base::{Error, Result};
use crate::documents::{ElementSet, count_differing};
use crate::kernel::Kernel;
use crate::keys::Bounds;
use crate::similarity::{Agreement, Algebra, DifferingBits, Figure, Limit, distance_of};
use serde::{Deserialize, Serialize};

/// The Hamming distance of fingerprints with its maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hamming {
    /// Maximum number (<=) of bits in which near-duplicates differ.
    pub distance: u32,
    /// Width of the fingerprints in bits; stored under a name that no other parameter has.
    #[serde(rename = "of_bits")]
    pub width: u32,
}

impl Hamming {
    /// The width for distances from a file of pairs, which does not tell it: greater than that of any fingerprint.
    pub const UNKNOWN_WIDTH: u32 = u32::MAX;

    /// The number of bits in which two fingerprints differ.
    pub fn differing(self, left: ElementSet<'_>, right: ElementSet<'_>) -> DifferingBits {
        DifferingBits { differing: count_differing(left, right), width: self.width }
    }

    /// The minimum share of equal bits of near-duplicates.
    pub fn min_similarity(self) -> f64 {
        DifferingBits { differing: self.distance, width: self.width }.similarity()
    }
}

impl Bounds for Hamming {}

impl Algebra for Hamming {
    fn name(&self) -> &'static str {
        "hamming"
    }

    fn figure(&self) -> Figure {
        Figure::Distance { width: self.width }
    }

    fn points(&self) -> Option<PointKind> {
        Some(PointKind::Fingerprints)
    }

    fn methods(&self) -> &'static [MethodKind] {
        &[MethodKind::Exact, MethodKind::BitSampling]
    }

    fn limit(&self) -> Limit {
        Limit::Distance(self.distance)
    }

    fn lowest_limit(&self) -> Limit {
        Limit::Distance(self.width.saturating_sub(1))
    }

    fn raised_limit(&self, similarity: f64) -> Limit {
        Limit::Distance(self.distance.min(distance_of(similarity, self.width)))
    }

    fn min_similarity(&self) -> Option<f64> {
        Some(Self::min_similarity(*self))
    }

    fn check(&self) -> Result<()> {
        let Self { distance, width } = *self;
        if distance < width { Ok(()) } else { Err(Error::Distance { found: distance, width }) }
    }

    /// `None` for sets that are no fingerprints of equal width.
    fn verify(&self, _kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Option<Agreement> {
        let are_bits = !left.is_empty() && left.len() == right.len();
        let found = are_bits.then(|| self.differing(left, right))?;
        (found.differing <= self.distance).then_some(Agreement::Bits(found))
    }

    fn compare(&self, _kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Agreement {
        Agreement::Bits(self.differing(left, right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    #[test]
    fn a_distance_that_all_fingerprints_reach_is_refused() {
        assert!(Hamming { distance: 63, width: 64 }.check().is_ok());
        let error = Hamming { distance: 64, width: 64 }.check().unwrap_err();
        assert_eq!(error, Error::Distance { found: 64, width: 64 });
    }

    proptest! {
        #[test]
        fn similarities_keep_distances(distance in 0u32..65_536, other in 0u32..65_536, narrow in 1u32..65_536) {
            for width in [narrow.max(distance).max(other), Hamming::UNKNOWN_WIDTH] {
                let [a, b] = [distance, other].map(|differing| DifferingBits { differing, width }.similarity());
                prop_assert_eq!(distance_of(a, width), distance);
                prop_assert!((distance < other) == (a > b));
            }
        }
    }
}

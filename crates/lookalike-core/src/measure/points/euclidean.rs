//! The algebra of the Euclidean distance of two vectors.
//!
//! Inside the program every measure is a similarity, higher for closer documents. Here it is -d, which is 0 for equal
//! vectors. The squares are sums of 64 bits in a fixed order ([`Vector::distance`]).

use super::Distance;
use crate::features::Vector;
use crate::kernel::Kernel;
use serde::{Deserialize, Serialize};

/// How much the difference of two rounded norms may be off, as a share of them.
const ROUNDING: f64 = 1e-9;

/// The Euclidean distance of vectors with its maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Euclidean {
    /// Maximum distance (<=) of near-duplicates; stored under a name that no other noun has.
    #[serde(rename = "within")]
    pub distance: Distance,
}

impl Euclidean {
    /// The distance of two vectors of equally many dimensions, if it is at most the maximum. By the triangle
    /// inequality, norms that differ by more are proof enough.
    #[inline]
    pub fn verify(self, kernel: Kernel, left: Vector<'_>, right: Vector<'_>) -> Option<f64> {
        let max = self.distance.as_f64();
        let [left_norm, right_norm] = [left, right].map(|vector| vector.squared_norm().sqrt());
        if (left_norm - right_norm).abs() > max + (left_norm + right_norm) * ROUNDING {
            return None;
        }
        let distance = left.distance(kernel, right);
        (distance <= max).then_some(distance)
    }

    /// The same measure with this distance, or its own if that is smaller.
    #[must_use]
    pub(in crate::measure) fn within(self, distance: f64) -> Self {
        let closer = Distance::try_from(distance).ok().filter(|&distance| distance < self.distance);
        // Of a distance of 0, which is none, the smallest number is close enough: what is found is compared again.
        let closest = || if distance <= 0.0 { Distance::try_from(f64::MIN_POSITIVE).ok() } else { None };
        Self { distance: closer.or_else(closest).unwrap_or(self.distance) }
    }

    /// The same measure, which any two vectors are within.
    #[must_use]
    pub(in crate::measure) fn unlimited(self) -> Self {
        Self { distance: Distance::LARGEST }
    }
}

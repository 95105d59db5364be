//! The algebra of the Euclidean distance of two vectors.
//!
//! Inside the program every measure is a similarity, higher for closer documents. Here it is -d, which is 0 for equal
//! vectors. The squares are sums of 64 bits in a fixed order ([`Vector::distance`]).

use super::vector_blocks::{Products, VectorMeasure};
use crate::base::details::{MethodKind, PointKind};
use crate::documents::{ElementSet, Vector};
use crate::kernel::Kernel;
use crate::keys::Bounds;
use crate::similarity::{Agreement, Algebra, Distance, Figure, Limit, Metric};
use serde::{Deserialize, Serialize};

/// Error of the difference of two rounded norms, as a share of their sum.
const ROUNDING: f64 = 1e-9;
/// Error of the needed product, as a share of the squared distance: this half and that of the other vector are rounded
/// to 32 bits, and so is their sum. Errors that grow with the norms are in [`Products::half_of`].
const LIMIT_ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// The Euclidean distance of vectors with its maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Euclidean {
    /// Maximum distance (<=) of near-duplicates; stored under a name that no other parameter has.
    #[serde(rename = "within")]
    pub distance: Distance,
}

impl Euclidean {
    /// The distance of two vectors of equally many dimensions, if it is at most the maximum. By the triangle
    /// inequality, norms that differ by more are proof enough.
    #[inline]
    pub fn verify_vectors(self, kernel: Kernel, left: Vector<'_>, right: Vector<'_>) -> Option<f64> {
        let max = self.distance.as_f64();
        let [left_norm, right_norm] = [left, right].map(|vector| vector.squared_norm().sqrt());
        if (left_norm - right_norm).abs() > max + (left_norm + right_norm) * ROUNDING {
            return None;
        }
        let distance = left.distance(kernel, right);
        (distance <= max).then_some(distance)
    }
}

impl Bounds for Euclidean {}

impl VectorMeasure for Euclidean {
    fn with_limit(self, limit: Limit) -> Self {
        limit.max_distance().map_or(self, |distance| Self { distance })
    }

    fn needed(&self, squared_norm: f64, products: Products) -> f32 {
        let max_squared_distance = (self.distance.as_f64() * products.scale).powi(2);
        (products.half_of(squared_norm) - max_squared_distance * (0.5 + LIMIT_ROUNDING)) as f32
    }

    fn needed_of_other(&self, squared_norm: f64, products: Products) -> f32 {
        products.half_of(squared_norm * products.scale * products.scale) as f32
    }
}

impl Algebra for Euclidean {
    fn name(&self) -> &'static str {
        "euclidean"
    }

    fn figure(&self) -> Figure {
        Figure::VectorDistance(Metric::Euclidean)
    }

    fn points(&self) -> Option<PointKind> {
        Some(PointKind::Vectors)
    }

    fn methods(&self) -> &'static [MethodKind] {
        &[MethodKind::Exact, MethodKind::PStable]
    }

    fn limit(&self) -> Limit {
        Limit::Within(self.distance)
    }

    fn verify(&self, kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Option<Agreement> {
        let [left, right] = Vector::pair(left.elements(), right.elements())?;
        self.verify_vectors(kernel, left, right).map(Agreement::Distance)
    }

    fn compare(&self, kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Agreement {
        let distance = Vector::pair(left.elements(), right.elements())
            .map_or(f64::INFINITY, |[left, right]| left.distance(kernel, right));
        Agreement::Distance(distance)
    }
}

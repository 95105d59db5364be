//! The algebra of the cosine of two vectors.
//!
//! The dot product and both squared norms are sums of 64 bits in a fixed order ([`Vector::cosine`]); the cosine is
//! their quotient x.y / sqrt(x.x y.y), rounded three times. It is compared with the double nearest to the threshold:
//! where the sums are whole numbers and the product of the norms a square, as of (4, 3) and (5, 0), a cosine of 0.8 is
//! that double and reaches 0.8. A vector of zeros has no direction: its cosine with any other is 0.

use super::vector_blocks::{Products, VectorMeasure};
use crate::base::details::{MethodKind, PointKind};
use crate::documents::{ElementSet, Vector};
use crate::kernel::Kernel;
use crate::keys::Bounds;
use crate::similarity::{Agreement, Algebra, Limit, Threshold};
use serde::{Deserialize, Serialize};

/// The cosine of vectors with its threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorCosine {
    /// Minimum cosine (>=) of near-duplicates, above 0.
    pub threshold: Threshold,
}

impl VectorCosine {
    /// The cosine of two vectors of equally many dimensions, if it reaches the threshold.
    #[inline]
    pub fn verify_vectors(self, kernel: Kernel, left: Vector<'_>, right: Vector<'_>) -> Option<f64> {
        let cosine = left.cosine(kernel, right);
        (cosine >= self.threshold.as_f64()).then_some(cosine)
    }

    /// The distance of unit vectors whose cosine is the threshold.
    pub fn unit_distance(self) -> f64 {
        (2.0 - 2.0 * self.threshold.as_f64()).sqrt()
    }
}

impl Bounds for VectorCosine {}

impl VectorMeasure for VectorCosine {
    fn with_limit(self, limit: Limit) -> Self {
        limit.threshold().map_or(self, |threshold| Self { threshold })
    }

    /// Directions are compared.
    fn scale(&self, vector: Vector<'_>, products: Products) -> f64 {
        let squared_norm = vector.squared_norm();
        if squared_norm > 0.0 { 1.0 / squared_norm.sqrt() } else { products.scale }
    }

    fn needed(&self, _squared_norm: f64, products: Products) -> f32 {
        (self.threshold.as_f64() - 2.0 * products.error()) as f32
    }
}

impl Algebra for VectorCosine {
    fn name(&self) -> &'static str {
        "cosine"
    }

    fn points(&self) -> Option<PointKind> {
        Some(PointKind::Vectors)
    }

    fn methods(&self) -> &'static [MethodKind] {
        &[MethodKind::Exact, MethodKind::Hyperplanes]
    }

    fn limit(&self) -> Limit {
        Limit::Similarity(self.threshold)
    }

    fn verify(&self, kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Option<Agreement> {
        let [left, right] = Vector::pair(left.elements(), right.elements())?;
        self.verify_vectors(kernel, left, right).map(Agreement::Cosine)
    }

    fn compare(&self, kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Agreement {
        let cosine =
            Vector::pair(left.elements(), right.elements()).map_or(0.0, |[left, right]| left.cosine(kernel, right));
        Agreement::Cosine(cosine)
    }
}

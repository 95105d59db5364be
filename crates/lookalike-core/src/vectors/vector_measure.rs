//! Bounds of the products of vectors, by which a measure refuses pairs of a block ([`super::vector_blocks`]).

use crate::documents::Vector;
use crate::kernel::Tile;
use crate::similarity::{Algebra, Limit};

/// A measure of vectors. A pair is refused if its product is below the sum of what both vectors need; the defaults
/// refuse none.
pub(crate) trait VectorMeasure: Algebra + Copy {
    /// This measure with a limit of its own figure.
    fn with_limit(self, limit: Limit) -> Self;

    /// Factor by which a vector is multiplied before its products are computed.
    fn scale(&self, _vector: Vector<'_>, products: Products) -> f64 {
        products.scale
    }

    /// Part of the minimum product of near vectors that follows from a vector of the block, of this squared norm after
    /// scaling.
    fn needed(&self, _squared_norm: f64, _products: Products) -> f32 {
        f32::NEG_INFINITY
    }

    /// Part of it that follows from a vector outside the block, of this squared norm before scaling.
    fn needed_of_other(&self, _squared_norm: f64, _products: Products) -> f32 {
        0.0
    }
}

/// The products of the vectors of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Products {
    /// Number of components of each vector.
    pub(super) dimensions: usize,
    /// Common factor of all vectors, unless their measure has one of its own: so that numbers stay small.
    pub(super) scale: f64,
}

impl Products {
    /// Maximum error of a product, as a share of the mean of both squared norms.
    pub(super) fn error(self) -> f64 {
        f64::from(Tile::max_error(self.dimensions))
    }

    /// Half a squared norm, less by what a product may be off.
    pub(super) fn half_of(self, squared_norm: f64) -> f64 {
        let smallest = self.dimensions as f64 * f64::from(f32::MIN_POSITIVE);
        squared_norm * (0.5 - self.error()) - smallest
    }
}

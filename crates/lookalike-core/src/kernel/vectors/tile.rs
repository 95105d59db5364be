//! Vectors side by side, with which others are multiplied.

/// Vectors that are multiplied with a tile at a time.
pub(crate) const ROWS: usize = 4;
/// Vectors of a tile.
pub(crate) const TILE_LANES: usize = 64;

/// Choice whether sums must be the same on all processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// Rounds each product, then each sum.
    Separate,
    /// Rounded as is fastest; the error is within [`Tile::max_error`] all the same.
    Free,
}

/// Vectors side by side: of each dimension, the component of 64 of them, so that a lane of a register belongs to one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tile(Vec<[f32; TILE_LANES]>);

impl Tile {
    /// Fills the memory with as many vectors as `vectors` gives, up to 64, of `dimensions` components each, and each
    /// multiplied with its factor; absent ones are zeros.
    pub(crate) fn fill<'v>(&mut self, dimensions: usize, vectors: impl Iterator<Item = (&'v [f32], f64)>) {
        self.0.clear();
        self.0.resize(dimensions, [0.0; TILE_LANES]);
        for (lane, (vector, factor)) in vectors.take(TILE_LANES).enumerate() {
            let scaled = vector.iter().map(|&component| (f64::from(component) * factor) as f32);
            self.0.iter_mut().zip(scaled).for_each(|(lanes, component)| lanes[lane] = component);
        }
    }

    /// Returns one row of lanes for each dimension.
    pub(super) fn lanes(&self) -> &[[f32; TILE_LANES]] {
        &self.0
    }

    /// Returns the largest error of a product of vectors whose norms are at most 1: n products and n sums, each rounded
    /// to 24 bits (Higham, "Accuracy and Stability of Numerical Algorithms", section 3.1), the components before.
    pub(crate) fn max_error(dimensions: usize) -> f32 {
        (dimensions as f32 + 8.0) * f32::EPSILON
    }
}

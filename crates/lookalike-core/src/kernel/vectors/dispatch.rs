//! The choice of a version of the loops of vectors.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "calls of functions for a detected processor"))]

use super::bodies;
use super::tile::{ROWS, Rounding, TILE_LANES, Tile};
#[cfg(target_arch = "x86_64")]
use super::x86;
use crate::kernel::Kernel;

impl Kernel {
    /// The dot product of two vectors; components that only one of them has do not count.
    #[inline]
    pub(crate) fn dot(self, left: &[f32], right: &[f32]) -> f64 {
        let (left, right) = of_equal_length(left, right);
        match self.checked() {
            // SAFETY: `checked` has found the instructions on this processor.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { x86::dot_avx2(left, right) },
            // SAFETY: `checked` has found the instructions on this processor.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { x86::dot_avx512(left, right) },
            _ => bodies::dot(left, right),
        }
    }

    /// The square of the distance of two vectors; components that only one of them has do not count.
    #[inline]
    pub(crate) fn squared_distance(self, left: &[f32], right: &[f32]) -> f64 {
        let (left, right) = of_equal_length(left, right);
        match self.checked() {
            // SAFETY: `checked` has found the instructions on this processor.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { x86::squared_distance_avx2(left, right) },
            // SAFETY: `checked` has found the instructions on this processor.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { x86::squared_distance_avx512(left, right) },
            _ => bodies::squared_distance(left, right),
        }
    }

    /// The products of four vectors with those of a tile, which have as many dimensions: by row and lane.
    #[inline]
    pub(crate) fn products(
        self,
        rows: [&[f32]; ROWS],
        tile: &Tile,
        rounding: Rounding,
        out: &mut [[f32; TILE_LANES]; ROWS],
    ) {
        let lanes = tile.lanes();
        let rows = rows.map(|row| &row[..lanes.len()]);
        match (self.checked(), rounding) {
            // SAFETY: `checked` has found the instructions on this processor.
            #[cfg(target_arch = "x86_64")]
            (Self::Avx2, _) => unsafe { x86::products_avx2(rows, lanes, out) },
            // SAFETY: `checked` has found the instructions on this processor.
            #[cfg(target_arch = "x86_64")]
            (Self::Avx512, Rounding::Separate) => unsafe { x86::products_avx512::<false>(rows, lanes, out) },
            // SAFETY: `checked` has found the instructions on this processor.
            #[cfg(target_arch = "x86_64")]
            (Self::Avx512, Rounding::Free) => unsafe { x86::products_avx512::<true>(rows, lanes, out) },
            _ => bodies::products(rows, lanes, out),
        }
    }
}

/// The first components, as many as both have.
#[inline]
fn of_equal_length<'v>(left: &'v [f32], right: &'v [f32]) -> (&'v [f32], &'v [f32]) {
    let length = left.len().min(right.len());
    (&left[..length], &right[..length])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::SplitMix64;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    fn random(seed: u64, length: usize) -> Vec<f32> {
        let mut source = SplitMix64::new(seed);
        let mut component = || (source.next_u64() as i32 as f32) * 2f32.powi(source.next_below(40) as i32 - 50);
        (0..length).map(|_| component()).collect()
    }

    proptest! {
        #[test]
        fn all_kernels_give_the_same_sums(seed in any::<u64>(), length in 0usize..140) {
            let [left, right] = [1, 2].map(|side| random(seed ^ side, length));
            let dot = bodies::dot(&left, &right);
            let distance = bodies::squared_distance(&left, &right);
            for &kernel in Kernel::available() {
                prop_assert_eq!(kernel.dot(&left, &right).to_bits(), dot.to_bits());
                prop_assert_eq!(kernel.squared_distance(&left, &right).to_bits(), distance.to_bits());
            }
            let naive: f64 = left.iter().zip(&right).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
            let size: f64 = left.iter().zip(&right).map(|(&a, &b)| (f64::from(a) * f64::from(b)).abs()).sum();
            prop_assert!((dot - naive).abs() <= size * 1e-13);
        }

        #[test]
        fn all_kernels_give_the_same_products(seed in any::<u64>(), dimensions in 1usize..70, filled in 0usize..65) {
            let unit = |vector: Vec<f32>| {
                let norm = bodies::dot(&vector, &vector).sqrt() as f32;
                vector.into_iter().map(|component| component / norm.max(f32::MIN_POSITIVE)).collect::<Vec<f32>>()
            };
            let of_lane = |lane| unit(random(seed ^ lane << 8, dimensions));
            let vectors: Vec<Vec<f32>> = (0..filled as u64).map(of_lane).collect();
            let rows: [Vec<f32>; ROWS] = std::array::from_fn(|row| unit(random(!seed ^ (row as u64) << 8, dimensions)));
            let mut tile = Tile::default();
            tile.fill(dimensions, vectors.iter().map(|vector| (&vector[..], 1.0)));
            let rows = rows.each_ref().map(Vec::as_slice);
            let products = |kernel: Kernel, rounding| {
                let mut out = [[7.0; TILE_LANES]; ROWS];
                kernel.products(rows, &tile, rounding, &mut out);
                out
            };
            let bits_of = |rows: [[f32; TILE_LANES]; ROWS]| rows.map(|row| row.map(f32::to_bits));
            let expected = products(Kernel::Scalar, Rounding::Separate);
            for &kernel in Kernel::available() {
                let [found, expected] = [products(kernel, Rounding::Separate), expected].map(bits_of);
                prop_assert_eq!(found, expected);
                let free = products(kernel, Rounding::Free);
                for (row, lane) in (0..ROWS).flat_map(|row| (0..TILE_LANES).map(move |lane| (row, lane))) {
                    let exact = vectors.get(lane).map_or(0.0, |vector| bodies::dot(vector, rows[row]));
                    prop_assert!((f64::from(free[row][lane]) - exact).abs() <= f64::from(Tile::max_error(dimensions)));
                }
            }
        }
    }
}

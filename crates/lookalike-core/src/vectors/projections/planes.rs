//! Random vectors of independent normal components.

use crate::ground::hash::SplitMix64;
use crate::kernel::{TILE_LANES, Tile};

/// The planes with which vectors are multiplied, 64 side by side.
///
/// Plane i of seed s has the same components whatever the number of planes.
pub(super) fn tiles_of(planes: usize, dimensions: usize, seed: u64) -> Vec<Tile> {
    let plane = |number: usize| -> Vec<f32> {
        let mut random = SplitMix64::new(seed ^ (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        normal_numbers(&mut random).take(dimensions).collect()
    };
    let tile = |first: usize| {
        let of_tile: Vec<Vec<f32>> = (first..planes.min(first + TILE_LANES)).map(plane).collect();
        let mut tile = Tile::default();
        tile.fill(dimensions, of_tile.iter().map(|plane| (&plane[..], 1.0)));
        tile
    };
    (0..planes).step_by(TILE_LANES).map(tile).collect()
}

/// The shifts of the cells, by plane: shares of a width in [0, 1).
pub(super) fn shifts_of(planes: usize, seed: u64) -> Vec<f64> {
    let mut random = SplitMix64::new(!seed);
    (0..planes).map(|_| unit(&mut random)).collect()
}

/// A number in [0, 1), of 53 random bits.
fn unit(random: &mut SplitMix64) -> f64 {
    (random.next_u64() >> 11) as f64 * 2f64.powi(-53)
}

/// Independent normal numbers with mean 0 and variance 1 (Box, Muller 1958), the same on all processors: the functions
/// are those of a library in software.
fn normal_numbers(random: &mut SplitMix64) -> impl Iterator<Item = f32> {
    std::iter::from_fn(|| {
        // In (0, 1], as its logarithm is taken.
        let radius = (-2.0 * libm::log(1.0 - unit(random))).sqrt();
        let angle = std::f64::consts::TAU * unit(random);
        Some([(radius * libm::cos(angle)) as f32, (radius * libm::sin(angle)) as f32])
    })
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_normal_and_frozen() {
        let mut random = SplitMix64::new(7);
        let numbers: Vec<f64> = normal_numbers(&mut random).take(100_000).map(f64::from).collect();
        let moment = |power: i32| numbers.iter().map(|number| number.powi(power)).sum::<f64>() / numbers.len() as f64;
        // Five standard deviations of the means of 100,000: sqrt(1), sqrt(2), sqrt(15) and sqrt(96) over sqrt(n).
        for (power, mean, deviation) in [(1, 0.0, 1.0f64), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)] {
            let found = moment(power);
            assert!((found - mean).abs() < 5.0 * (deviation / 100_000.0).sqrt(), "{power}: {found}");
        }
        let mut random = SplitMix64::new(1);
        let first: Vec<u32> = normal_numbers(&mut random).take(3).map(f32::to_bits).collect();
        assert_eq!(first, FROZEN);
    }
    const FROZEN: [u32; 3] = [3_171_703_780, 3_215_291_442, 3_223_322_907];
}

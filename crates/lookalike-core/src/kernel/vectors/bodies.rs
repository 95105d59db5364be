//! The scalar versions, which are the reference for all others.

use super::tile::{ROWS, TILE_LANES};

/// Running sums of 64 bits.
pub(super) const SUMS: usize = 16;

/// The sum of running sums, by halves.
#[inline(always)]
pub(super) fn sum_by_halves(mut sums: [f64; SUMS]) -> f64 {
    let mut half = SUMS / 2;
    while half > 0 {
        let (low, high) = sums.split_at_mut(half);
        low.iter_mut().zip(high).for_each(|(low, high)| *low += *high);
        half /= 2;
    }
    sums[0]
}

/// The sum of `of` over the components of two vectors of equal length.
#[inline(always)]
fn sum_of(left: &[f32], right: &[f32], of: impl Fn(f64, f64) -> f64) -> f64 {
    let mut sums = [0.0; SUMS];
    add_rest(&mut sums, left, right, of);
    sum_by_halves(sums)
}

/// Adds `of` of the components to the running sums.
#[inline(always)]
pub(super) fn add_rest(sums: &mut [f64; SUMS], left: &[f32], right: &[f32], of: impl Fn(f64, f64) -> f64) {
    for (left, right) in left.chunks(SUMS).zip(right.chunks(SUMS)) {
        for ((sum, &a), &b) in sums.iter_mut().zip(left).zip(right) {
            *sum += of(f64::from(a), f64::from(b));
        }
    }
}

/// The product of two components.
#[inline(always)]
pub(super) fn product(a: f64, b: f64) -> f64 {
    a * b
}

/// The square of the difference of two components.
#[inline(always)]
pub(super) fn square(a: f64, b: f64) -> f64 {
    (a - b) * (a - b)
}

pub(super) fn dot(left: &[f32], right: &[f32]) -> f64 {
    sum_of(left, right, product)
}

pub(super) fn squared_distance(left: &[f32], right: &[f32]) -> f64 {
    sum_of(left, right, square)
}

/// Lanes whose sums fit into the registers of small processors.
const FEW_LANES: usize = 16;

pub(super) fn products(rows: [&[f32]; ROWS], tile: &[[f32; TILE_LANES]], out: &mut [[f32; TILE_LANES]; ROWS]) {
    for first in (0..TILE_LANES).step_by(FEW_LANES) {
        let mut sums = [[0.0f32; FEW_LANES]; ROWS];
        for (dimension, lanes) in tile.iter().enumerate() {
            let lanes = &lanes[first..first + FEW_LANES];
            for (sums, row) in sums.iter_mut().zip(rows) {
                let component = row[dimension];
                sums.iter_mut().zip(lanes).for_each(|(sum, &lane)| *sum += component * lane);
            }
        }
        for (out, sums) in out.iter_mut().zip(&sums) {
            out[first..first + FEW_LANES].copy_from_slice(sums);
        }
    }
}

//! The AVX2 and AVX-512 versions.

#![expect(unsafe_code, reason = "vector loads and stores")]

use super::bodies::{SUMS, add_rest, product, square, sum_by_halves};
use super::tile::{ROWS, TILE_LANES};
#[allow(clippy::wildcard_imports, reason = "the names of the instructions are unmistakable; tests do not warn")]
use std::arch::x86_64::*;

#[target_feature(enable = "avx2")]
pub(super) fn dot_avx2(left: &[f32], right: &[f32]) -> f64 {
    sum_avx2(left, right, |sum, a, b| _mm256_add_pd(sum, _mm256_mul_pd(a, b)), product)
}

#[target_feature(enable = "avx2")]
pub(super) fn squared_distance_avx2(left: &[f32], right: &[f32]) -> f64 {
    let add = |sum, a, b| {
        let difference = _mm256_sub_pd(a, b);
        _mm256_add_pd(sum, _mm256_mul_pd(difference, difference))
    };
    sum_avx2(left, right, add, square)
}

#[target_feature(enable = "avx512f")]
pub(super) fn dot_avx512(left: &[f32], right: &[f32]) -> f64 {
    // The product is exact, so nothing changes if it is not rounded.
    sum_avx512(left, right, |sum, a, b| _mm512_fmadd_pd(a, b, sum), product)
}

#[target_feature(enable = "avx512f")]
pub(super) fn squared_distance_avx512(left: &[f32], right: &[f32]) -> f64 {
    let add = |sum, a, b| {
        let difference = _mm512_sub_pd(a, b);
        _mm512_add_pd(sum, _mm512_mul_pd(difference, difference))
    };
    sum_avx512(left, right, add, square)
}

#[target_feature(enable = "avx2")]
#[inline]
fn sum_avx2(
    left: &[f32],
    right: &[f32],
    add: impl Fn(__m256d, __m256d, __m256d) -> __m256d,
    of: impl Fn(f64, f64) -> f64,
) -> f64 {
    const LANES: usize = 4;
    let (left, left_rest) = left.as_chunks::<SUMS>();
    let (right, right_rest) = right.as_chunks::<SUMS>();
    let mut running = [_mm256_setzero_pd(); SUMS / LANES];
    for (a, b) in left.iter().zip(right) {
        for (number, sum) in running.iter_mut().enumerate() {
            // SAFETY: four components from `LANES * number` on lie in the sixteen of each chunk.
            let [a, b] = unsafe { [a, b].map(|chunk| _mm_loadu_ps(chunk.as_ptr().add(LANES * number))) };
            *sum = add(*sum, _mm256_cvtps_pd(a), _mm256_cvtps_pd(b));
        }
    }
    let mut sums = [0.0; SUMS];
    for (number, sum) in running.into_iter().enumerate() {
        // SAFETY: four sums from `LANES * number` on lie in the sixteen.
        unsafe { _mm256_storeu_pd(sums.as_mut_ptr().add(LANES * number), sum) };
    }
    add_rest(&mut sums, left_rest, right_rest, of);
    sum_by_halves(sums)
}

#[target_feature(enable = "avx512f")]
#[inline]
fn sum_avx512(
    left: &[f32],
    right: &[f32],
    add: impl Fn(__m512d, __m512d, __m512d) -> __m512d,
    of: impl Fn(f64, f64) -> f64,
) -> f64 {
    const LANES: usize = 8;
    let (left, left_rest) = left.as_chunks::<SUMS>();
    let (right, right_rest) = right.as_chunks::<SUMS>();
    let mut running = [_mm512_setzero_pd(); SUMS / LANES];
    for (a, b) in left.iter().zip(right) {
        for (number, sum) in running.iter_mut().enumerate() {
            // SAFETY: eight components from `LANES * number` on lie in the sixteen of each chunk.
            let [a, b] = unsafe { [a, b].map(|chunk| _mm256_loadu_ps(chunk.as_ptr().add(LANES * number))) };
            *sum = add(*sum, _mm512_cvtps_pd(a), _mm512_cvtps_pd(b));
        }
    }
    let mut sums = [0.0; SUMS];
    for (number, sum) in running.into_iter().enumerate() {
        // SAFETY: eight sums from `LANES * number` on lie in the sixteen.
        unsafe { _mm512_storeu_pd(sums.as_mut_ptr().add(LANES * number), sum) };
    }
    add_rest(&mut sums, left_rest, right_rest, of);
    sum_by_halves(sums)
}

/// Eight running sums of eight lanes: two registers of the tile for each of the four rows.
#[target_feature(enable = "avx2")]
pub(super) fn products_avx2(rows: [&[f32]; ROWS], tile: &[[f32; TILE_LANES]], out: &mut [[f32; TILE_LANES]; ROWS]) {
    const LANES: usize = 8;
    const AT_A_TIME: usize = 2;
    for first in (0..TILE_LANES).step_by(LANES * AT_A_TIME) {
        let mut sums = [[_mm256_setzero_ps(); AT_A_TIME]; ROWS];
        for (dimension, lanes) in tile.iter().enumerate() {
            // SAFETY: sixteen lanes from `first` on lie in the 64.
            let lanes: [__m256; AT_A_TIME] =
                std::array::from_fn(|part| unsafe { _mm256_loadu_ps(lanes.as_ptr().add(first + LANES * part)) });
            for (sums, row) in sums.iter_mut().zip(rows) {
                let component = _mm256_set1_ps(row[dimension]);
                for (sum, lanes) in sums.iter_mut().zip(lanes) {
                    *sum = _mm256_add_ps(*sum, _mm256_mul_ps(component, lanes));
                }
            }
        }
        for (out, sums) in out.iter_mut().zip(sums) {
            for (part, sum) in sums.into_iter().enumerate() {
                // SAFETY: as for the loads, in `out`.
                unsafe { _mm256_storeu_ps(out.as_mut_ptr().add(first + LANES * part), sum) };
            }
        }
    }
}

/// Sixteen running sums of sixteen lanes: four registers of the tile for each of the four rows.
#[target_feature(enable = "avx512f")]
pub(super) fn products_avx512<const FUSED: bool>(
    rows: [&[f32]; ROWS],
    tile: &[[f32; TILE_LANES]],
    out: &mut [[f32; TILE_LANES]; ROWS],
) {
    const LANES: usize = 16;
    const AT_A_TIME: usize = TILE_LANES / LANES;
    let mut sums = [[_mm512_setzero_ps(); AT_A_TIME]; ROWS];
    let [a, b, c, d] = rows;
    for ((((lanes, a), b), c), d) in tile.iter().zip(a).zip(b).zip(c).zip(d) {
        // SAFETY: sixteen lanes from `LANES * part` on lie in the 64.
        let lanes: [__m512; AT_A_TIME] =
            std::array::from_fn(|part| unsafe { _mm512_loadu_ps(lanes.as_ptr().add(LANES * part)) });
        for (sums, component) in sums.iter_mut().zip([a, b, c, d]) {
            let component = _mm512_set1_ps(*component);
            for (sum, lanes) in sums.iter_mut().zip(lanes) {
                *sum = if FUSED {
                    _mm512_fmadd_ps(component, lanes, *sum)
                } else {
                    _mm512_add_ps(*sum, _mm512_mul_ps(component, lanes))
                };
            }
        }
    }
    for (out, sums) in out.iter_mut().zip(sums) {
        for (part, sum) in sums.into_iter().enumerate() {
            // SAFETY: as for the loads, in `out`.
            unsafe { _mm512_storeu_ps(out.as_mut_ptr().add(LANES * part), sum) };
        }
    }
}

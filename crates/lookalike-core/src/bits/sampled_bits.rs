//! Blocking keys of fingerprints for the method of bit sampling: bands of sampled bits.
//!
//! A band is r bits at random places. Two fingerprints of width w that differ in d bits agree in one sampled bit with
//! probability s = 1 - d / w, in a band with s^r, and in some of b bands with 1 - (1 - s^r)^b: the S-curve of MinHash
//! (Indyk, Motwani, "Approximate nearest neighbors", STOC 1998).

use crate::base::hash::{SplitMix64, mix64};
use crate::documents::element_masks;
use crate::keys::{Banding, BlockingKey};

/// Computes the band keys of fingerprints.
#[derive(Debug, Clone)]
pub struct SampledBits {
    /// One entry for each band and row: the number of an element and the shift of a bit in it.
    rows: Vec<(u32, u32)>,
    banding: Banding,
}

impl SampledBits {
    /// Keys of bits of `width` bits, drawn with replacement from `seed`.
    pub fn new(banding: Banding, width: u32, seed: u64) -> Self {
        let masks: Vec<(u64, u32)> = element_masks(width).collect();
        let mut random = SplitMix64::new(seed);
        let draw = |_| {
            let bit = random.next_below(u64::from(width.max(1))) as u32;
            let element = masks.partition_point(|&(_, first)| first <= bit).saturating_sub(1);
            (element as u32, bit - masks.get(element).map_or(0, |&(_, first)| first))
        };
        Self { rows: (0..banding.num_perm()).map(draw).collect(), banding }
    }

    /// Appends the keys of a fingerprint, given by its elements, one per band.
    pub fn append(&self, elements: &[u64], keys: &mut Vec<BlockingKey>) {
        let bit = |&(element, shift): &(u32, u32)| elements.get(element as usize).map_or(0, |word| word >> shift & 1);
        for (band, rows) in (1..).zip(self.rows.chunks_exact(self.banding.rows())) {
            let words = rows.chunks(u64::BITS as usize);
            let words = words.map(|rows| rows.iter().fold(0, |word, row| word << 1 | bit(row)));
            let hash = words.fold(mix64(band), |hash, word| mix64(hash ^ word));
            keys.push(BlockingKey { hash, position: 0 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over many seeds, two fingerprints share a band as often as the S-curve says: within five standard deviations.
    #[test]
    fn recall_follows_the_s_curve() {
        let banding = Banding::new(8, 16).unwrap();
        for (width, differing) in [(64u32, 3u32), (64, 6), (130, 9)] {
            let a: Vec<u64> = element_masks(width).enumerate().map(|(at, _)| (at as u64) << 48).collect();
            let mut b = a.clone();
            let masks: Vec<(u64, u32)> = element_masks(width).collect();
            for bit in (0..differing).map(|number| number * width / differing) {
                let element = masks.partition_point(|&(_, first)| first <= bit) - 1;
                b[element] ^= 1 << (bit - masks[element].1);
            }
            let trials = 2000;
            let shares = |&seed: &u64| {
                let maker = SampledBits::new(banding, width, seed);
                let [mut left, mut right] = [Vec::new(), Vec::new()];
                maker.append(&a, &mut left);
                maker.append(&b, &mut right);
                assert_eq!(left.len(), 8);
                left.iter().zip(&right).any(|(left, right)| left == right)
            };
            let found = (0..trials).filter(shares).count() as f64;
            let expected = banding.probability(1.0 - f64::from(differing) / f64::from(width));
            let mean = trials as f64 * expected;
            let deviation = (trials as f64 * expected * (1.0 - expected)).sqrt();
            assert!((found - mean).abs() <= 5.0 * deviation, "{width} {differing}: {found}, {mean}");
        }
    }
}

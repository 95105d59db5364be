//! Bands of rows: the blocking keys of MinHash signatures.
//!
//! A signature is divided into b bands of r rows. Two documents become a candidate pair if all rows of some band agree,
//! which happens with probability 1 - (1 - s^r)^b, the S-curve, for sets of similarity s (Leskovec, Rajaraman, Ullman,
//! "Mining of Massive Datasets", section 3.4).

use crate::base::hash::hash_sequence;
use crate::base::{Error, Result, counted};
use crate::kernel::EMPTY_COMPONENT;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;

/// Hash of the rows and the number of a band. Documents with equal band keys share a bucket.
pub type BandKey = u64;

/// A division of a signature into b bands of r rows each; both at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Banding {
    bands: NonZeroUsize,
    rows: NonZeroUsize,
}

/// Bands and rows that may be absent, stored as the two fields `bands` and `rows` of the type that has them.
pub(crate) mod optional {
    use super::Banding;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[derive(Serialize, Deserialize)]
    struct StoredBanding {
        bands: Option<usize>,
        rows: Option<usize>,
    }

    pub(crate) fn serialize<S: Serializer>(banding: &Option<Banding>, serializer: S) -> Result<S::Ok, S::Error> {
        StoredBanding { bands: banding.map(Banding::bands), rows: banding.map(Banding::rows) }.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Banding>, D::Error> {
        let StoredBanding { bands, rows } = StoredBanding::deserialize(deserializer)?;
        let banding = bands.zip(rows).map(|(bands, rows)| Banding::new(bands, rows));
        banding.transpose().map_err(D::Error::custom)
    }
}

impl Banding {
    /// A banding of `bands` bands of `rows` rows.
    ///
    /// # Errors
    /// [`Error::Banding`] if either is 0.
    pub fn new(bands: usize, rows: usize) -> Result<Self> {
        let both = NonZeroUsize::new(bands).zip(NonZeroUsize::new(rows));
        both.map(|(bands, rows)| Self { bands, rows }).ok_or(Error::Banding { bands, rows })
    }

    /// A banding for signatures of `permutations` components.
    ///
    /// # Errors
    /// [`Error::Banding`] if either is 0; [`Error::BandingTooLarge`] if the bands need more components.
    pub fn within(bands: usize, rows: usize, permutations: usize) -> Result<Self> {
        let banding = Self::new(bands, rows)?;
        if banding.num_perm() > permutations {
            return Err(Error::BandingTooLarge { bands, rows, permutations });
        }
        Ok(banding)
    }

    /// Number b of bands.
    pub fn bands(self) -> usize {
        self.bands.get()
    }

    /// Number r of rows in a band.
    pub fn rows(self) -> usize {
        self.rows.get()
    }

    /// Numbers of bands and rows under these names, as "20 bands x 5 rows".
    pub fn described(self, band: &str, row: &str) -> String {
        format!("{} x {}", counted(self.bands() as u64, band), counted(self.rows() as u64, row))
    }

    /// Number b r of components of the signature that the bands use.
    pub fn num_perm(self) -> usize {
        self.bands().saturating_mul(self.rows())
    }

    /// The S-curve: the probability 1 - (1 - s^r)^b that sets of Jaccard similarity s share a band.
    pub fn probability(self, similarity: f64) -> f64 {
        let miss = self.bands() as f64 * (-similarity.powi(self.rows() as i32)).ln_1p();
        -miss.exp_m1()
    }

    /// The similarity at which the S-curve is steepest: ((1 - 1/r) / (b - 1/r))^(1/r).
    pub fn steepest(self) -> f64 {
        let bands = self.bands() as f64;
        let rows = self.rows() as f64;
        ((1.0 - 1.0 / rows) / (bands - 1.0 / rows)).max(0.0).powf(1.0 / rows)
    }

    /// The approximation (1/b)^(1/r) of the steepest point.
    pub fn approximate_threshold(self) -> f64 {
        (1.0 / self.bands() as f64).powf(1.0 / self.rows() as f64)
    }

    /// The band keys of a signature, one per band; none for the signature of an empty set.
    pub fn keys(self, components: &[u32]) -> impl Iterator<Item = BandKey> {
        let filled = components.first().is_some_and(|&first| first != EMPTY_COMPONENT);
        let bands = if filled { self.bands() } else { 0 };
        let rows = components.chunks_exact(self.rows()).take(bands);
        rows.zip(0..).map(|(rows, band)| hash_sequence(band, rows.iter().map(|&row| u64::from(row))))
    }
}

/// `count` bits from bit `start` on, at most 64.
pub(crate) fn bits_at(words: &[u64], start: usize, count: usize) -> u64 {
    let word = start / 64;
    let shift = start % 64;
    let low = u128::from(words[word]);
    let high = words.get(word + 1).map_or(0, |&high| u128::from(high));
    let mask = u64::MAX >> (64 - count.clamp(1, 64));
    ((high << 64 | low) >> shift) as u64 & mask
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(bands: usize, rows: usize, similarity: f64) -> f64 {
        Banding::new(bands, rows).unwrap().probability(similarity)
    }

    #[test]
    fn textbook_s_curves_are_met() {
        let known = [(0.2, 0.006), (0.3, 0.047), (0.4, 0.186), (0.5, 0.470), (0.6, 0.802), (0.7, 0.975)];
        for (similarity, probability) in known {
            assert!((curve(20, 5, similarity) - probability).abs() < 0.0005, "{similarity}");
        }
        assert!((curve(20, 5, 0.8) - 0.9996).abs() < 0.00005);
        assert!((1.0 - curve(20, 5, 0.8) - 0.00035).abs() < 0.00001);
        assert!((curve(42, 3, 0.5) - 0.996).abs() < 0.0005);
        assert!((curve(42, 3, 0.05) - 0.005).abs() < 0.0005);
        assert!((curve(9, 13, 0.8) - 0.40).abs() < 0.005);
        assert_eq!((curve(7, 3, 0.0), curve(7, 3, 1.0)), (0.0, 1.0));
    }

    #[test]
    fn steepest_point_has_the_largest_slope() {
        for (bands, rows) in [(20, 5), (16, 16), (42, 3), (5, 1)] {
            let banding = Banding::new(bands, rows).unwrap();
            let slope = |at: f64| banding.probability(at + 1e-6) - banding.probability(at - 1e-6);
            let grid = (1..1000).map(|i| f64::from(i) / 1000.0);
            let best = grid.max_by(|a, b| slope(*a).total_cmp(&slope(*b))).unwrap();
            assert!((banding.steepest() - best).abs() < 0.002, "{bands} x {rows}: {best}");
        }
        assert!((Banding::new(16, 16).unwrap().approximate_threshold() - 0.841).abs() < 0.001);
    }

    #[test]
    fn band_keys_are_frozen() {
        let keys: Vec<BandKey> = Banding::new(2, 2).unwrap().keys(&[1, 2, 3, 4]).collect();
        assert_eq!(keys, [0x641E_767A_21C4_6A51, 0x4703_69C4_4FF1_C2D9]);
    }

    #[test]
    fn impossible_bandings_are_refused() {
        assert!(matches!(Banding::new(0, 5), Err(Error::Banding { .. })));
        assert!(matches!(Banding::within(20, 7, 128), Err(Error::BandingTooLarge { permutations: 128, .. })));
        assert!(Banding::within(16, 8, 128).is_ok());
    }

    #[test]
    fn equal_rows_in_different_bands_give_different_keys() {
        let banding = Banding::new(3, 2).unwrap();
        let keys: Vec<BandKey> = banding.keys(&[5, 6, 5, 6, 6, 5]).collect();
        assert_eq!(keys.len(), 3);
        assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
        assert_eq!(banding.keys(&[EMPTY_COMPONENT; 6]).count(), 0);
    }
}

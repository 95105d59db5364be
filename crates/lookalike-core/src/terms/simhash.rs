//! Numbers of bits and tables of SimHash that reach a recall.
//!
//! By Charikar's law a bit of two documents at cosine t differs with probability p = acos(t) / pi. Two documents meet
//! in a table if all its bits agree:
//!
//! ```text
//! blocks   64 bits, k + 1 blocks of 64 / (k + 1): at most k bits differ with the recall (binomial quantile),
//!          so one block has none (pigeonhole; Manku, Jain, Das Sarma 2007); only where blocks have 12 bits or more
//! bands    rows of 16 bits, as many as 1 - (1 - (1 - p)^16)^b >= recall asks for: 178 at t = 0.8, 53 at 0.9
//! ```
//!
//! Shorter blocks than 12 bits would make most documents collide. At t = 0.8, up to 21 of 64 bits differ: no table of
//! 64 bits does it. Terms are no random directions, so the law is the plan; what is found is measured.

use crate::base::hash::hash_sequence;
use crate::documents::WeightedSet;

use super::{Cosine, SimHasher};
use crate::base::{Error, Result, check_probability, check_range};
use crate::keys::plan::binomial_at_most;
use crate::keys::{Banding, BlockingKey, bits_at};
use crate::similarity::Threshold;
use serde::{Deserialize, Serialize};

/// Bits of a fingerprint that is cut into blocks.
const BLOCK_BITS: usize = 64;
/// Minimum number of bits in a block.
const MIN_BLOCK_BITS: usize = 12;
/// Bits in a band.
const BAND_BITS: usize = 16;

/// Parameters of the SimHash method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SimHash {
    /// Minimum probability, in (0, 1), of finding a pair whose cosine is the threshold, by Charikar's law.
    pub recall: f64,
    /// Maximum number of bits; `None` for as many as the recall asks for.
    pub fingerprint_bits: Option<usize>,
    /// Seed of the hashes of the bits.
    pub seed: u64,
}

impl Default for SimHash {
    fn default() -> Self {
        Self { recall: 0.99, fingerprint_bits: None, seed: 1 }
    }
}

impl SimHash {
    /// Maximum number of bits: 1024 words.
    pub const MAX_BITS: usize = 1 << 16;

    /// The tables for near-duplicates by this cosine.
    ///
    /// # Errors
    /// [`Error::TooFewBits`] if the bits do not suffice; [`Error::NotAProbability`] for a recall outside (0, 1).
    pub fn tables_for(&self, cosine: Cosine) -> Result<Banding> {
        if let Some(bits) = self.fingerprint_bits {
            check_range("fingerprint_bits", bits as u64, 1..=Self::MAX_BITS as u64)?;
        }
        tables(cosine.threshold, self.recall, self.fingerprint_bits)
    }
}

/// The probability that a bit of two documents with this cosine differs.
pub fn differing_bit(cosine: f64) -> f64 {
    cosine.clamp(-1.0, 1.0).acos() / std::f64::consts::PI
}

/// The probability, by the law, that two documents with this cosine collide in one of the tables.
pub fn probability_by_tables(tables: Banding, cosine: f64) -> f64 {
    let differing = differing_bit(cosine);
    if tables.num_perm() <= BLOCK_BITS {
        return binomial_at_most(tables.bands() - 1, BLOCK_BITS, differing);
    }
    tables.probability(1.0 - differing)
}

fn tables(threshold: Threshold, recall: f64, max_bits: Option<usize>) -> Result<Banding> {
    check_probability("recall", recall)?;
    let differing = differing_bit(threshold.as_f64());
    let given = max_bits.unwrap_or(SimHash::MAX_BITS);
    let blocks =
        (1..=BLOCK_BITS / MIN_BLOCK_BITS).find(|&blocks| binomial_at_most(blocks - 1, BLOCK_BITS, differing) >= recall);
    if let Some(blocks) = blocks.filter(|_| given >= BLOCK_BITS) {
        return Banding::new(blocks, BLOCK_BITS / blocks);
    }
    // 1 - (1 - q)^b >= recall, solved for b.
    let same = (1.0 - differing).powi(BAND_BITS as i32);
    let bands = ((-recall).ln_1p() / (-same).ln_1p()).ceil().max(1.0);
    let needed = bands as usize * BAND_BITS;
    if needed > given {
        return Err(Error::TooFewBits { found: given, needed, recall, threshold: threshold.as_f64() });
    }
    Banding::new(bands as usize, BAND_BITS)
}

/// Computes the table keys of weighted sets. Owns reusable buffers: create one per thread.
#[derive(Debug, Clone)]
pub struct SimHashKeys {
    hasher: SimHasher,
    tables: Banding,
    words: Vec<u64>,
}

impl SimHashKeys {
    /// Keys of fingerprints with `tables.num_perm()` bits, of which each table has `tables.rows()`, at most 64.
    pub fn new(tables: Banding, seed: u64) -> Self {
        let words = tables.num_perm().div_ceil(u64::BITS as usize);
        Self { hasher: SimHasher::new(words, seed), tables, words: Vec::new() }
    }

    /// Appends the keys of one set, one per table; none for an empty set.
    pub fn append(&mut self, set: WeightedSet<'_>, keys: &mut Vec<BlockingKey>) {
        if set.elements().is_empty() {
            return;
        }
        self.hasher.fill(set, &mut self.words);
        let words = &self.words;
        let rows = self.tables.rows();
        let key = |table: usize| hash_sequence(table as u64, [bits_at(words, table * rows, rows)]);
        keys.extend((0..self.tables.bands()).map(|table| BlockingKey { hash: key(table), position: 0 }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::bits_within;

    fn found(threshold: &str, bits: Option<usize>) -> Result<(usize, usize)> {
        tables(threshold.parse().unwrap(), 0.99, bits).map(|tables| (tables.bands(), tables.rows()))
    }

    #[test]
    fn bits_are_those_that_the_recall_asks_for() {
        assert_eq!(found("0.8", None).unwrap(), (178, 16));
        assert_eq!(found("0.9", None).unwrap(), (53, 16));
        assert_eq!(found("1", None).unwrap(), (1, 64));
        let (blocks, bits) = found("0.999", None).unwrap();
        assert!((2..=5).contains(&blocks) && bits == 64 / blocks, "{blocks} x {bits}");
        assert!(matches!(found("0.8", Some(64)), Err(Error::TooFewBits { needed: 2848, found: 64, .. })));
        assert!(matches!(found("0.01", None), Err(Error::TooFewBits { .. })));
    }

    #[test]
    fn at_a_cosine_of_four_fifths_21_of_64_bits_differ() {
        assert_eq!(bits_within(64, differing_bit(0.8), 0.99), 21);
        assert_eq!((bits_within(64, 0.0, 0.99), bits_within(64, 1.0, 0.5)), (0, 64));
    }

    #[test]
    fn the_law_gives_the_recall_at_the_threshold() {
        for threshold in ["0.7", "0.8", "0.95", "0.99", "0.999"] {
            let parsed: Threshold = threshold.parse().unwrap();
            let tables = tables(parsed, 0.99, None).unwrap();
            assert!(probability_by_tables(tables, parsed.as_f64()) >= 0.99, "{threshold}");
            assert!(probability_by_tables(tables, 0.3) < 0.5, "{threshold}");
        }
    }

    #[test]
    fn bits_cross_words() {
        let words = [0xFF00_0000_0000_0000, 0x0F];
        assert_eq!(bits_at(&words, 0, 16), 0);
        assert_eq!(bits_at(&words, 56, 16), 0x0FFF);
        assert_eq!(bits_at(&words, 60, 12), 0x0FF);
        assert_eq!(bits_at(&words, 0, 64), words[0]);
        assert_eq!(bits_at(&words, 64, 12), 0x0F);
    }
}

//! SimHash: a fingerprint whose bits are signs (Charikar, "Similarity estimation techniques from rounding algorithms",
//! STOC 2002).
//!
//! ```text
//! term   weight   its hash           sum of a bit: + weight where the hash has it, - weight where not
//! w1     2        0 1 1 0            2 x (weights of the terms with the bit) - (weights of all terms)
//! w2     1        1 1 0 0
//! sums           -1 3 1 -3           bit 1 where the sum is 0 or more
//! bits            0 1 1 0
//! ```
//!
//! If hashes were random directions, a bit would differ with probability angle / pi. Bit i of a fingerprint is bit i
//! mod 64 of word i / 64.

use crate::base::hash::mix64;
use crate::documents::WeightedSet;

/// Name and version of the hash function of the bits, for what is stored with fingerprints.
pub const SIMHASH: &str = "lookalike SimHash 1";

/// Bits of a word.
const WORD_BITS: usize = u64::BITS as usize;

/// Computes SimHash fingerprints of weighted sets. Owns reusable buffers: create one per thread.
#[derive(Debug, Clone)]
pub struct SimHasher {
    /// One entry for each word: what the elements are mixed with.
    salts: Vec<u64>,
    /// One entry for each bit: the weights of the terms whose hash has it.
    sums: Vec<u64>,
}

impl SimHasher {
    /// A hasher of fingerprints of `words` words of 64 bits; the hashes of elements follow from `seed`. Fingerprints of
    /// more words begin with those of fewer.
    pub fn new(words: usize, seed: u64) -> Self {
        let salt = |word: u64| mix64(mix64(seed) ^ word.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        Self { salts: (1..=words as u64).map(salt).collect(), sums: vec![0; words * WORD_BITS] }
    }

    /// Writes the words of the fingerprint of a set; all bits are 1 for one without terms.
    pub fn fill(&mut self, set: WeightedSet<'_>, words: &mut Vec<u64>) {
        self.sums.fill(0);
        let mut total = 0;
        for (element, weight) in set.iter() {
            total += u64::from(weight);
            for (salt, sums) in self.salts.iter().zip(self.sums.chunks_exact_mut(WORD_BITS)) {
                add_weight(mix64(element ^ salt), weight.into(), sums);
            }
        }
        words.clear();
        words.extend(self.sums.chunks_exact(WORD_BITS).map(|sums| word_of(sums, total)));
    }
}

/// Adds a weight to the sum of each bit that a hash has. Without branches, so that it vectorizes.
fn add_weight(hash: u64, weight: u64, sums: &mut [u64]) {
    for (bit, sum) in (0..).zip(sums) {
        *sum += weight & (hash >> bit & 1).wrapping_neg();
    }
}

/// The bits whose sum, with a minus for the weights without the bit, is not negative.
fn word_of(sums: &[u64], total: u64) -> u64 {
    (0..).zip(sums).fold(0, |word, (bit, &sum)| word | u64::from(2 * sum >= total) << bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DocId;
    use crate::documents::ElementSets;

    /// The example of Croft, Metzler, Strohman, "Search Engines: Information Retrieval in Practice", section 3.7: terms
    /// with weights and given hashes of eight bits.
    #[test]
    fn the_fingerprint_of_tropical_fish_is_known() {
        let hashes = [0x61, 0xAB, 0xE6, 0x1E, 0x2D, 0x8B, 0x2A, 0xC0, 0xAE, 0x3F, 0xB5, 0x25, 0xEE];
        let weights = [2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
        let mut sums = [0; 8];
        hashes.into_iter().zip(weights).for_each(|(hash, weight)| add_weight(hash, weight, &mut sums));
        let total: u64 = weights.iter().sum();
        // The first of the example is the uppermost bit.
        let signed: Vec<i64> = sums.iter().rev().map(|&sum| 2 * sum as i64 - total as i64).collect();
        assert_eq!(signed, [1, -5, 9, -9, 3, 1, 3, 3]);
        assert_eq!(word_of(&sums, total), 0b1010_1111);
    }

    fn fingerprint(terms: &[(u64, u32)], words: usize) -> Vec<u64> {
        let sets = ElementSets::of_counted([terms.to_vec()]);
        let mut found = Vec::new();
        SimHasher::new(words, 1).fill(sets.weighted(DocId(0)), &mut found);
        found
    }

    #[test]
    fn fingerprints_are_frozen_and_begin_alike() {
        let terms: Vec<(u64, u32)> = (1..50).map(|term| (mix64(term), term as u32 % 5 + 1)).collect();
        assert_eq!(fingerprint(&terms, 1), fingerprint(&terms, 3)[..1]);
        let twice: Vec<(u64, u32)> = terms.iter().map(|&(term, weight)| (term, 2 * weight)).collect();
        assert_eq!(fingerprint(&terms, 3), fingerprint(&twice, 3));
        assert_eq!(fingerprint(&[], 1), [u64::MAX]);
        assert_eq!(fingerprint(&[(7, 1)], 1), [FROZEN]);
    }

    const FROZEN: u64 = 0x2A0C_4BB7_73E2_C3CE;

    #[test]
    fn bits_differ_as_often_as_the_angle_says() {
        // 400 of 500 terms in common: cosine 0.8, angle / pi = 0.2048.
        let terms = |from: u64| (from..from + 500).map(|term| (mix64(term), 1)).collect::<Vec<_>>();
        let left = fingerprint(&terms(1), 64);
        let right = fingerprint(&terms(101), 64);
        let differing: u32 = left.iter().zip(&right).map(|(a, b)| (a ^ b).count_ones()).sum();
        let bits = 64.0 * 64.0;
        let expected: f64 = 0.8f64.acos() / std::f64::consts::PI;
        let deviation = (bits * expected * (1.0 - expected)).sqrt();
        assert!((f64::from(differing) - bits * expected).abs() < 5.0 * deviation, "{differing}");
    }
}

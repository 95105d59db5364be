//! Signatures of which the lowest byte of each component is kept: for storage where sets would take too much space.
//!
//! Two components that differ have equal lowest bytes with probability 1/256, so of two sets with similarity J a byte
//! is equal with probability P = 1/256 + (1 - 1/256) J (Li, König, "b-Bit Minwise Hashing", WWW 2010, for sets that are
//! small beside the universe), and J is estimated by solving for it. Band keys cannot be made of bytes: an index keeps
//! them beside.

use crate::kernel::Kernel;
use crate::keys::Banding;
use crate::keys::plan::binomial_interval;
use crate::signatures::OnePermutationMinHash;
use crate::signatures::estimate_intervals::{CONFIDENCE, first_reaching};

/// The probability that different components have equal lowest bytes.
const COLLISION: f64 = 1.0 / 256.0;

/// Makes signatures of bytes. Owns a reusable buffer: clone one for each thread.
#[derive(Debug, Clone)]
pub struct ByteSignatures {
    family: OnePermutationMinHash,
    components: Vec<u32>,
}

/// Estimate, from two signatures, of the Jaccard similarity of their sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JaccardEstimate {
    equal: usize,
    count: usize,
}

impl ByteSignatures {
    /// Signatures of the components by which bands of this kind are made.
    pub fn new(banding: Banding, seed: u64, kernel: Kernel) -> Self {
        let num_perm = banding.num_perm();
        let family = OnePermutationMinHash::with_kernel(num_perm, seed, kernel);
        Self { family, components: vec![0; num_perm] }
    }

    /// Number of components, and of bytes.
    pub fn num_perm(&self) -> usize {
        self.components.len()
    }

    /// Appends the bytes of a set, which is not empty.
    pub fn append(&mut self, set: &[u64], bytes: &mut Vec<u8>) {
        self.family.fill(set, &mut self.components);
        bytes.extend(self.components.iter().map(|&component| component as u8));
    }
}

impl JaccardEstimate {
    /// Compares two signatures of one length.
    pub fn new(left: &[u8], right: &[u8]) -> Self {
        let equal = left.iter().zip(right).map(|(left, right)| usize::from(left == right)).sum();
        Self { equal, count: left.len().min(right.len()) }
    }

    /// The estimate, from 0 to 1.
    pub fn estimated_jaccard(self) -> f64 {
        solved(self.equal as f64 / self.count.max(1) as f64)
    }

    /// The number of equal bytes, of `count`, from which on the interval reaches a similarity.
    pub fn min_equal(count: usize, similarity: f64) -> usize {
        first_reaching(count, |equal| Self { equal, count }.interval().1 >= similarity)
    }

    /// Number of equal bytes.
    pub fn equal(self) -> usize {
        self.equal
    }

    /// The interval of the similarity with a confidence of 95 % (Clopper, Pearson 1934); one-permutation signatures
    /// vary less than it allows for.
    pub fn interval(self) -> (f64, f64) {
        let (low, high) = binomial_interval(self.equal as u64, self.count as u64, CONFIDENCE);
        (solved(low), solved(high))
    }
}

/// The similarity at which bytes are equal at this rate.
fn solved(rate: f64) -> f64 {
    ((rate - COLLISION) / (1.0 - COLLISION)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::mix64;

    fn signatures() -> ByteSignatures {
        ByteSignatures::new(Banding::new(32, 4).unwrap(), 7, Kernel::detect())
    }

    #[test]
    fn estimates_are_unbiased_and_intervals_hold_at_their_rate() {
        let mut made = signatures();
        for common in [0u64, 50, 150, 280] {
            let own = (300 - common) / 2;
            let jaccard = common as f64 / 300.0;
            let mut sum = 0.0;
            let mut within = 0;
            let trials = 2000;
            for trial in 0..trials {
                let mut pair = [Vec::new(), Vec::new()];
                for (side, bytes) in (0u64..).zip(&mut pair) {
                    let all = (0..common).chain((1 + side) * 1000..(1 + side) * 1000 + own);
                    let mut set: Vec<u64> = all.map(|element| mix64(element + trial * 10_000)).collect();
                    set.sort_unstable();
                    made.append(&set, bytes);
                }
                let estimate = JaccardEstimate::new(&pair[0], &pair[1]);
                sum += estimate.estimated_jaccard();
                let (low, high) = estimate.interval();
                within += u64::from((low..=high).contains(&jaccard));
            }
            // Four standard errors of the mean; where nothing is common, what is below 0 is 0.
            let clamped = if common == 0 { COLLISION } else { 0.0 };
            let error = 4.0 * (0.25f64 / made.num_perm() as f64 / trials as f64).sqrt() + clamped;
            assert!((sum / trials as f64 - jaccard).abs() < error, "{common}: {}", sum / trials as f64);
            assert!(within as f64 >= 0.94 * trials as f64, "{common}: {within}");
        }
    }

    #[test]
    fn bytes_are_frozen() {
        let mut bytes = Vec::new();
        signatures().append(&[mix64(1), mix64(2), mix64(3)], &mut bytes);
        assert_eq!(bytes.len(), 128);
        assert_eq!(xxhash_rust::xxh3::xxh3_64(&bytes), 9_702_738_754_843_435_503);
    }
}

//! The two families of the Python package datasketch, bit for bit, for signatures that its users keep.
//!
//! Both see an element as a hash of 32 bits: by default the first four bytes of the SHA-1 of its bytes, little endian.
//! With random numbers of a Mersenne Twister that is seeded as NumPy seeds it,
//!
//! ```text
//! legacy     component i = min over h of (((a_i h + b_i) mod 2^64) mod p) mod 2^32        p = 2^61 - 1
//! affine32   component i = min over h of (a_i x + b_i) mod 2^32,   x = fmix32(h), a_i odd
//! ```
//!
//! The wrap at 2^64 of the first is no mistake of ours: true modular arithmetic gives other values. All components of
//! an empty set are 2^32 - 1.

use super::{EMPTY_COMPONENT, Signature};
use rand_mt::Mt;
use serde::{Deserialize, Serialize};

/// The Mersenne prime 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// A family of datasketch. Stored under its name there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DatasketchScheme {
    /// Of versions before 2, which keep it for old signatures.
    Legacy,
    /// The default of version 2.
    Affine32,
}

impl DatasketchScheme {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Affine32 => "affine32",
        }
    }
}

/// MinHash of datasketch, with `num_perm` components.
///
/// ```
/// # use lookalike_core::signatures::{DatasketchMinHash, DatasketchScheme, sha1_hash32};
/// let family = DatasketchMinHash::new(DatasketchScheme::Affine32, 4, 1);
/// let signature = family.signature([sha1_hash32(b"Hello")]);
/// assert_eq!(signature.0, [3_231_258_861, 1_388_533_999, 831_950_533, 1_845_606_703]);
/// ```
#[derive(Debug, Clone)]
pub struct DatasketchMinHash {
    scheme: DatasketchScheme,
    /// The numbers a, by component.
    factors: Vec<u64>,
    /// The numbers b, by component.
    summands: Vec<u64>,
}

impl DatasketchMinHash {
    /// The family of a scheme with the numbers that follow from a seed.
    pub fn new(scheme: DatasketchScheme, num_perm: usize, seed: u32) -> Self {
        let mut random = Mt::new(seed);
        let (factors, summands) = match scheme {
            DatasketchScheme::Legacy => {
                let pair = |_| (1 + at_most(&mut random, PRIME - 2), at_most(&mut random, PRIME - 1));
                (0..num_perm).map(pair).unzip()
            }
            DatasketchScheme::Affine32 => {
                let mut next = || u64::from(random.next_u32());
                let factors = (0..num_perm).map(|_| (next() & 0x7FFF_FFFF) * 2 + 1).collect();
                (factors, (0..num_perm).map(|_| next()).collect())
            }
        };
        Self { scheme, factors, summands }
    }

    /// Number of components.
    pub fn num_perm(&self) -> usize {
        self.factors.len()
    }

    /// The numbers a and b, by component.
    pub fn parameters(&self) -> [&[u64]; 2] {
        [&self.factors, &self.summands]
    }

    /// The signature of the elements with these hashes.
    pub fn signature(&self, hashes: impl IntoIterator<Item = u32>) -> Signature {
        let mut components = vec![EMPTY_COMPONENT; self.num_perm()];
        self.update(hashes, &mut components);
        Signature(components)
    }

    /// Adds elements to a signature, given by their hashes.
    pub fn update(&self, hashes: impl IntoIterator<Item = u32>, components: &mut [u32]) {
        let pairs = || self.factors.iter().zip(&self.summands);
        for hash in hashes {
            match self.scheme {
                DatasketchScheme::Legacy => {
                    let of = |(&factor, &summand): (&u64, &u64)| {
                        (factor.wrapping_mul(hash.into()).wrapping_add(summand) % PRIME) as u32
                    };
                    let values = pairs().map(of);
                    components.iter_mut().zip(values).for_each(|(place, value)| *place = value.min(*place));
                }
                DatasketchScheme::Affine32 => {
                    let mixed = fmix32(hash);
                    let of = |(&factor, &summand): (&u64, &u64)| {
                        (factor as u32).wrapping_mul(mixed).wrapping_add(summand as u32)
                    };
                    let values = pairs().map(of);
                    components.iter_mut().zip(values).for_each(|(place, value)| *place = value.min(*place));
                }
            }
        }
    }
}

/// A number from 0 to `max`, as NumPy's legacy generator draws it: 64 bits, the first word above the second, cut to as
/// many bits as `max` has, until one is not above it.
fn at_most(random: &mut Mt, max: u64) -> u64 {
    let mask = u64::MAX >> max.leading_zeros();
    loop {
        let (high, low) = (random.next_u32(), random.next_u32());
        let drawn = (u64::from(high) << 32 | u64::from(low)) & mask;
        if drawn <= max {
            return drawn;
        }
    }
}

/// The finalizer of MurmurHash3 for 32 bits (Appleby 2011).
fn fmix32(mut hash: u32) -> u32 {
    hash = (hash ^ hash >> 16).wrapping_mul(0x85EB_CA6B);
    hash = (hash ^ hash >> 13).wrapping_mul(0xC2B2_AE35);
    hash ^ hash >> 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::hash::sha1_hash32;

    #[test]
    fn published_numbers_are_met() {
        let hello = sha1_hash32(b"Hello");
        let legacy = DatasketchMinHash::new(DatasketchScheme::Legacy, 4, 1).signature([hello]);
        assert_eq!(legacy.0, [734_825_475, 960_773_806, 359_816_889, 342_714_745]);
        let affine = DatasketchMinHash::new(DatasketchScheme::Affine32, 4, 1).signature([hello]);
        assert_eq!(affine.0, [3_231_258_861, 1_388_533_999, 831_950_533, 1_845_606_703]);
    }

    #[test]
    fn updates_are_minima_and_nothing_is_the_largest_number() {
        for scheme in [DatasketchScheme::Legacy, DatasketchScheme::Affine32] {
            let family = DatasketchMinHash::new(scheme, 16, 7);
            assert_eq!(family.signature([]).0, [u32::MAX; 16]);
            let (mut both, other) = (family.signature([1, 2]), family.signature([2, 3]));
            both.merge(&other).unwrap();
            assert_eq!(both, family.signature([3, 2, 1, 1]));
            // Longer signatures begin like shorter ones only where numbers are drawn in pairs.
            let longer = DatasketchMinHash::new(scheme, 32, 7).signature([1, 2]);
            let begins_alike = longer.0[..16] == family.signature([1, 2]).0;
            assert_eq!(begins_alike, scheme == DatasketchScheme::Legacy);
        }
    }
}

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
use crate::base::{Error, Result};
use crate::kernel::Kernel;
use rand_mt::Mt;
use serde::{Deserialize, Serialize};

/// The Mersenne prime 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// A family of datasketch. Stored under its name there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DatasketchScheme {
    /// Scheme of versions before 2, which keep it for old signatures.
    Legacy,
    /// The default of version 2.
    Affine32,
}

impl DatasketchScheme {
    /// Name of the scheme.
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
    numbers: HashParameters,
    kernel: Kernel,
}

/// The numbers a and b, by component.
#[derive(Debug, Clone)]
enum HashParameters {
    Legacy { factors: Vec<u64>, summands: Vec<u64> },
    Affine32 { factors: Vec<u32>, summands: Vec<u32> },
}

impl DatasketchMinHash {
    /// The family of a scheme with the numbers that follow from a seed.
    pub fn new(scheme: DatasketchScheme, num_perm: usize, seed: u32) -> Self {
        let mut random = Mt::new(seed);
        let numbers = match scheme {
            DatasketchScheme::Legacy => {
                let pair = |_| (1 + at_most(&mut random, PRIME - 2), at_most(&mut random, PRIME - 1));
                let (factors, summands) = (0..num_perm).map(pair).unzip();
                HashParameters::Legacy { factors, summands }
            }
            DatasketchScheme::Affine32 => {
                let factors = (0..num_perm).map(|_| (random.next_u32() & 0x7FFF_FFFF) * 2 + 1).collect();
                let summands = (0..num_perm).map(|_| random.next_u32()).collect();
                HashParameters::Affine32 { factors, summands }
            }
        };
        Self { numbers, kernel: Kernel::detect() }
    }

    /// The family `legacy` with these numbers a and b, equally many.
    ///
    /// # Errors
    /// [`Error::SignatureMismatch`] if they are not.
    pub fn legacy_of(factors: Vec<u64>, summands: Vec<u64>) -> Result<Self> {
        check_equal(factors.len(), summands.len())?;
        Ok(Self { numbers: HashParameters::Legacy { factors, summands }, kernel: Kernel::detect() })
    }

    /// The family `affine32` with these numbers a and b, equally many.
    ///
    /// # Errors
    /// As [`DatasketchMinHash::legacy_of`].
    pub fn affine32_of(factors: Vec<u32>, summands: Vec<u32>) -> Result<Self> {
        check_equal(factors.len(), summands.len())?;
        Ok(Self { numbers: HashParameters::Affine32 { factors, summands }, kernel: Kernel::detect() })
    }

    /// Returns this family with other inner loops.
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { kernel, ..self }
    }

    /// Number of components.
    pub fn num_perm(&self) -> usize {
        match &self.numbers {
            HashParameters::Legacy { factors, .. } => factors.len(),
            HashParameters::Affine32 { factors, .. } => factors.len(),
        }
    }

    /// The numbers a and b, by component.
    pub fn parameters(&self) -> [Vec<u64>; 2] {
        match &self.numbers {
            HashParameters::Legacy { factors, summands } => [factors.clone(), summands.clone()],
            HashParameters::Affine32 { factors, summands } => {
                [factors, summands].map(|numbers| numbers.iter().map(|&number| number.into()).collect())
            }
        }
    }

    /// The signature of the elements with these hashes.
    pub fn signature(&self, hashes: impl IntoIterator<Item = u32>) -> Signature {
        let mut components = vec![EMPTY_COMPONENT; self.num_perm()];
        let hashes: Vec<u32> = hashes.into_iter().collect();
        self.update(&hashes, &mut components);
        Signature(components)
    }

    /// Adds elements to a signature, given by their hashes. Of a signature of another length than the family, only the
    /// first components that both have are lowered.
    pub fn update(&self, hashes: &[u32], components: &mut [u32]) {
        let length = components.len().min(self.num_perm());
        let components = &mut components[..length];
        match &self.numbers {
            HashParameters::Legacy { factors, summands } => {
                let hashes: Vec<u64> = hashes.iter().map(|&hash| hash.into()).collect();
                self.kernel.lower_by_prime(&hashes, [factors, summands], components);
            }
            HashParameters::Affine32 { factors, summands } => {
                let mixed: Vec<u32> = hashes.iter().map(|&hash| fmix32(hash)).collect();
                self.kernel.lower_by_affine(&mixed, [factors, summands], components);
            }
        }
    }

    /// Does what [`DatasketchMinHash::update`] does with hashes of 64 bits, as other hash functions may give them:
    /// `legacy` takes them as they are, `affine32` takes their lower 32 bits.
    pub fn update_wide(&self, hashes: &[u64], components: &mut [u32]) {
        let length = components.len().min(self.num_perm());
        let components = &mut components[..length];
        match &self.numbers {
            HashParameters::Legacy { factors, summands } => {
                self.kernel.lower_by_prime(hashes, [factors, summands], components);
            }
            HashParameters::Affine32 { .. } => {
                let low: Vec<u32> = hashes.iter().map(|&hash| hash as u32).collect();
                self.update(&low, components);
            }
        }
    }
}

fn check_equal(expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::SignatureMismatch { expected, found }) }
}

/// A number from 0 to `max`, as NumPy's legacy generator draws it: 64 bits, the first word above the second, cut to as
/// many bits as `max` has, until one is not above it.
fn at_most(random: &mut Mt, max: u64) -> u64 {
    let mask = u64::MAX >> max.leading_zeros();
    loop {
        let high = random.next_u32();
        let low = random.next_u32();
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
    use crate::base::hash::sha1_hash32;

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
            let mut both = family.signature([1, 2]);
            let other = family.signature([2, 3]);
            both.merge(&other).unwrap();
            assert_eq!(both, family.signature([3, 2, 1, 1]));
            // Longer signatures begin like shorter ones only where numbers are drawn in pairs.
            let longer = DatasketchMinHash::new(scheme, 32, 7).signature([1, 2]);
            let begins_alike = longer.0[..16] == family.signature([1, 2]).0;
            assert_eq!(begins_alike, scheme == DatasketchScheme::Legacy);
        }
    }
}

//! The classic one-pass signature: k universal hash functions replace k permutations.
//!
//! ```text
//! signature[i] := infinity for all i
//! for each element x:
//!     for each i: signature[i] := min(signature[i], h_i(x)),  h_i(x) = ((a_i x + b_i) mod p) mod N
//! ```
//!
//! Leskovec, Rajaraman, Ullman, "Mining of Massive Datasets", section 3.3.5; universal hashing: Carter, Wegman 1979.

use super::{EMPTY_COMPONENT, Signature};
use crate::ground::hash::SplitMix64;

/// The Mersenne prime 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// The universal hash function h(x) = ((a x + b) mod p) mod n (Carter, Wegman 1979).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UniversalHash {
    /// Factor a, 1 to p - 1.
    pub factor: u64,
    /// Summand b, 0 to p - 1.
    pub summand: u64,
    /// Prime p; for a bijection before mod n, larger than all elements.
    pub prime: u64,
    /// Number n of values; at most 2^32 - 1, because [`EMPTY_COMPONENT`] denotes the empty set.
    pub range: u32,
}

impl UniversalHash {
    /// The hash of `element`, below `range`.
    pub fn hash(&self, element: u64) -> u32 {
        let product = u128::from(self.factor) * u128::from(element) + u128::from(self.summand);
        ((product % u128::from(self.prime)) as u64 % u64::from(self.range)) as u32
    }
}

/// MinHash with one universal hash function per component.
#[derive(Debug, Clone)]
pub struct ClassicMinHash {
    functions: Vec<UniversalHash>,
}

impl ClassicMinHash {
    /// `num_perm` functions modulo 2^61 - 1, drawn from `seed`.
    pub fn new(num_perm: usize, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let draw = |_| UniversalHash {
            factor: 1 + random.next_below(PRIME - 1),
            summand: random.next_below(PRIME),
            prime: PRIME,
            range: u32::MAX,
        };
        Self { functions: (0..num_perm).map(draw).collect() }
    }

    /// The family with the given functions.
    pub fn with_functions(functions: Vec<UniversalHash>) -> Self {
        Self { functions }
    }

    /// The signature of a set; repeated elements have no effect.
    pub fn signature(&self, elements: &[u64]) -> Signature {
        let mut components = vec![EMPTY_COMPONENT; self.functions.len()];
        for &element in elements {
            for (component, function) in components.iter_mut().zip(&self.functions) {
                *component = (*component).min(function.hash(element));
            }
        }
        Signature(components)
    }
}

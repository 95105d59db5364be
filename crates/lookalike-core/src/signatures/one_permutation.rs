//! One-permutation hashing with a full MinHash for empty slots.
//!
//! Each element is hashed to one slot by some bits of its hash, and the slot takes the minimum of the other bits: one
//! step per element (Li, Owen, Zhang, "One Permutation Hashing", NIPS 2012). A small set leaves slots empty.
//! Densification by copies of other slots (rotation, "optimal") fills them, but the signature of a union then differs
//! from the merged signatures. Here, an empty slot j takes the minimum of g_j(x) = a_j h(x) mod 2^32, a_j odd, over all
//! elements, as in classic MinHash:
//!
//! ```text
//! component   0 | 31 bits of the rank       minimum rank of the elements of this slot
//!             1 | 31 bits of g_j            no element in this slot; minimum of g_j over the set
//! ```
//!
//! Component j is thus the minimum in one fixed order: first all elements of slot j, by rank, then all others, by g_j.
//! So two sets agree in it with probability J, it does not depend on the order of insertion, and it merges by minimum.
//! Components of the first kind share no element, which lowers the variance below that of the classic signature.
//! Elements must be uniform hashes, as those of shingles are: they are mixed with the seed only.

use super::{EMPTY_COMPONENT, Signature};
use crate::base::hash::SplitMix64;
use crate::kernel::Kernel;

/// The fast MinHash family: about one step per element, plus one per element and empty slot.
///
/// ```
/// # use lookalike_core::signatures::OnePermutationMinHash;
/// let family = OnePermutationMinHash::new(128, 1);
/// let (mut left, right) = (family.signature(&[1, 2, 3]), family.signature(&[3, 4]));
/// left.merge(&right)?;
/// assert_eq!(left, family.signature(&[4, 3, 2, 1]));
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct OnePermutationMinHash {
    kernel: Kernel,
    seed: u64,
    /// The odd factors a_j, one per component.
    factors: Vec<u32>,
}

impl OnePermutationMinHash {
    /// Signatures of `num_perm` components; equal seeds give comparable signatures.
    pub fn new(num_perm: usize, seed: u64) -> Self {
        Self::with_kernel(num_perm, seed, Kernel::detect())
    }

    /// Makes the family on a given version of the inner loops; the signatures do not depend on it.
    pub fn with_kernel(num_perm: usize, seed: u64, kernel: Kernel) -> Self {
        let mut random = SplitMix64::new(seed);
        let seed = random.next_u64();
        Self { kernel, seed, factors: (0..num_perm).map(|_| random.next_u64() as u32 | 1).collect() }
    }

    /// Number of components of a signature.
    pub fn num_perm(&self) -> usize {
        self.factors.len()
    }

    /// The signature of a set; repeated elements have no effect.
    pub fn signature(&self, elements: &[u64]) -> Signature {
        let mut components = vec![EMPTY_COMPONENT; self.num_perm()];
        self.fill(elements, &mut components);
        Signature(components)
    }

    /// Overwrites `components`, of length [`Self::num_perm`], with the signature of `elements`.
    pub fn fill(&self, elements: &[u64], components: &mut [u32]) {
        self.kernel.fill_signature(elements, self.seed, &self.factors, components);
    }
}

//! One-permutation hashing with a full MinHash for the slots that stay empty.
//!
//! Each element falls into one slot, by some bits of one hash, and competes there with its other bits: one step an element
//! (Li, Owen, Zhang, "One Permutation Hashing", NIPS 2012). A small set leaves slots empty. Copying from a neighbour slot
//! (rotation, "optimal" densification) fills them but makes the signature of a union differ from the merged signatures.
//! Instead an empty slot j takes the least g_j(x) = a_j h(x) mod 2^32, a_j odd, over all elements, as in classic MinHash:
//!
//! ```text
//! component   0 | 31 bits of the rank       the element was thrown into this slot
//!             1 | 31 bits of g_j            no element was; least of g_j over the set
//! ```
//!
//! Component j is thus the least element in one fixed order: first all elements that belong to slot j, by rank, then all
//! others, by g_j. So it agrees with probability J, does not depend on the order of insertion, and merges by minimum. Two
//! components share no element in the first case, which brings the variance below that of the classic signature.
//! Elements are taken to be hashes, as shingles are: they are mixed no more than it takes to draw from a seed.

use super::{EMPTY_COMPONENT, Signature};
use crate::ground::hash::SplitMix64;
use crate::kernel::Kernel;

/// The fast MinHash family: about one step an element, plus one per element and empty slot.
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
    factors: Vec<u32>,
}

impl OnePermutationMinHash {
    /// Signatures of `num_perm` components; equal seeds give comparable signatures.
    pub fn new(num_perm: usize, seed: u64) -> Self {
        Self::with_kernel(num_perm, seed, Kernel::detect())
    }

    /// The same with a given version of the inner loops; the signatures do not depend on it.
    pub fn with_kernel(num_perm: usize, seed: u64, kernel: Kernel) -> Self {
        let mut random = SplitMix64::new(seed);
        let seed = random.next_u64();
        Self { kernel, seed, factors: (0..num_perm).map(|_| random.next_u64() as u32 | 1).collect() }
    }

    /// Number of components of a signature.
    pub fn num_perm(&self) -> usize {
        self.factors.len()
    }

    /// The signature of a set; repeated elements change nothing.
    pub fn signature(&self, elements: &[u64]) -> Signature {
        let mut components = vec![EMPTY_COMPONENT; self.num_perm()];
        self.fill(elements, &mut components);
        Signature(components)
    }

    /// Writes the signature of `elements` over `components`, of which there are [`Self::num_perm`].
    pub fn fill(&self, elements: &[u64], components: &mut [u32]) {
        self.kernel.fill_signature(elements, self.seed, &self.factors, components);
    }
}

//! One-permutation hashing with a full MinHash for the slots that stay empty.
//!
//! Each element falls into one slot, by some bits of one hash, and competes there with its other bits: one step an element
//! (Li, Owen, Zhang, "One Permutation Hashing", NIPS 2012). A small set leaves slots empty. Copying from a neighbour slot
//! (rotation, "optimal" densification) fills them but makes the signature of a union differ from the merged signatures.
//! Instead an empty slot j takes the least g_j(x) over all elements, as in classic MinHash:
//!
//! ```text
//! component   0 | 31 bits of the rank       the element was thrown into this slot
//!             1 | 31 bits of g_j            no element was; least of g_j over the set
//! ```
//!
//! Component j is thus the least element in one fixed order: first all elements that belong to slot j, by rank, then all
//! others, by g_j. So it agrees with probability J, does not depend on the order of insertion, and merges by minimum. Two
//! components share no element in the first case, which brings the variance below that of the classic signature.

use super::{EMPTY_COMPONENT, Signature};
use crate::hash::{SplitMix64, mix64};

/// Marks a component that comes from the second round.
const FALLBACK: u32 = 1 << 31;

/// The fast MinHash family: about one step an element, plus one per element and empty slot.
///
/// ```
/// # use lookalike_core::sketch::OnePermutationMinHash;
/// let family = OnePermutationMinHash::new(128, 1);
/// let (mut left, right) = (family.signature(&[1, 2, 3]), family.signature(&[3, 4]));
/// left.merge(&right)?;
/// assert_eq!(left, family.signature(&[4, 3, 2, 1]));
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct OnePermutationMinHash {
    seed: u64,
    slot_seeds: Vec<u32>,
}

impl OnePermutationMinHash {
    /// Signatures of `num_perm` components; equal seeds give comparable signatures.
    pub fn new(num_perm: usize, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let seed = random.next_u64();
        Self { seed, slot_seeds: (0..num_perm).map(|_| random.next_u64() as u32).collect() }
    }

    /// Number of components of a signature.
    pub fn num_perm(&self) -> usize {
        self.slot_seeds.len()
    }

    /// The signature of a set; repeated elements change nothing.
    pub fn signature(&self, elements: &[u64]) -> Signature {
        let mut components = vec![EMPTY_COMPONENT; self.num_perm()];
        self.fill(elements, &mut components);
        Signature(components)
    }

    /// Writes the signature of `elements` over `components`, of which there are [`Self::num_perm`].
    pub fn fill(&self, elements: &[u64], components: &mut [u32]) {
        components.fill(EMPTY_COMPONENT);
        let slots = components.len() as u64;
        for &element in elements {
            let hash = mix64(element ^ self.seed);
            // The upper half chooses the slot (a multiplication instead of a division), the lower half is the rank.
            let slot = ((hash >> 32) * slots) >> 32;
            if let Some(component) = components.get_mut(slot as usize) {
                *component = (*component).min(hash as u32 >> 1);
            }
        }
        for (component, &slot_seed) in components.iter_mut().zip(&self.slot_seeds) {
            if *component == EMPTY_COMPONENT {
                let least = elements.iter().map(|&element| scatter(element as u32 ^ slot_seed)).min();
                // Never the mark of an empty set: that one value is shared with its neighbour.
                *component = least.map_or(EMPTY_COMPONENT, |least| (FALLBACK | least >> 1).min(EMPTY_COMPONENT - 1));
            }
        }
    }
}

/// A bijection on 32 bits by two multiplications ("lowbias32", Wellons 2018): vector units have no 64-bit one.
fn scatter(mut value: u32) -> u32 {
    value ^= value >> 16;
    value = value.wrapping_mul(0x7FEB_352D);
    value ^= value >> 15;
    value = value.wrapping_mul(0x846C_A68B);
    value ^ value >> 16
}

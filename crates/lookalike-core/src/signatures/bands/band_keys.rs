//! Blocking keys of the MinHash method: the band keys of the signature.

use crate::kernel::Kernel;
use crate::keys::{Banding, BlockingKey};
use crate::signatures::OnePermutationMinHash;

/// Computes the band keys of sets. Owns a reusable buffer: create one per thread.
#[derive(Debug, Clone)]
pub struct BandKeys {
    family: OnePermutationMinHash,
    banding: Banding,
    components: Vec<u32>,
}

impl BandKeys {
    /// Band keys of one-permutation signatures with `banding.num_perm()` components and parameters drawn from `seed`.
    pub fn new(banding: Banding, seed: u64, kernel: Kernel) -> Self {
        let num_perm = banding.num_perm();
        let family = OnePermutationMinHash::with_kernel(num_perm, seed, kernel);
        Self { family, banding, components: vec![0; num_perm] }
    }

    /// Appends the band keys of one set, one per band; none for an empty set.
    pub fn append(&mut self, set: &[u64], keys: &mut Vec<BlockingKey>) {
        self.family.fill(set, &mut self.components);
        keys.extend(self.banding.keys(&self.components).map(|hash| BlockingKey { hash, position: 0 }));
    }
}

//! The sides of random planes on which vectors lie: a filter of candidates that projections have found.
//!
//! Unlike the other sketches this one is no proof: two vectors that differ in many sides are unlikely to be near, and
//! how unlikely is a part of the recall that is promised ([`super::ProjectionPlan`]) and of the recall that is
//! measured. A candidate costs a cache line in place of a vector.

use crate::base::{Array, DocId};
use crate::kernel::Kernel;

/// The sides of all documents, and in how many of them near-duplicates may differ.
#[derive(Debug, Clone)]
pub struct PlaneBits {
    words: Array<[u64; Self::WORDS]>,
    max_differing: u32,
}

impl PlaneBits {
    /// Words of the sides of a document.
    pub const WORDS: usize = 4;
    /// Number of planes.
    pub const PLANES: usize = Self::WORDS * u64::BITS as usize;

    /// The sides by document.
    pub fn new(words: Array<[u64; Self::WORDS]>, max_differing: u32) -> Self {
        Self { words, max_differing }
    }

    /// The sides of a document.
    #[inline]
    pub fn get(&self, document: DocId) -> [u64; Self::WORDS] {
        self.words.slice(document.index()..document.index() + 1)[0]
    }

    /// Appends the places of those of `others` that `one`, given by their sides, is not refused with; the places do not
    /// depend on the kernel.
    pub fn append_near(
        &self,
        kernel: Kernel,
        one: &[u64; Self::WORDS],
        others: &[[u64; Self::WORDS]],
        near: &mut Vec<u32>,
    ) {
        kernel.append_near(one, others, self.max_differing, near);
    }

    /// Returns whether two documents differ in more sides than near-duplicates may.
    #[inline]
    pub fn refuse(&self, pair: [DocId; 2]) -> bool {
        let [a, b] = pair.map(|document| self.get(document));
        let differing: u32 = a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum();
        differing > self.max_differing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::SplitMix64;

    #[test]
    fn what_is_near_is_what_is_not_refused_by_all_kernels() {
        let mut random = SplitMix64::new(4);
        let base: [u64; PlaneBits::WORDS] = std::array::from_fn(|_| random.next_u64());
        // Each differs from the first in a few bits more than the one before.
        let words: Vec<_> = (0..200u32)
            .map(|flips| {
                let mut words = base;
                (0..flips).for_each(|bit| words[(bit % 4) as usize] ^= 1 << (bit / 4));
                words
            })
            .collect();
        let planes = PlaneBits::new(Array::Owned(words.clone()), 77);
        let expected: Vec<u32> = (0..200).filter(|&other| !planes.refuse([DocId(0), DocId(other)])).collect();
        assert_eq!(expected.len(), 78);
        for &kernel in Kernel::available() {
            let mut near = Vec::new();
            planes.append_near(kernel, &planes.get(DocId(0)), &words, &mut near);
            assert_eq!(near, expected, "{kernel:?}");
        }
    }
}

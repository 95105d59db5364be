//! The space of fingerprints: strings of bits.

use super::Hamming;
use crate::documents::ElementSets;
use crate::kernel::Kernel;
use crate::similarity::{Agreement, Algebra, CandidatePair, DocumentBlock, PlainBlock, Space};

/// Fingerprints with their Hamming distance.
#[derive(Debug)]
pub(crate) struct BitSpace<'a> {
    sets: &'a ElementSets,
    measure: Hamming,
    kernel: Kernel,
}

impl<'a> BitSpace<'a> {
    pub(crate) fn new(sets: &'a ElementSets, measure: Hamming, kernel: Kernel) -> Self {
        Self { sets, measure, kernel }
    }
}

impl Space for BitSpace<'_> {
    fn sets(&self) -> &ElementSets {
        self.sets
    }

    fn verify(&self, pair: CandidatePair) -> Option<Agreement> {
        self.measure.verify(self.kernel, self.sets.get(pair.a), self.sets.get(pair.b))
    }

    fn compare(&self, pair: CandidatePair) -> Agreement {
        self.measure.compare(self.kernel, self.sets.get(pair.a), self.sets.get(pair.b))
    }

    fn block(&self) -> Box<dyn DocumentBlock + '_> {
        Box::new(PlainBlock::new(self))
    }
}

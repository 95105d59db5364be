//! The choice of the blocking keys for a decided method: the one place that knows which maker belongs to which.

use super::{Bands, BitSearch, SearchPlan, SetSearch, VectorSearch};
use crate::base::{Error, Result};
use crate::bits::{Hamming, SampledBits, TableKeys};
use crate::documents::WeightedSet;
use crate::kernel::Kernel;
use crate::keys::{BlockingKey, FrequencyTable};
use crate::sets::PrefixKeys;
use crate::signatures::BandKeys;
use crate::terms::SimHashKeys;

/// Computes the blocking keys of sets by one method. Owns reusable buffers: clone one per thread.
#[derive(Debug, Clone)]
pub enum KeyMaker<'a> {
    /// Prefix keys, of the exact method.
    Prefix(PrefixKeys<'a>),
    /// Band keys, of the MinHash method.
    Bands(BandKeys),
    /// Table keys, of the SimHash method.
    SimHash(SimHashKeys),
    /// Table keys of fingerprints, of the exact method.
    Tables(TableKeys<'a>),
    /// Bands of sampled bits of fingerprints.
    SampledBits(SampledBits),
}

/// Documents for which fingerprints are divided, where the number is not known; any number finds the same pairs.
const EXPECTED_DOCUMENTS: u64 = 1 << 20;

impl<'a> KeyMaker<'a> {
    /// The maker for a plan of a search. The exact method of sets needs the `frequencies` of the elements of all sets;
    /// the result does not depend on the kernel.
    ///
    /// # Errors
    /// [`Error::CountsNeeded`] for a measure that weighs terms by their counts ([`WeightedKeys`](crate::terms::WeightedKeys)
    /// has their blocking keys); [`Error::FrequenciesNeeded`] for the exact method without frequencies;
    /// [`Error::UndecidedMethod`] where the cost decides, and for all pairs of vectors; [`Error::AllSetsNeeded`] for
    /// keys that depend on those of all documents ([`crate::sets::ContainmentKeys`]).
    pub fn new(plan: SearchPlan, frequencies: Option<&'a FrequencyTable>, kernel: Kernel) -> Result<Self> {
        match plan {
            SearchPlan::Sets { measure, by } => match by {
                SetSearch::Exact => {
                    let frequencies = frequencies.ok_or(Error::FrequenciesNeeded)?;
                    Ok(Self::Prefix(PrefixKeys::new(frequencies, measure)))
                }
                SetSearch::MinHash(bands) => Ok(Self::minhash(bands, kernel)),
                SetSearch::SimHash(bands) => Ok(Self::simhash(bands)),
                SetSearch::Fingerprint(_) => Err(Error::AllSetsNeeded { method: "fingerprint" }),
                SetSearch::Cheapest(_) => Err(Error::UndecidedMethod),
            },
            SearchPlan::Terms { .. } => Err(Error::CountsNeeded),
            SearchPlan::Bits { hamming, by } => match by {
                BitSearch::Exact => Ok(Self::Tables(TableKeys::new(hamming, EXPECTED_DOCUMENTS, &[]))),
                BitSearch::Sampling(bands) => Ok(Self::sampling(bands, hamming)),
            },
            SearchPlan::Vectors { by, .. } => match by {
                VectorSearch::Projections(_) => Err(Error::AllSetsNeeded { method: "of projections" }),
                VectorSearch::Exact | VectorSearch::Cheapest(_) => Err(Error::UndecidedMethod),
            },
        }
    }

    /// The maker of the keys of MinHash bands.
    pub fn minhash(Bands { banding, seed, .. }: Bands, kernel: Kernel) -> Self {
        Self::Bands(BandKeys::new(banding, seed, kernel))
    }

    /// The maker of the keys of sampled bits.
    pub fn sampling(Bands { banding, seed, .. }: Bands, hamming: Hamming) -> Self {
        Self::SampledBits(SampledBits::new(banding, hamming.width, seed))
    }

    /// The maker of the keys of SimHash tables.
    pub(super) fn simhash(Bands { banding, seed, .. }: Bands) -> Self {
        Self::SimHash(SimHashKeys::new(banding, seed))
    }

    /// Appends the blocking keys of one set, whose elements strictly ascend.
    #[inline]
    pub fn append(&mut self, set: &[u64], keys: &mut Vec<BlockingKey>) {
        self.append_weighted(WeightedSet::of_ones(set), keys);
    }

    /// Appends the blocking keys of one weighted set.
    #[inline]
    pub(super) fn append_weighted(&mut self, weighted: WeightedSet<'_>, keys: &mut Vec<BlockingKey>) {
        let set = weighted.elements().elements();
        match self {
            Self::Prefix(maker) => maker.append(set, keys),
            Self::Bands(maker) => maker.append(set, keys),
            Self::SimHash(maker) => maker.append(weighted, keys),
            Self::Tables(maker) => maker.append(set, keys),
            Self::SampledBits(maker) => maker.append(set, keys),
        }
    }
}

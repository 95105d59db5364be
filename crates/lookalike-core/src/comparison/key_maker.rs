//! The choice of the blocking keys for a decided method: the one place that knows which maker belongs to which.

use super::{Measure, Search};
use crate::bits::{SampledBits, TableKeys};
use crate::documents::WeightedSet;
use crate::ground::details::KeysOfAll;
use crate::ground::{Error, Result};
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
    /// The maker for near-duplicates by `measure`. The exact method needs the `frequencies` of the elements of all
    /// sets; the result does not depend on the kernel.
    ///
    /// # Errors
    /// [`Error::CountsNeeded`] for a measure that weighs terms by their counts ([`WeightedKeys`](crate::terms::WeightedKeys)
    /// has their blocking keys); [`Error::FrequenciesNeeded`] for the exact method without frequencies;
    /// [`Error::UndecidedMethod`] for [`Search::Cheapest`]; [`Error::AllSetsNeeded`] for [`Search::Fingerprint`], whose
    /// keys depend on those of all documents ([`crate::sets::ContainmentKeys`]).
    pub fn new(
        search: Search,
        measure: Measure,
        frequencies: Option<&'a FrequencyTable>,
        kernel: Kernel,
    ) -> Result<Self> {
        if measure.weighted().is_some() {
            return Err(Error::CountsNeeded);
        }
        match search {
            // All pairs are compared.
            Search::Exact if measure.is_of_vectors() => Err(Error::UndecidedMethod),
            Search::Exact => match measure.hamming() {
                Some(hamming) => Ok(Self::Tables(TableKeys::new(hamming, EXPECTED_DOCUMENTS, &[]))),
                None => {
                    let frequencies = frequencies.ok_or(Error::FrequenciesNeeded)?;
                    Ok(Self::Prefix(PrefixKeys::new(frequencies, measure)))
                }
            },
            Search::MinHash { banding, seed } => Ok(Self::Bands(BandKeys::new(banding, seed, kernel))),
            Search::SimHash { tables, seed } => Ok(Self::SimHash(SimHashKeys::new(tables, seed))),
            Search::Fingerprint(_) => Err(Error::AllSetsNeeded { method: KeysOfAll::Fingerprint }),
            Search::BitSampling { banding, seed } => {
                let width = measure.hamming().map_or(0, |hamming| hamming.width);
                Ok(Self::SampledBits(SampledBits::new(banding, width, seed)))
            }
            Search::Projections(_) => Err(Error::AllSetsNeeded { method: KeysOfAll::Projections }),
            Search::Cheapest { .. } | Search::CheapestOfVectors(_) => Err(Error::UndecidedMethod),
        }
    }

    /// Appends the blocking keys of one set, whose elements strictly ascend.
    #[inline]
    pub fn append(&mut self, set: &[u64], keys: &mut Vec<BlockingKey>) {
        match self {
            Self::Prefix(maker) => maker.append(set, keys),
            Self::Bands(maker) => maker.append(set, keys),
            Self::SimHash(maker) => maker.append(WeightedSet::of_ones(set), keys),
            Self::Tables(maker) => maker.append(set, keys),
            Self::SampledBits(maker) => maker.append(set, keys),
        }
    }
}

//! MinHash signatures of sets: families, indexes by their bands, and given signatures as documents.
//!
//! A MinHash signature has one component for each of several fixed orders of all possible elements; the component
//! identifies the minimum of the set in that order. Two sets agree in a component with a probability equal to their
//! Jaccard similarity (Broder 1997), the minimum of a union is the smaller of two minima, and the order of insertion
//! has no effect. All families here have these three properties, as tests verify.
//!
//! | family | cost | for |
//! |---|---|---|
//! | [`DatasketchMinHash`] | elements x permutations | signatures that users of datasketch keep |
//! | [`OnePermutationMinHash`] | about one step per element | all methods of this crate |
//!
//! [`SignatureScheme`] names those of which signatures are written; [`BandTables`] finds those that share a band,
//! [`PrefixTrees`] those that share the longest part of one, and [`BloomFilter`] tells whether a band was seen.
//! Signatures of weighted sets, by weighted Jaccard similarity, are those of a [`ConsistentSampler`].
//!
//! [`BandKeys`] are the blocking keys of the method `minhash`. Signatures that somebody else has made are documents:
//! [`SignatureElements`] makes sets of them, [`SignatureAgreement`] is their measure.

mod bands;
mod consistent;
mod datasketch;
mod estimate_intervals;
mod one_permutation;
mod scheme;
mod sha1_hashes;
mod signature;
mod signature_agreement;
mod signature_elements;

pub use crate::base::hash::sha1_hash32;
pub use crate::kernel::{Additions, EMPTY_COMPONENT};
pub use bands::{BandKeys, BandTables, BloomFilter, ByteSignatures, JaccardEstimate, PrefixTrees};
pub use consistent::{ConsistentSample, ConsistentSampler};
pub use datasketch::{DatasketchMinHash, DatasketchScheme};
pub use estimate_intervals::{EstimateIntervals, INTERVAL_COVERAGE, estimate_interval};
pub use one_permutation::OnePermutationMinHash;
pub use scheme::{SignatureScheme, Signer};
pub use sha1_hashes::Sha1Hasher;
pub use signature::{Estimate, Signature};
pub use signature_agreement::SignatureAgreement;
pub use signature_elements::{SignatureElements, components_of_elements};

#[cfg(test)]
mod tests;

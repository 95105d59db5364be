//! The search for candidates: the noun [`Method`], and the steps from element sets to candidate pairs.
//!
//! A method is a choice of *blocking keys*: two documents that share one become a candidate pair.
//!
//! ```text
//! exact     the rarest elements of a set (prefix filter)       similar sets share one, always
//!           of containment: a prefix of the contained one, all of the container
//! minhash   the band keys of its signature                     similar sets share one, with the probability asked for
//! fingerprint   of containment: a prefix of the selected       containers share one, with the probability asked for
//!           elements of the contained one, all of the other
//! simhash   the tables of its fingerprint                      the same, by the angle of weighted sets
//! exact     of fingerprints: tables of blocks of bits          near ones agree in one, always
//! hyperplanes   of vectors: bands of sides of random planes      the same, by the angle
//! p-stable      of vectors: bands of cells of projections        the same, by the distance
//! bit sampling  bands of sampled bits                          near ones agree in one, with the probability asked for
//!
//! set --KeyMaker--> BlockingKeys --share--> SharedKeys --KeyIndex, size and position filter--> candidates
//! ```
//!
//! Index, filters, verification and decisions are the same code for both. Singletons, blocking keys of only one
//! document, are dropped before the index is built; in real text most blocking keys are singletons, and most documents
//! have no others.

mod bands;
mod bits;
mod blocking_keys;
pub mod cost;
mod exact_keys;
mod fingerprint;
mod frequency;
mod index;
mod key_maker;
mod key_slots;
#[expect(clippy::module_inception, reason = "the noun of this room has a file of its own")]
mod method;
mod numbering;
pub mod plan;
mod projections;
mod ranked;
mod runs;
mod sample;
mod simhash;
mod stored_keys;

pub use bands::{
    BandKey, BandKeys, Banding, ByteSignatures, EstimateIntervals, INTERVAL_COVERAGE, JaccardEstimate,
    estimate_interval, reaching_by_interval,
};
pub use bits::{BitJoin, Cut, KeyCounts, NearBits, SampledBits, ShortBits, TableCosts, TableKeys};
pub use blocking_keys::{BlockingKey, BlockingKeys, SharedKey, SharedKeys};
pub use cost::{Meeting, Scale, Work};
pub use exact_keys::{ContainedElements, ContainmentKeys, PrefixKeys, WeightedKeys};
pub use fingerprint::{
    Fingerprint, FingerprintEstimate, FingerprintPlan, FingerprintPrefixes, Selected, Selection, Winnower,
    probability_of_common, winnow_text,
};
pub use frequency::{FrequencyTable, Partition, TablePart, TableParts};
pub use index::{IndexReader, IndexWriter, KeyIndex, KeyProbe, VisitMarks};
pub use key_maker::KeyMaker;
pub use method::{Method, MinHash, Search};
pub use numbering::NumberedKeys;
pub use plan::bits_within;
pub use projections::{
    Projected, ProjectionKeys, ProjectionPlan, Projections, Spread, cell_agreement, plane_agreement, sides_pass,
};
pub use ranked::{RankedDocuments, Roles};
pub use runs::Runs;
pub use sample::{Sample, SampleBuffers};
pub use simhash::{SimHash, SimHashKeys, differing_bit, probability_by_tables};
pub use stored_keys::{ElementOrder, StoredKeys};

#[cfg(test)]
mod tests;

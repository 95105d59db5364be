//! The parameters of a job, each an enum over the modules of the kinds of documents, and what needs all of them.
//!
//! ```text
//! Features     parameter: how a text is cut, hashed and counted
//! Extractor    Content -> elements or words, by the features
//! Measure      parameter: a similarity with its threshold
//! Verifier     candidate pair -> verified pair, by a PairCheck: the one decision about pairs
//! EqualSets    groups of documents with equal sets
//! Method       parameter: how candidates are found
//! SearchPlan   the combinations of a measure with a method that exist
//! KeyMaker     set -> blocking keys, by the method; StoredKeys: those of a stored index
//! Sample       the exact near-duplicates of a sample: the recall
//! cost         whether `auto` takes exact
//! ```
//!
//! A method is a choice of *blocking keys*: two documents that share one become a candidate pair.
//!
//! ```text
//! exact     the rarest elements of a set (prefix filter)       similar sets share one, always
//!           of containment: a prefix of the contained one, all of the container
//! minhash   the band keys of its signature                     similar sets share one, with the requested probability
//! fingerprint   of containment: a prefix of the selected       containers share one, with the requested probability
//!           elements of the contained one, all of the other
//! simhash   the tables of its fingerprint                      the same, by the angle of weighted sets
//! exact     of fingerprints: tables of blocks of bits          near ones agree in one, always
//! hyperplanes   of vectors: bands of sides of random planes      the same, by the angle
//! p-stable      of vectors: bands of cells of projections        the same, by the distance
//! bit sampling  bands of sampled bits                          near ones agree in one, with the requested probability
//! ```
//!
//! Index, filters, verification and decisions are the same code for all.

pub mod cost;
mod equal_sets;
mod extractor;
mod features;
mod key_maker;
mod measure;
mod method;
mod ranked;
mod sample;
mod search_plan;
mod stored_keys;
mod verify;

pub use cost::{ComparedPairs, Scale, Work};
pub use equal_sets::EqualSets;
pub use extractor::Extractor;
pub use features::Features;
pub use key_maker::KeyMaker;
pub use measure::{Measure, MeasureKind, MeasureName, MeasureOptions, reaching_by_interval};
pub use method::{Bands, Method, MinHash};
pub use ranked::{RankedDocuments, Roles};
pub use sample::{Sample, SampleBuffers};
pub use search_plan::{BitSearch, SearchPlan, SetSearch, TermSearch, VectorSearch};
pub use stored_keys::StoredKeys;
pub use verify::{MeasuredSpace, PairCheck, VerifiedPair, Verifier};

#[cfg(test)]
pub(crate) mod tests;

//! Blocking keys for all documents: which method makes them, and numbers for those that documents share.
//!
//! ```text
//! ElementSets --frequencies--> PrefixKeys --+
//!             --------------> BandKeys,  --+--KeyDictionary--> SharedKeys --> candidates, recall
//! ```

mod bit_keys;
mod chunks;
mod dictionary;
mod fingerprints;
mod frequencies;
mod keys;
mod method;
mod numbered_part;
mod projection_keys;
mod recall;
mod weigh;

pub(crate) use fingerprints::{for_each_fingerprint, for_each_signature};
pub(crate) use keys::KeySource;
pub(crate) use method::{AboutKeys, MethodKeys};
pub use method::{MethodUsed, UsedFingerprints, UsedProjections};
pub(crate) use projection_keys::plane_bits;
pub use recall::MeasuredRecall;
pub(crate) use recall::{measure as measure_recall, measure_containment as measure_recall_of_containment};

#[cfg(test)]
mod tests;

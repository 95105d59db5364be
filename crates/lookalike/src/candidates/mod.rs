//! Blocking keys for all documents: which method makes them, and numbers for those that documents share.
//!
//! ```text
//! ElementSets --frequencies--> PrefixKeys --+
//!             --------------> BandKeys   --+--KeyDictionary--> SharedKeys --> candidates, recall
//! ```

mod bit_keys;
mod chunks;
mod dictionary;
mod fingerprints;
mod frequencies;
mod keys;
mod method;
mod numbered_part;
mod recall;
mod weigh;

pub(crate) use fingerprints::for_each_fingerprint;
pub(crate) use keys::KeySource;
pub use method::MethodUsed;
pub(crate) use method::{AboutKeys, MadeKeys};
pub use recall::MeasuredRecall;
pub(crate) use recall::measure as measure_recall;

#[cfg(test)]
mod tests;

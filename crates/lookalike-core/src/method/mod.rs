//! How candidates are found: the noun [`Method`], and all that turns element sets into pairs worth verifying.
//!
//! Every method is a choice of *blocking keys*: two documents that share one become a candidate pair.
//!
//! ```text
//! exact     the rarest elements of a set (prefix filter)       similar sets share one, always
//! minhash   the band keys of its signature                     similar sets share one, with the probability asked for
//!
//! set --PrefixKeys | BandKeys--> BlockingKeys --share--> SharedKeys --KeyIndex, size and position filter--> candidates
//! ```
//!
//! All that follows (index, filters, verification, decisions) is the same code for both. Singleton keys, which only one document has,
//! are dropped before the index is built; in real text that is most of them, and most documents vanish with them.

mod band_keys;
mod banding;
mod blocking_keys;
mod cost;
mod frequency;
mod index;
#[expect(clippy::module_inception, reason = "the noun of this room has a file of its own")]
mod method;
mod numbering;
pub mod plan;
mod prefix_keys;
mod sample;

pub use band_keys::BandKeys;
pub use banding::{BandKey, Banding};
pub use blocking_keys::{BlockingKey, BlockingKeys, SharedKey, SharedKeys};
pub use cost::{Meeting, Verdict, weigh_exact, weigh_minhash};
pub use frequency::{FrequencyTable, Partition};
pub use index::{IndexReader, IndexWriter, KeyIndex, VisitMarks};
pub use method::{Method, MinHash, Search};
pub use numbering::NumberedKeys;
pub use prefix_keys::PrefixKeys;
pub use sample::{Sample, SampleBuffers};

#[cfg(test)]
mod tests;

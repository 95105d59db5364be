//! Which pairs are worth verifying: every method is a choice of keys that similar sets must, or very likely, share.
//!
//! ```text
//! exact     the rarest elements of a set (prefix filter)       similar sets share one, always
//! minhash   the band keys of its signature                     similar sets share one, with the probability asked for
//!
//! set --method--> IndexKeys --link--> LinkedKeys --KeyIndex, size and position filter--> CandidatePair
//! ```
//!
//! All that follows (index, filters, verification, decisions) is the same code for both. Keys that only one document has
//! are dropped before the index is built; in real text that is most of them, and most documents vanish with them.

mod band_keys;
mod frequency;
mod index;
mod index_keys;
mod prefix_keys;

pub use band_keys::BandKeys;
pub use frequency::{FrequencyTable, Partition};
pub use index::{IndexPart, KeyIndex, VisitMarks};
pub use index_keys::{IndexKey, IndexKeys, LinkedKey, LinkedKeys, NumberedKeys};
pub use prefix_keys::PrefixKeys;

use crate::document::DocId;

/// Two documents that share a key: worth verifying.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CandidatePair {
    /// One document.
    pub a: DocId,
    /// The other.
    pub b: DocId,
}

#[cfg(test)]
mod tests;

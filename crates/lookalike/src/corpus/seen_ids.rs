//! Which document has an id, by the hash of the id.
//!
//! A hash of 64 bits costs more memory than all else that is known of an id, so it is cut: its first bits name one of
//! many small tables, the other half is kept. Small tables also grow one at a time, where a large one would need room
//! for its old and its new self at once.

use hashbrown::HashTable;
use lookalike_core::DocId;
use lookalike_core::hash::mix64;

const TABLE_BITS: u32 = 8;

/// The documents whose ids were met.
#[derive(Debug)]
pub(crate) struct SeenIds {
    /// By the first bits of the hash: its last bits, and the document.
    tables: Vec<HashTable<(u32, DocId)>>,
}

impl SeenIds {
    pub(crate) fn new() -> Self {
        Self { tables: vec![HashTable::new(); 1 << TABLE_BITS] }
    }

    /// The documents whose id may have this hash: all that have it, and few others.
    pub(crate) fn candidates(&self, hash: u64) -> impl Iterator<Item = DocId> {
        let tag = hash as u32;
        let table = &self.tables[(hash >> (64 - TABLE_BITS)) as usize];
        table.iter_hash(spread(tag)).filter(move |&&(other, _)| other == tag).map(|&(_, document)| document)
    }

    pub(crate) fn insert(&mut self, hash: u64, document: DocId) {
        let tag = hash as u32;
        let table = &mut self.tables[(hash >> (64 - TABLE_BITS)) as usize];
        table.insert_unique(spread(tag), (tag, document), |&(tag, _)| spread(tag));
    }
}

/// A table wants 64 bits.
fn spread(tag: u32) -> u64 {
    mix64(tag.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_that_was_met_is_a_candidate_and_hardly_another() {
        let mut seen = SeenIds::new();
        let hashes: Vec<u64> = (0..20_000).map(mix64).collect();
        for (&hash, number) in hashes.iter().zip(0..) {
            assert_eq!(seen.candidates(hash).count(), 0);
            seen.insert(hash, DocId(number));
        }
        for (&hash, number) in hashes.iter().zip(0..) {
            assert_eq!(seen.candidates(hash).collect::<Vec<_>>(), [DocId(number)]);
        }
    }
}

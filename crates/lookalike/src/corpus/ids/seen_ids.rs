//! Documents by the hashes of their ids.
//!
//! A hash of 64 bits costs more memory than all else that is known of an id, so it is cut: its first bits name one of
//! many small tables, the other half stays. Small tables also grow one at a time, where a large one would need room
//! for its old and its new self at once.
//!
//! The hash function is SipHash, with a random key for each run: ids that collide cannot be chosen without it.

use hashbrown::HashTable;
use lookalike_core::DocId;
use lookalike_core::hash::mix64;
use std::hash::{BuildHasher, RandomState};

const TABLE_BITS: u32 = 8;

/// The documents that have ids, which stand elsewhere.
#[derive(Debug)]
pub(crate) struct SeenIds {
    hasher: RandomState,
    /// Tables by the first bits of the hash, of its last bits and the document.
    tables: Vec<HashTable<(u32, DocId)>>,
}

impl Default for SeenIds {
    fn default() -> Self {
        Self { hasher: RandomState::new(), tables: vec![HashTable::new(); 1 << TABLE_BITS] }
    }
}

impl SeenIds {
    /// Place of an id.
    pub(crate) fn place(&self, id: &[u8]) -> IdPlace {
        let hash = self.hasher.hash_one(id);
        IdPlace { table: (hash >> (64 - TABLE_BITS)) as usize, tag: hash as u32 }
    }

    /// The document at a place that `has_id` takes for the one with the id; called for all that have it, and few
    /// others.
    pub(crate) fn find<E>(
        &self,
        IdPlace { table, tag }: IdPlace,
        mut has_id: impl FnMut(DocId) -> Result<bool, E>,
    ) -> Result<Option<DocId>, E> {
        let mut failed = None;
        let is_it = |&(other, document): &(u32, DocId)| {
            other == tag
                && has_id(document).unwrap_or_else(|error| {
                    failed = Some(error);
                    true
                })
        };
        let found = self.tables[table].find(spread(tag), is_it).map(|&(_, document)| document);
        failed.map_or(Ok(found), Err)
    }

    /// Notes the document with the id that belongs to a place.
    pub(crate) fn insert(&mut self, IdPlace { table, tag }: IdPlace, document: DocId) {
        self.tables[table].insert_unique(spread(tag), (tag, document), |&(tag, _)| spread(tag));
    }
}

/// The place of an id: its table, and what that holds of its hash.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IdPlace {
    table: usize,
    tag: u32,
}

/// A table wants 64 bits.
fn spread(tag: u32) -> u64 {
    mix64(tag.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_that_was_met_is_a_candidate_and_hardly_another() {
        let mut seen = SeenIds::default();
        // Ids that all had one hash in version 0.1.0.
        let ids: Vec<String> = (0..20_000).map(|number| format!("isyenkcsygtfsmti{number:08}dt1v2b4gm")).collect();
        let mut others = 0;
        let mut count_others = |_| {
            others += 1;
            Ok::<_, ()>(false)
        };
        for (id, number) in ids.iter().zip(0..) {
            let place = seen.place(id.as_bytes());
            assert_eq!(seen.find(place, &mut count_others), Ok(None));
            seen.insert(place, DocId(number));
        }
        // 2 * 10^8 pairs meet by chance with a probability of 2^-40.
        assert!(others <= 1, "{others}");
        for (id, number) in ids.iter().zip(0..) {
            let found = seen.find(seen.place(id.as_bytes()), |document| Ok::<_, ()>(document == DocId(number)));
            assert_eq!(found, Ok(Some(DocId(number))));
            assert_eq!(seen.find(seen.place(id.as_bytes()), |_| Err("no disk")), Err("no disk"));
        }
    }
}

//! Blocking keys of the SimHash method: the blocks or bands of the fingerprint.

use crate::documents::WeightedSet;
use crate::ground::hash::hash_sequence;
use crate::keys::{Banding, BlockingKey, bits_at};
use crate::terms::SimHasher;

/// Computes the table keys of weighted sets. Owns reusable buffers: create one per thread.
#[derive(Debug, Clone)]
pub struct SimHashKeys {
    hasher: SimHasher,
    tables: Banding,
    words: Vec<u64>,
}

impl SimHashKeys {
    /// Keys of fingerprints with `tables.num_perm()` bits, of which each table has `tables.rows()`, at most 64.
    pub fn new(tables: Banding, seed: u64) -> Self {
        let words = tables.num_perm().div_ceil(u64::BITS as usize);
        Self { hasher: SimHasher::new(words, seed), tables, words: Vec::new() }
    }

    /// Appends the keys of one set, one per table; none for an empty set.
    pub fn append(&mut self, set: WeightedSet<'_>, keys: &mut Vec<BlockingKey>) {
        if set.elements().is_empty() {
            return;
        }
        self.hasher.fill(set, &mut self.words);
        let words = &self.words;
        let rows = self.tables.rows();
        let key = |table: usize| hash_sequence(table as u64, [bits_at(words, table * rows, rows)]);
        keys.extend((0..self.tables.bands()).map(|table| BlockingKey { hash: key(table), position: 0 }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_cross_words() {
        let words = [0xFF00_0000_0000_0000, 0x0F];
        assert_eq!(bits_at(&words, 0, 16), 0);
        assert_eq!(bits_at(&words, 56, 16), 0x0FFF);
        assert_eq!(bits_at(&words, 60, 12), 0x0FF);
        assert_eq!(bits_at(&words, 0, 64), words[0]);
        assert_eq!(bits_at(&words, 64, 12), 0x0F);
    }
}

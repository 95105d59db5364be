//! The nearest signatures by the prefixes of their bands: those that share the longest prefix of any band come first.
//!
//! Each band is a tree whose levels are the components of the band. It is kept as the sorted list of the band's values:
//! those with a common prefix are one range of it. Algorithm: Bawa, Condie and Ganesan 2005, LSH Forest, section 3,
//! with sorted lists for trees.

use super::BandTables;
use crate::base::Result;
use std::collections::HashSet;

/// Trees over the values that the bands of some signatures had at a time. Those that are added later with a value that
/// was there then are found, too. Once one is removed, the trees are out of date, and others may be missed.
#[derive(Debug, Clone, Default)]
pub struct PrefixTrees {
    /// One entry for each band: the first slot with each value, in ascending order of the values' bytes.
    slots: Vec<Vec<u32>>,
}

impl PrefixTrees {
    /// The trees of all signatures that are in the tables now.
    pub fn new(tables: &BandTables) -> Self {
        let sorted = |band| {
            let mut slots: Vec<u32> = tables.values(band).collect();
            slots.sort_unstable_by_key(|&slot| tables.value(slot, band));
            slots
        };
        Self { slots: (0..tables.band_count()).map(sorted).collect() }
    }

    /// A slot for each value of a band, in ascending order of the values' bytes.
    pub fn values(&self, band: usize) -> &[u32] {
        self.slots.get(band).map_or(&[], Vec::as_slice)
    }

    /// The slots of all signatures of which a band begins with the first bytes of this one's: band by band, values in
    /// ascending order, those with the same value in the order of their insertion. One that shares several bands comes
    /// several times.
    ///
    /// # Errors
    /// As [`BandTables::insert`].
    pub fn sharing_prefix<'a>(
        &'a self,
        tables: &'a BandTables,
        bands: &'a [u8],
        prefix_bytes: usize,
    ) -> Result<impl Iterator<Item = u32> + 'a> {
        tables.check_length(bands)?;
        let width = bands.len() / tables.band_count();
        let prefixes = bands.chunks_exact(width).map(move |value| &value[..prefix_bytes.min(width)]);
        Ok(self.slots.iter().zip(prefixes).enumerate().flat_map(move |(band, (slots, prefix))| {
            let prefix_of = move |slot: u32| tables.value(slot, band).map(|value| &value[..prefix.len()]);
            let first = slots.partition_point(|&slot| prefix_of(slot) < Some(prefix));
            let equal = slots[first..].iter().take_while(move |&&slot| prefix_of(slot) == Some(prefix));
            equal.flat_map(move |&slot| tables.from(slot, band))
        }))
    }

    /// The slots of the `limit` signatures at most that share the longest prefixes with this one, in the order in which
    /// they are found: by all components of a band, by all but one, and so on down to one.
    ///
    /// # Errors
    /// As [`BandTables::insert`].
    pub fn nearest(&self, tables: &BandTables, bands: &[u8], component_bytes: usize, limit: usize) -> Result<Vec<u32>> {
        let mut found = Vec::new();
        let mut is_found = HashSet::new();
        let components = bands.len() / tables.band_count().max(1) / component_bytes.max(1);
        for depth in (1..=components).rev() {
            for slot in self.sharing_prefix(tables, bands, depth * component_bytes)? {
                if found.len() >= limit {
                    return Ok(found);
                }
                if is_found.insert(slot) {
                    found.push(slot);
                }
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::HashKey;
    use proptest::prelude::{prop_assert_eq, proptest};

    proptest! {
        /// Beside a search of all signatures for each depth.
        #[test]
        fn nearest_are_those_with_the_longest_common_prefixes(
            signatures in proptest::collection::vec(proptest::array::uniform6(0u8..3), 0..40),
            query in proptest::array::uniform6(0u8..3),
            limit in 0usize..12,
        ) {
            let mut tables = BandTables::new(2, HashKey::BATCH);
            for signature in &signatures {
                tables.insert(signature).unwrap();
            }
            let trees = PrefixTrees::new(&tables);
            let mut expected: Vec<u32> = Vec::new();
            for depth in (1..=3).rev() {
                for band in 0..2 {
                    let value = |signature: &[u8; 6]| signature[band * 3..][..3].to_vec();
                    let mut near: Vec<_> = (0u32..).zip(&signatures).collect();
                    near.retain(|(_, other)| value(other)[..depth] == value(&query)[..depth]);
                    near.sort_by_key(|(_, other)| value(other));
                    expected.extend(near.iter().map(|&(slot, _)| slot));
                }
            }
            let mut is_found = HashSet::new();
            expected.retain(|&slot| is_found.insert(slot));
            expected.truncate(limit);
            prop_assert_eq!(trees.nearest(&tables, &query, 1, limit).unwrap(), expected);
        }
    }

    #[test]
    fn only_values_that_were_there_are_found() {
        let mut tables = BandTables::new(1, HashKey::BATCH);
        let empty = PrefixTrees::new(&tables);
        assert!(empty.nearest(&tables, &[1, 2], 1, 5).unwrap().is_empty() && empty.values(0).is_empty());
        tables.insert(&[1, 2]).unwrap();
        let trees = PrefixTrees::new(&tables);
        tables.insert(&[1, 2]).unwrap();
        tables.insert(&[1, 3]).unwrap();
        assert_eq!(trees.nearest(&tables, &[1, 3], 1, 5).unwrap(), [0, 1]);
        assert_eq!(trees.values(0), [0]);
        assert!(trees.nearest(&tables, &[1], 1, 5).is_err() && trees.values(1).is_empty());
    }
}

//! Signatures by their bands, in memory, as they come and go: those that share a band with a query are candidates.
//!
//! ```text
//! bands       by slot: the bytes of all bands of a signature, one after the other
//! tables      by band: a hash table of the last slot with each value of the band
//! neighbours  by slot and band: the slots before and after it in the chain of those with the same value
//! ```
//!
//! A slot is the number of a signature; those that were removed are given out again. Values are compared by their
//! bytes, so that hashes that collide make no candidates. Textbook: Leskovec, Rajaraman and Ullman, Mining of Massive
//! Datasets, section 3.4.

use super::last_slots::{Last, LastSlots, NONE};
use crate::base::hash::HashKey;
use crate::base::{Error, Result};
use std::hint::black_box;

/// Signatures by their bands.
#[derive(Debug, Clone)]
pub struct BandTables {
    /// Bytes of a band, if there are signatures.
    width: usize,
    bands: Vec<u8>,
    tables: Vec<LastSlots>,
    /// One entry for each slot and band; those of one slot lie together.
    neighbours: Vec<[u32; 2]>,
    /// Slots that are empty.
    free: Vec<u32>,
    /// One entry for each slot: whether it is taken.
    taken: Vec<bool>,
    hash_key: HashKey,
}

impl BandTables {
    /// No signatures, of so many bands. The hash key should be unknown to whoever chooses the signatures, who could
    /// make a table slow otherwise.
    pub fn new(bands: usize, hash_key: HashKey) -> Self {
        Self {
            width: 0,
            bands: Vec::new(),
            tables: vec![LastSlots::default(); bands],
            neighbours: Vec::new(),
            free: Vec::new(),
            taken: Vec::new(),
            hash_key,
        }
    }

    /// Number of bands.
    pub fn band_count(&self) -> usize {
        self.tables.len()
    }

    /// Number of signatures.
    pub fn len(&self) -> usize {
        self.taken.len() - self.free.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        let of_tables: usize = self.tables.iter().map(LastSlots::bytes).sum();
        let of_neighbours = self.neighbours.capacity() * size_of::<[u32; 2]>();
        self.bands.capacity() + self.taken.capacity() + of_tables + of_neighbours
    }

    /// Adds a signature, given by the bytes of its bands one after the other, and returns its slot.
    ///
    /// # Errors
    /// [`Error::BandBytes`] if it has no bytes, or not as many as the others that are there;
    /// [`Error::TooManyDocuments`] beyond 2^32 - 1 signatures.
    pub fn insert(&mut self, bands: &[u8]) -> Result<u32> {
        self.check_length(bands)?;
        if self.is_empty() {
            // New signatures may be longer or shorter than the removed ones.
            *self = Self::new(self.band_count(), self.hash_key);
        }
        self.width = bands.len() / self.band_count();
        let slot = match self.free.pop() {
            Some(slot) => {
                self.bands[slot as usize * bands.len()..][..bands.len()].copy_from_slice(bands);
                slot
            }
            None => {
                let slot = u32::try_from(self.taken.len()).ok().filter(|&slot| slot != NONE);
                let slot = slot.ok_or(Error::TooManyDocuments)?;
                self.bands.extend_from_slice(bands);
                self.taken.push(false);
                self.neighbours.extend((0..self.tables.len()).map(|_| [NONE; 2]));
                slot
            }
        };
        self.taken[slot as usize] = true;
        let tags = self.tags(bands, self.band_count());
        let places = self.places(bands, &tags);
        for (band, (table, place)) in self.tables.iter_mut().zip(places).enumerate() {
            let before = match place {
                Some(place) => table.replace(place, slot),
                None => {
                    table.insert(Last { tag: tags[band], slot });
                    NONE
                }
            };
            self.neighbours[slot as usize * tags.len() + band] = [before, NONE];
            if before != NONE {
                self.neighbours[before as usize * tags.len() + band][1] = slot;
            }
        }
        Ok(slot)
    }

    /// Removes the signature of a slot; nothing if it is empty.
    pub fn remove(&mut self, slot: u32) {
        if !self.taken.get(slot as usize).is_some_and(|&is_taken| is_taken) {
            return;
        }
        let count = self.tables.len();
        let width = self.width;
        for (band, table) in self.tables.iter_mut().enumerate() {
            let place = |slot: u32| slot as usize * count + band;
            let [before, after] = self.neighbours[place(slot)];
            if before != NONE {
                self.neighbours[place(before)][1] = after;
            }
            if after != NONE {
                self.neighbours[place(after)][0] = before;
                continue;
            }
            // The slot is the last one with its value.
            let value = &self.bands[place(slot) * width..][..width];
            let Some(last) = table.find(tag_of(&self.hash_key, value), |last| last == slot) else { continue };
            match before {
                NONE => table.remove(last),
                before => drop(table.replace(last, before)),
            }
        }
        self.taken[slot as usize] = false;
        self.free.push(slot);
    }

    /// The slots of all signatures that share one of the first bands with these, in ascending order.
    ///
    /// # Errors
    /// As [`BandTables::insert`].
    pub fn candidates(&self, bands: &[u8], first_bands: usize) -> Result<Vec<u32>> {
        self.check_length(bands)?;
        let tags = self.tags(bands, first_bands);
        let places = self.places(bands, &tags);
        let lasts = self.tables.iter().zip(places).enumerate();
        let mut ends: Vec<(usize, u32)> =
            lasts.filter_map(|(band, (table, place))| Some((band, table.slot_at(place?)))).collect();
        // Chains are followed in step.
        let mut found = Vec::with_capacity(2 * ends.len());
        while !ends.is_empty() {
            found.extend(ends.iter().map(|&(_, slot)| slot));
            ends.iter_mut().for_each(|(band, slot)| *slot = self.before(*slot, *band));
            ends.retain(|&(_, slot)| slot != NONE);
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The slots of all signatures with this value of a band, the last one first.
    pub fn slots(&self, band: usize, value: &[u8]) -> impl Iterator<Item = u32> {
        let last = self.last(band, value);
        std::iter::successors(last, move |&slot| Some(self.before(slot, band)).filter(|&before| before != NONE))
    }

    /// The slot before a slot in the chain of a band.
    fn before(&self, slot: u32, band: usize) -> u32 {
        self.neighbours[slot as usize * self.tables.len() + band][0]
    }

    /// The last slot with this value of a band.
    fn last(&self, band: usize, value: &[u8]) -> Option<u32> {
        let table = self.tables.get(band)?;
        let tag = tag_of(&self.hash_key, value);
        table.find(tag, |slot| self.value(slot, band) == Some(value)).map(|place| table.slot_at(place))
    }

    /// The tags of the values of the first bands.
    fn tags(&self, bands: &[u8], first_bands: usize) -> Vec<u32> {
        let values = bands.chunks_exact(bands.len() / self.band_count()).take(first_bands);
        values.map(|value| tag_of(&self.hash_key, value)).collect()
    }

    /// The places of the values of the first bands in their tables, given the tags of these bands.
    ///
    /// Nearly every step waits for memory. So it is made for all bands before the next one is made for any, and without
    /// a branch: the processor then waits for all of them at once.
    fn places(&self, bands: &[u8], tags: &[u32]) -> Vec<Option<usize>> {
        let firsts: Vec<Last> = self.tables.iter().zip(tags).map(|(table, &tag)| table.first(tag)).collect();
        let first_byte = |(band, (last, &tag)): (usize, (&Last, &u32))| {
            let slot = if last.tag == tag && last.slot != NONE { last.slot as usize } else { 0 };
            self.bands.get((slot * self.band_count() + band) * self.width).copied().unwrap_or(0)
        };
        black_box(firsts.iter().zip(tags).enumerate().map(first_byte).fold(0, |all, byte| all ^ byte));
        let values = bands.chunks_exact(bands.len() / self.band_count());
        let place = |((band, table), (value, &tag)): ((usize, &LastSlots), (&[u8], &u32))| {
            table.find(tag, |slot| self.value(slot, band) == Some(value))
        };
        self.tables.iter().enumerate().zip(values.zip(tags)).map(place).collect()
    }

    /// A slot for each value of a band, the first in its chain; in ascending order.
    pub fn values(&self, band: usize) -> impl Iterator<Item = u32> {
        let is_first = move |slot: u32| self.taken[slot as usize] && self.before(slot, band) == NONE;
        let all = if band < self.band_count() { 0..self.taken.len() as u32 } else { 0..0 };
        all.filter(move |&slot| is_first(slot))
    }

    /// A slot and those behind it in the chain of a band, in the order of their insertion.
    pub(super) fn from(&self, slot: u32, band: usize) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(slot), move |&slot| {
            Some(self.neighbours[slot as usize * self.tables.len() + band][1]).filter(|&after| after != NONE)
        })
    }

    /// Number of values of a band.
    pub fn value_count(&self, band: usize) -> usize {
        self.tables.get(band).map_or(0, LastSlots::len)
    }

    /// The bytes of a band of a signature; `None` if there is no such band or signature.
    pub fn value(&self, slot: u32, band: usize) -> Option<&[u8]> {
        let is_there = band < self.band_count() && self.taken.get(slot as usize).is_some_and(|&is_taken| is_taken);
        let start = || slot as usize * self.width * self.band_count() + band * self.width;
        is_there.then(|| &self.bands[start()..][..self.width])
    }

    pub(super) fn check_length(&self, bands: &[u8]) -> Result<()> {
        let found = bands.len();
        let expected = if self.is_empty() { 0 } else { self.width * self.band_count() };
        let is_right = match expected {
            0 => found > 0 && self.band_count() > 0 && found.is_multiple_of(self.band_count()),
            _ => found == expected,
        };
        if is_right { Ok(()) } else { Err(Error::BandBytes { expected, found }) }
    }
}

fn tag_of(hash_key: &HashKey, value: &[u8]) -> u32 {
    (hash_key.token(value) >> u32::BITS) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};
    use std::collections::BTreeMap;

    proptest! {
        /// A random program of insertions and removals, beside a list.
        #[test]
        fn candidates_are_those_with_a_common_band(
            steps in proptest::collection::vec((0u8..4, proptest::array::uniform6(0u8..3)), 1..80),
        ) {
            let mut tables = BandTables::new(3, HashKey::BATCH);
            let mut model: BTreeMap<u32, [u8; 6]> = BTreeMap::new();
            for (kind, signature) in steps {
                if kind == 0 && let Some(&slot) = model.keys().nth(signature[0] as usize) {
                    tables.remove(slot);
                    model.remove(&slot);
                } else {
                    let slot = tables.insert(&signature).unwrap();
                    prop_assert_eq!(model.insert(slot, signature), None);
                }
                prop_assert_eq!(tables.len(), model.len());
                let bands = |&[a, b, c, d, e, f]: &[u8; 6]| [[a, b], [c, d], [e, f]];
                for first in 0..=3 {
                    let shares = |other: &[u8; 6]| (0..first).any(|band| bands(other)[band] == bands(&signature)[band]);
                    let expected: Vec<u32> =
                        model.iter().filter(|(_, other)| shares(other)).map(|(&slot, _)| slot).collect();
                    prop_assert_eq!(tables.candidates(&signature, first).unwrap(), expected);
                }
                for band in 0..3 {
                    let mut values: Vec<_> = model.values().map(|other| bands(other)[band]).collect();
                    values.sort_unstable();
                    values.dedup();
                    prop_assert_eq!(tables.value_count(band), values.len());
                    let slots = tables.values(band);
                    let mut found: Vec<&[u8]> = slots.filter_map(|slot| tables.value(slot, band)).collect();
                    found.sort_unstable();
                    prop_assert_eq!(found, values.iter().map(|value| &value[..]).collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn signatures_of_another_length_are_refused() {
        let mut tables = BandTables::new(2, HashKey::BATCH);
        assert!(tables.insert(&[]).is_err() && tables.insert(&[1, 2, 3]).is_err());
        tables.insert(&[1, 2]).unwrap();
        assert!(matches!(tables.insert(&[1, 2, 3, 4]), Err(Error::BandBytes { expected: 2, found: 4 })));
        assert!(tables.candidates(&[1], 2).is_err());
        assert!(tables.value(7, 0).is_none() && tables.value(0, 2).is_none());
        tables.remove(7);
        tables.remove(0);
        let slot = tables.insert(&[1, 2, 3, 4]).unwrap();
        assert_eq!(tables.candidates(&[0, 0, 3, 4], 2).unwrap(), [slot]);
    }
}

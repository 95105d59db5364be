//! The last slot with each value of a band: a hash table with open addressing.
//!
//! A place holds a tag, which is half of the hash of a value, and a slot. A table grows, and most other values are told
//! apart, by their tags alone, without a look at any value. Linear probing: Knuth, The Art of Computer Programming,
//! section 6.4, algorithms L and R.

/// No slot: an empty place, or the end of a chain.
pub(super) const NONE: u32 = u32::MAX;
/// Content of an empty place.
const EMPTY: Last = Last { tag: 0, slot: NONE };

/// The last slot with a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Last {
    pub(super) tag: u32,
    pub(super) slot: u32,
}

/// The last slot with each value of a band.
#[derive(Debug, Clone, Default)]
pub(super) struct LastSlots {
    /// A power of two of places, or none.
    places: Vec<Last>,
    count: usize,
}

impl LastSlots {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<Last>()
    }

    /// Returns the content of the place where a tag is looked for first.
    pub(super) fn first(&self, tag: u32) -> Last {
        self.places.get(self.home(tag)).copied().unwrap_or(EMPTY)
    }

    /// The place of a value, given by its tag and by a test of slots whose tag is the same.
    pub(super) fn find(&self, tag: u32, is_same: impl Fn(u32) -> bool) -> Option<usize> {
        let mut place = self.home(tag);
        loop {
            let last = self.places.get(place)?;
            if last.slot == NONE {
                return None;
            }
            if last.tag == tag && is_same(last.slot) {
                return Some(place);
            }
            place = self.next(place);
        }
    }

    pub(super) fn slot_at(&self, place: usize) -> u32 {
        self.places[place].slot
    }

    /// Puts another slot in the place of a value; returns the one that was there.
    pub(super) fn replace(&mut self, place: usize, slot: u32) -> u32 {
        std::mem::replace(&mut self.places[place].slot, slot)
    }

    /// Adds a value that has no place yet.
    pub(super) fn insert(&mut self, last: Last) {
        // At most four fifths are taken.
        if 5 * (self.count + 1) > 4 * self.places.len() {
            let places = vec![EMPTY; (2 * self.places.len()).max(8)];
            let before = std::mem::replace(&mut self.places, places);
            before.into_iter().filter(|last| last.slot != NONE).for_each(|last| self.put(last));
        }
        self.put(last);
        self.count += 1;
    }

    fn put(&mut self, last: Last) {
        let mut place = self.home(last.tag);
        while self.places[place].slot != NONE {
            place = self.next(place);
        }
        self.places[place] = last;
    }

    /// Empties a place, and moves those behind it that are found no longer.
    pub(super) fn remove(&mut self, mut place: usize) {
        self.count -= 1;
        let mut next = self.next(place);
        while self.places[next].slot != NONE {
            let home = self.home(self.places[next].tag);
            // True if the search for the value passes the empty place.
            if self.distance(home, place) < self.distance(home, next) {
                self.places[place] = self.places[next];
                place = next;
            }
            next = self.next(next);
        }
        self.places[place] = EMPTY;
    }

    fn mask(&self) -> usize {
        self.places.len().wrapping_sub(1)
    }

    /// The place where a tag is looked for first.
    fn home(&self, tag: u32) -> usize {
        tag as usize & self.mask()
    }

    fn next(&self, place: usize) -> usize {
        (place + 1) & self.mask()
    }

    fn distance(&self, from: usize, to: usize) -> usize {
        to.wrapping_sub(from) & self.mask()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use std::collections::BTreeMap;

    proptest! {
        /// Beside a map, with tags that collide: a value is its slot.
        #[test]
        fn values_are_found_until_they_are_removed(steps in proptest::collection::vec((0u32..12, 0u32..40), 0..200)) {
            let mut table = LastSlots::default();
            let mut model: BTreeMap<u32, u32> = BTreeMap::new();
            for (tag, slot) in steps {
                // A slot has one tag, of few.
                let tag = (tag + slot) % 3 * 5 + slot % 4;
                match (model.get(&slot).copied(), table.find(tag, |found| found == slot)) {
                    (Some(known), Some(place)) if known == tag => {
                        table.remove(place);
                        model.remove(&slot);
                    }
                    (Some(_), None) => {}
                    (None, None) => {
                        table.insert(Last { tag, slot });
                        model.insert(slot, tag);
                    }
                    other => prop_assert!(false, "{:?}", other),
                }
                for (&slot, &tag) in &model {
                    prop_assert!(table.find(tag, |found| found == slot).is_some_and(|at| table.slot_at(at) == slot));
                }
                prop_assert_eq!(table.len(), model.len());
            }
        }
    }

    #[test]
    fn an_empty_table_has_nothing() {
        let table = LastSlots::default();
        assert_eq!((table.first(7).slot, table.find(7, |_| true), table.len()), (NONE, None, 0));
    }
}

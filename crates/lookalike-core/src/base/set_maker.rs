//! Sets of uniformly distributed hashes: sorted, each once.
//!
//! The upper bits of a hash predict its rank, so a hash table that probes linearly has its elements nearly in order. A
//! hash whose slot is taken is put aside at first, without a branch; then these are inserted so that each run of filled
//! slots ascends, and the table is read from one end to the other:
//!
//! ```text
//! hashes   31.. 90.. 32.. 31.. 77..         upper bits and the rest
//! table    | 31.. | | | | 77.. | | 90.. |   put aside: 32.., which meets 31.., and the second 31.., dropped at once
//!          | 31.. | 32.. | | | 77.. | | 90.. |
//! set      31.. 32.. 77.. 90..
//! ```
//!
//! Every hash stands at its slot or behind it, with no free slot between, so all before its slot are smaller. With four
//! to eight slots an element few are put aside. It was compared with sorting in bins: see
//! bench/results/dedup.md.

use super::sorter::{Sorter, drop_repetitions};
use crate::base::Ragged;

/// Elements up to which a table has 2 MiB at most. More are dealt by their first bits.
const MAX_ELEMENTS: usize = 1 << 15;
/// Maximum number of slots from that of a hash to the end of its run. Hashes that are not uniform have longer runs.
const MAX_PROBES: usize = 64;
const WORD: usize = u64::BITS as usize;

/// Makes sets of hashes. Owns reusable buffers: create one per thread.
#[derive(Debug, Default, Clone)]
pub(crate) struct SetMaker {
    /// Hashes; without meaning where `filled` has no bit.
    slots: Vec<u64>,
    /// A bit for each slot.
    filled: Vec<u64>,
    /// Hashes whose slot was taken by another hash.
    aside: Vec<u64>,
    sorter: Sorter,
}

impl SetMaker {
    /// The sorter, for hashes of which equal ones are counted or numbered.
    pub(crate) fn sorter(&mut self) -> &mut Sorter {
        &mut self.sorter
    }

    /// Sorts the hashes from `start` on in ascending order and drops all but one of equal ones.
    pub(crate) fn make(&mut self, hashes: &mut Vec<u64>, start: usize) {
        let length = hashes.len() - start;
        if length <= MAX_ELEMENTS {
            return self.make_part(hashes, start, 0);
        }
        let first_bits = (length / MAX_ELEMENTS).ilog2() + 2;
        let by_first_bits = hashes[start..].iter().map(|&hash| ((hash >> (u64::BITS - first_bits)) as usize, hash));
        let parts = Ragged::group(1 << first_bits, by_first_bits);
        hashes.truncate(start);
        for part in parts.iter() {
            let start = hashes.len();
            hashes.extend_from_slice(part);
            self.make_part(hashes, start, first_bits);
        }
    }

    /// Makes the part of the set that consists of hashes whose `first_bits` are equal.
    fn make_part(&mut self, hashes: &mut Vec<u64>, start: usize, first_bits: u32) {
        let part = &mut hashes[start..];
        let distinct = if self.fill(part, first_bits) {
            self.write_to(part)
        } else {
            self.sorter.sort(part);
            drop_repetitions(part)
        };
        hashes.truncate(start + distinct);
    }

    /// Puts hashes whose `first_bits` are equal into the table. Returns whether it has all of them; if not, they are to
    /// be sorted.
    fn fill(&mut self, hashes: &[u64], first_bits: u32) -> bool {
        if hashes.len() > MAX_ELEMENTS {
            return false;
        }
        let bits = hashes.len().max(1).ilog2() + 3;
        let slot_of = |hash: u64| (hash << first_bits >> (u64::BITS - bits)) as usize;
        let slots = (1 << bits) + MAX_PROBES;
        self.slots.resize(self.slots.len().max(slots), 0);
        self.filled.clear();
        self.filled.resize(slots.div_ceil(WORD), 0);
        self.aside.resize(self.aside.len().max(hashes.len()), 0);
        let mut count = 0;
        for &hash in hashes {
            let at = slot_of(hash);
            let slot = &mut self.slots[at];
            let word = &mut self.filled[at / WORD];
            let there = *slot;
            let is_free = *word >> (at % WORD) & 1 == 0;
            *slot = if is_free { hash } else { there };
            *word |= 1 << (at % WORD);
            self.aside[count] = hash;
            count += usize::from(!is_free & (there != hash));
        }
        (0..count).all(|at| self.insert(self.aside[at], slot_of(self.aside[at])))
    }

    /// Inserts a hash into an ascending run, from its own slot on; returns whether the run was short enough.
    fn insert(&mut self, mut hash: u64, from: usize) -> bool {
        for at in from..from + MAX_PROBES {
            let slot = &mut self.slots[at];
            let word = &mut self.filled[at / WORD];
            if *word >> (at % WORD) & 1 == 0 {
                *slot = hash;
                *word |= 1 << (at % WORD);
                return true;
            }
            if *slot == hash {
                return true;
            }
            if *slot > hash {
                std::mem::swap(slot, &mut hash);
            }
        }
        false
    }

    /// Writes what is in the table to the begin of `set`, in order; returns the number of elements.
    fn write_to(&self, set: &mut [u64]) -> usize {
        let mut places = set.iter_mut();
        for (&word, slots) in self.filled.iter().zip(self.slots.chunks(WORD)) {
            let mut left = word;
            while left != 0
                && let Some(place) = places.next()
            {
                *place = slots[left.trailing_zeros() as usize];
                left &= left - 1;
            }
        }
        let left = places.len();
        set.len() - left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::mix64;
    use proptest::prelude::{any, proptest};

    fn check(hashes: &[u64]) {
        let mut expected = hashes.to_vec();
        expected.sort_unstable();
        expected.dedup();
        let mut maker = SetMaker::default();
        // An earlier set has no effect.
        for _ in 0..2 {
            let mut set = [&[9, 9, 8], hashes].concat();
            maker.make(&mut set, 3);
            assert_eq!(set, [&[9, 9, 8], &expected[..]].concat());
        }
    }

    #[test]
    fn any_number_and_any_distribution_becomes_a_set() {
        for length in [0, 1, 2, 3, 63, 64, 65, 1000, MAX_ELEMENTS, MAX_ELEMENTS + 1, 4 * MAX_ELEMENTS] {
            let numbers = 0..length as u64;
            check(&numbers.clone().map(mix64).collect::<Vec<_>>());
            check(&numbers.clone().rev().collect::<Vec<_>>());
            check(&numbers.clone().map(|number| u64::MAX - number).collect::<Vec<_>>());
            check(&numbers.clone().map(|number| number << 57 | number).collect::<Vec<_>>());
            check(&vec![mix64(5); length]);
            check(&numbers.map(|number| mix64(number % 7)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn all_but_crowded_hashes_have_a_place_in_the_table() {
        let mut maker = SetMaker::default();
        for length in [0, 1, 300, MAX_ELEMENTS as u64] {
            assert!(maker.fill(&(0..length).map(mix64).collect::<Vec<_>>(), 0));
            assert!(maker.fill(&(0..length).map(|number| mix64(number) >> 2).collect::<Vec<_>>(), 2));
        }
        assert!(!maker.fill(&vec![7; MAX_ELEMENTS + 1], 0));
        let last = |count: u64| (0..count).map(|number| u64::MAX - number).collect::<Vec<_>>();
        let probes = MAX_PROBES as u64;
        assert!(maker.fill(&last(probes), 0) && !maker.fill(&last(probes + 1), 0));
        // Hashes whose first bits are 0 crowd the first slots.
        assert!(!maker.fill(&(0..MAX_ELEMENTS as u64).map(|number| mix64(number) >> 12).collect::<Vec<_>>(), 0));
    }

    #[test]
    fn a_table_that_was_given_up_has_no_effect_on_the_next() {
        let mut maker = SetMaker::default();
        for number in [200u64, 3, 200, 90] {
            let (mut crowded, mut uniform): (Vec<u64>, Vec<u64>) =
                ((0..number).rev().collect(), (0..number).map(mix64).collect());
            let mut expected = uniform.clone();
            expected.sort_unstable();
            maker.make(&mut crowded, 0);
            maker.make(&mut uniform, 0);
            assert_eq!(crowded, (0..number).collect::<Vec<_>>());
            assert_eq!(uniform, expected);
        }
    }

    proptest! {
        #[test]
        fn sets_are_those_of_the_standard_library(
            hashes in proptest::collection::vec(any::<u64>(), 0..300),
            near in proptest::collection::vec(0u64..4, 0..300),
            copies in proptest::collection::vec(any::<proptest::sample::Index>(), 0..30),
        ) {
            let copied = copies.iter().filter(|_| !hashes.is_empty()).map(|index| *index.get(&hashes));
            let neighbours = hashes.iter().zip(&near).map(|(hash, near)| hash.wrapping_add(*near));
            check(&hashes.iter().copied().chain(copied).chain(neighbours).collect::<Vec<_>>());
        }
    }
}

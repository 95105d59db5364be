//! The slots of an index over some of many blocking keys, by the numbers of the keys.
//!
//! A bit says of each number whether the index has it; its slot is how many smaller numbers the index has. That takes
//! 1.5 bits a number, and a number that the index does not have, which is the usual case, is known by one look:
//!
//! ```text
//! numbers      0 .. 63        64 .. 127      128 .. 191
//! bits         0100...1       0000...0       1010...0
//! before       0              17             17              number 130 has slot 17 + 1
//! ```
//!
//! Turned down: a hash table, up to 18 bytes for each number that the index has: less only where it has fewer than one
//! in 96.

/// Numbers whose bits are in one word.
const BITS: usize = u64::BITS as usize;

/// A set of numbers of blocking keys that gives each the slot of its rank.
#[derive(Debug, Clone)]
pub(super) struct KeySlots {
    words: Vec<u64>,
    /// One entry for each word: number of bits that are set in all words before it.
    before: Vec<u32>,
    len: usize,
}

impl KeySlots {
    /// The set of `numbers`, which are less than `distinct_keys`.
    pub(super) fn new(distinct_keys: usize, numbers: impl Iterator<Item = u32>) -> Self {
        let mut words = vec![0u64; distinct_keys.div_ceil(BITS)];
        for number in numbers {
            words[number as usize / BITS] |= 1 << (number as usize % BITS);
        }
        let mut len = 0;
        let count = |word: &u64| {
            let before = len;
            len += word.count_ones();
            before
        };
        let before = words.iter().map(count).collect();
        Self { words, before, len: len as usize }
    }

    /// Size in bytes of a set of numbers less than `distinct_keys`.
    pub(super) fn bytes_for(distinct_keys: usize) -> usize {
        (size_of::<u64>() + size_of::<u32>()) * distinct_keys.div_ceil(BITS)
    }

    /// Returns the number of numbers in the set, and so of slots.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The slot of a number, whatever it is; `None` if the set does not have it.
    pub(super) fn get(&self, number: u32) -> Option<usize> {
        let index = number as usize / BITS;
        let bit = number as usize % BITS;
        let word = self.words.get(index).copied().filter(|word| word >> bit & 1 == 1)?;
        let smaller = (word & ((1 << bit) - 1)).count_ones();
        Some((self.before[index] + smaller) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn slots_are_ranks(distinct in 1u32..500, numbers in proptest::collection::vec(0u32..500, 0..200)) {
            let numbers: Vec<u32> = numbers.into_iter().filter(|&number| number < distinct).collect();
            let slots = KeySlots::new(distinct as usize, numbers.iter().copied());
            let sorted: BTreeSet<u32> = numbers.into_iter().collect();
            prop_assert_eq!(slots.len(), sorted.len());
            for number in 0..distinct {
                prop_assert_eq!(slots.get(number), sorted.iter().position(|&other| other == number));
            }
        }
    }

    #[test]
    fn no_numbers_have_no_slots() {
        let slots = KeySlots::new(0, std::iter::empty());
        assert_eq!((slots.len(), KeySlots::bytes_for(0)), (0, 0));
        assert_eq!(KeySlots::new(65, std::iter::empty()).get(64), None);
        assert_eq!(KeySlots::new(65, std::iter::empty()).get(u32::MAX), None);
    }
}

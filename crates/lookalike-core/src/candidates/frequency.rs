//! How many documents an element occurs in, at least.
//!
//! The prefix filter is correct under any fixed order of the elements and good under one that puts rare ones first. So
//! counts need not be exact: a table of counters indexed by the upper bits of the hash will do. Elements that share a
//! counter look more frequent than they are, never less; a count of 1 proves that no other document has the element. This
//! replaces the sort of all elements of the corpus by one pass over them, and its memory can be chosen.

/// Counters of 16 bits that stop at the largest value.
#[derive(Debug, Clone)]
pub struct FrequencyTable {
    counters: Vec<u16>,
    shift: u32,
}

/// Counters per element: with this many, a unique element looks shared in one case of five.
const COUNTERS_PER_ELEMENT: usize = 4;
const LEAST_COUNTERS: usize = 1 << 10;
/// 1 GiB of counters.
const MOST_COUNTERS: usize = 1 << 29;

impl FrequencyTable {
    /// A table of zeros, large enough to tell about `elements` elements apart.
    pub fn sized_for(elements: usize) -> Self {
        let wanted = elements.saturating_mul(COUNTERS_PER_ELEMENT).clamp(LEAST_COUNTERS, MOST_COUNTERS);
        let counters = wanted.next_power_of_two().min(MOST_COUNTERS);
        Self { counters: vec![0; counters], shift: 64 - counters.trailing_zeros() }
    }

    /// Counts each element once for each time it is given.
    pub fn of(elements: &[u64]) -> Self {
        let mut table = Self::sized_for(elements.len());
        for mut partition in table.partitions(1) {
            partition.count(elements);
        }
        table
    }

    /// Cuts the table into `parts` parts that can be counted on different threads; each looks at all elements and counts
    /// its own.
    pub fn partitions(&mut self, parts: usize) -> impl Iterator<Item = Partition<'_>> {
        let shift = self.shift;
        let length = self.counters.len().div_ceil(parts.max(1));
        self.counters.chunks_mut(length).enumerate().map(move |(index, counters)| Partition {
            counters,
            first: index * length,
            shift,
        })
    }

    /// An upper bound of the number of times the element was counted; exact if it is 1 or 0.
    pub fn count(&self, element: u64) -> u16 {
        self.counters[(element >> self.shift) as usize]
    }
}

/// A range of the counters of a [`FrequencyTable`].
#[derive(Debug)]
pub struct Partition<'a> {
    counters: &'a mut [u16],
    first: usize,
    shift: u32,
}

impl Partition<'_> {
    /// Counts those of `elements` that belong here.
    pub fn count(&mut self, elements: &[u64]) {
        for &element in elements {
            let slot = ((element >> self.shift) as usize).wrapping_sub(self.first);
            if let Some(counter) = self.counters.get_mut(slot) {
                *counter = counter.saturating_add(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    #[test]
    fn counters_stop_at_their_largest_value() {
        let table = FrequencyTable::of(&vec![7; 70_000]);
        assert_eq!(table.count(7), u16::MAX);
    }

    proptest! {
        #[test]
        fn counts_are_never_too_low_and_do_not_depend_on_partitions(
            elements in proptest::collection::vec((0u64..400).prop_map(crate::hash::mix64), 0..600), parts in 1usize..5
        ) {
            let whole = FrequencyTable::of(&elements);
            let mut parted = FrequencyTable::sized_for(elements.len());
            parted.partitions(parts).for_each(|mut partition| partition.count(&elements));
            prop_assert_eq!(&whole.counters, &parted.counters);
            for &element in &elements {
                let truth = elements.iter().filter(|&&other| other == element).count();
                prop_assert!(usize::from(whole.count(element)) >= truth);
            }
        }
    }

    use proptest::strategy::Strategy;
}

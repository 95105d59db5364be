//! How many documents an element occurs in, at least.
//!
//! The prefix filter is correct under any fixed order of the elements and good under one that puts rare ones first. So
//! counts need not be exact: a table of counters indexed by the upper bits of the hash will do. Elements that share a
//! counter look more frequent than they are, never less; a count of 1 proves that no other document has the element. This
//! replaces the sort of all elements of the corpus by one pass over them, and its memory can be chosen.
//!
//! ```text
//! first    one byte a counter, one or two an element    counts to 255: nearly all elements stop long before
//! second   32 bits a counter, few                       counts what comes after that
//! ```
//!
//! Where memory is short, the table is filled part by part, in one pass over the sets each: a part counts a range of hashes,
//! which is a run of each set, and what the first counters say of the runs can be put aside until all parts are done.

use crate::ground::{Error, Result};
use std::ops::Range;

/// Counters of the occurrences of elements, or of those in a range of hashes.
#[derive(Debug, Clone)]
pub struct FrequencyTable {
    first: Vec<u8>,
    second: Vec<u32>,
    shift: u32,
    /// Slots of the whole table that are here.
    slots: Range<usize>,
}

/// Counters per element, at least: with one to two, a unique element looks shared in every second or third case. Twice as many
/// would tell more of them apart, but be slower: the table is bound by memory, and keys that nobody shares drop out later.
const COUNTERS_PER_ELEMENT: usize = 1;
const LEAST_COUNTERS: usize = 1 << 12;
/// 1 GiB of counters.
const MOST_COUNTERS: usize = 1 << 30;
/// One second counter for so many first ones: frequent elements are few.
const FIRST_PER_SECOND: usize = 64;
/// Second counters among which an element finds its own.
const NEIGHBOURS: usize = 64;

impl FrequencyTable {
    /// A table of zeros, large enough to tell about `elements` elements apart.
    pub fn sized_for(elements: usize) -> Self {
        Self::part_for(elements, 0, 1)
    }

    /// Part number `part` of `parts` of that table, with its own counters only. Parts without any counter come last.
    pub fn part_for(elements: usize, part: usize, parts: usize) -> Self {
        let counters = Self::counters_for(elements);
        let shift = 64 - counters.trailing_zeros();
        // Whole groups, so that both counters of an element are in one part.
        let length = counters.div_ceil(parts.max(1)).next_multiple_of(FIRST_PER_SECOND * NEIGHBOURS);
        let begin = (part * length).min(counters);
        let end = (begin + length).min(counters);
        let slots = begin..end;
        Self { first: bytemuck::zeroed_vec(slots.len()), second: vec![0; slots.len() / FIRST_PER_SECOND], shift, slots }
    }

    /// Bytes of the first counters of that table.
    pub fn counters_for(elements: usize) -> usize {
        let wanted = elements.saturating_mul(COUNTERS_PER_ELEMENT).clamp(LEAST_COUNTERS, MOST_COUNTERS);
        wanted.next_power_of_two().min(MOST_COUNTERS)
    }

    /// The second counters alone of all parts, in order: with the first ones put aside they tell the rest.
    pub fn of_second_counters(elements: usize, parts: &[Self]) -> Self {
        let second = parts.iter().flat_map(|part| part.second.iter().copied()).collect();
        let counters = Self::counters_for(elements);
        Self { first: Vec::new(), second, shift: 64 - counters.trailing_zeros(), slots: 0..counters }
    }

    /// A part that knows its range of hashes, and nothing else.
    #[must_use]
    pub fn without_counters(&self) -> Self {
        Self { first: Vec::new(), second: Vec::new(), shift: self.shift, slots: self.slots.clone() }
    }

    /// Gives the memory of the first counters back.
    #[must_use]
    pub fn without_first_counters(self) -> Self {
        Self { first: Vec::new(), ..self }
    }

    /// The elements of a strictly ascending set that this part counts.
    pub fn run<'s>(&self, set: &'s [u64]) -> &'s [u64] {
        let slot = |element: u64| (element >> self.shift) as usize;
        let begin = set.partition_point(|&element| slot(element) < self.slots.start);
        let length = set[begin..].partition_point(|&element| slot(element) < self.slots.end);
        &set[begin..begin + length]
    }

    /// Counts each element once for each time it is given.
    pub fn of(elements: &[u64]) -> Self {
        let mut table = Self::sized_for(elements.len());
        for mut partition in table.partitions(1) {
            elements.iter().for_each(|&element| partition.count(element));
        }
        table
    }

    /// Adds the counts of another table for as many elements, which gives the table of both together: order and split of the counting
    /// are seen in no counter.
    ///
    /// # Errors
    /// [`Error::TableSize`] if the other table has another size.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.slots != other.slots || self.first.len() != other.first.len() || self.shift != other.shift {
            return Err(Error::TableSize { expected: self.first.len(), found: other.first.len() });
        }
        for (mine, &theirs) in self.second.iter_mut().zip(&other.second) {
            *mine = mine.saturating_add(theirs);
        }
        for (slot, (mine, &theirs)) in self.first.iter_mut().zip(&other.first).enumerate() {
            let sum = u32::from(*mine) + u32::from(theirs);
            *mine = sum.min(u8::MAX.into()) as u8;
            let second = &mut self.second[second_slot(slot)];
            *second = second.saturating_add(sum - u32::from(*mine));
        }
        Ok(())
    }

    /// First and second counters of a whole table, for storing.
    pub fn counters(&self) -> (&[u8], &[u32]) {
        (&self.first, &self.second)
    }

    /// The whole table that had these counters.
    ///
    /// # Errors
    /// [`Error::TableSize`] if no table has as many.
    pub fn from_counters(first: Vec<u8>, second: Vec<u32>) -> Result<Self> {
        let counters = first.len();
        if !counters.is_power_of_two() || counters < LEAST_COUNTERS || second.len() != counters / FIRST_PER_SECOND {
            return Err(Error::TableSize { expected: counters / FIRST_PER_SECOND, found: second.len() });
        }
        Ok(Self { first, second, shift: 64 - counters.trailing_zeros(), slots: 0..counters })
    }

    /// Addresses of the first counters, which are not touched before something is counted: a caller that knows the system may ask it
    /// for large pages there.
    pub fn untouched_memory(&self) -> Range<*const u8> {
        self.first.as_ptr_range()
    }

    /// Cuts the table into about `parts` parts that can be filled on different threads.
    pub fn partitions(&mut self, parts: usize) -> impl Iterator<Item = Partition<'_>> {
        let (shift, begin) = (self.shift, self.slots.start);
        // Whole groups, so that both counters of an element are in one partition.
        let seconds = self.second.len().div_ceil(parts.max(1)).next_multiple_of(NEIGHBOURS).max(NEIGHBOURS);
        let firsts = self.first.chunks_mut(seconds * FIRST_PER_SECOND);
        firsts.zip(self.second.chunks_mut(seconds)).enumerate().map(move |(index, (first, second))| Partition {
            first,
            second,
            begin: begin + index * seconds * FIRST_PER_SECOND,
            shift,
        })
    }

    /// An upper bound of the number of times the element was counted; exact if it is 1 or 0.
    pub fn count(&self, element: u64) -> u32 {
        self.complete(element, self.first[self.first_slot(element)])
    }

    /// Writes the first counters of some elements. Nothing in it depends on a counter, so the processor waits for many at
    /// a time: the table is larger than the cache.
    pub fn first_counts(&self, elements: &[u64], counts: &mut [u8]) {
        for (count, &element) in counts.iter_mut().zip(elements) {
            *count = self.first[self.first_slot(element)];
        }
    }

    /// The count of an element, given its first counter.
    pub fn complete(&self, element: u64, first: u8) -> u32 {
        match first {
            u8::MAX => {
                let slot = second_slot((element >> self.shift) as usize) - self.slots.start / FIRST_PER_SECOND;
                self.second[slot].saturating_add(u8::MAX.into())
            }
            count => count.into(),
        }
    }

    fn first_slot(&self, element: u64) -> usize {
        (element >> self.shift) as usize - self.slots.start
    }
}

/// The second counter of a first one: near it, so that both are in one partition, and known without the element, so that two tables
/// can be added up.
fn second_slot(slot: usize) -> usize {
    let group = slot / (FIRST_PER_SECOND * NEIGHBOURS);
    group * NEIGHBOURS + slot % NEIGHBOURS
}

/// A range of the counters of a [`FrequencyTable`].
#[derive(Debug)]
pub struct Partition<'a> {
    first: &'a mut [u8],
    second: &'a mut [u32],
    begin: usize,
    shift: u32,
}

impl Partition<'_> {
    /// Writes to each page of memory once. Counting reads a counter before it writes it; of fresh memory the system would
    /// lend a shared page of zeros for the first and have to take it back, from all threads, for the second.
    pub fn touch(&mut self) {
        const PAGE_BYTES: usize = 4096;
        self.first.chunks_mut(PAGE_BYTES).for_each(|page| page[0] = std::hint::black_box(0));
    }

    /// Counts those elements of a strictly ascending set that belong here.
    pub fn count_set(&mut self, set: &[u64]) {
        let begin = lower_bound(set, (self.begin as u64) << self.shift);
        let end = self.begin + self.first.len();
        for &element in &set[begin..] {
            if (element >> self.shift) as usize >= end {
                break;
            }
            self.count(element);
        }
    }

    /// Counts an element, if it belongs here.
    pub fn count(&mut self, element: u64) {
        let slot = (element >> self.shift) as usize;
        let Some(counter) = self.first.get_mut(slot.wrapping_sub(self.begin)) else { return };
        if *counter < u8::MAX {
            *counter += 1;
        } else if let Some(counter) = self.second.get_mut(second_slot(slot) - self.begin / FIRST_PER_SECOND) {
            *counter = counter.saturating_add(1);
        }
    }
}

/// The first element of an ascending set of hashes that is not below `bound`: hashes are spread evenly, so a guess by their size
/// is a few elements off.
fn lower_bound(set: &[u64], bound: u64) -> usize {
    let mut at = ((set.len() as u128 * u128::from(bound)) >> 64) as usize;
    while at > 0 && set[at - 1] >= bound {
        at -= 1;
    }
    while at < set.len() && set[at] < bound {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    #[test]
    fn frequent_elements_are_told_apart() {
        let (frequent, rare) = (crate::ground::hash::mix64(1), crate::ground::hash::mix64(2));
        let mut elements = vec![frequent; 70_000];
        elements.extend([rare; 300]);
        let table = FrequencyTable::of(&elements);
        assert_eq!((table.count(frequent), table.count(rare)), (70_000, 300));
    }

    proptest! {
        #[test]
        fn counts_are_never_too_low_and_do_not_depend_on_partitions(
            elements in proptest::collection::vec((0u64..400).prop_map(crate::ground::hash::mix64), 0..600),
            repetitions in 1usize..400,
            parts in 1usize..5,
        ) {
            let mut all = elements.clone();
            all.extend(std::iter::repeat_n(elements.first().copied().unwrap_or_default(), repetitions));
            let whole = FrequencyTable::of(&all);
            let mut parted = FrequencyTable::sized_for(all.len());
            parted.partitions(parts).for_each(|mut partition| all.iter().for_each(|&e| partition.count_set(&[e])));
            prop_assert_eq!(&whole.first[..], &parted.first[..]);
            prop_assert_eq!(&whole.second, &parted.second);
            // Part by part, with the first counters put aside.
            let mut set = elements.clone();
            set.sort_unstable();
            set.dedup();
            let (mut aside, mut seconds) = (Vec::new(), Vec::new());
            for number in 0..parts {
                let mut part = FrequencyTable::part_for(all.len(), number, parts);
                part.partitions(2).for_each(|mut partition| all.iter().for_each(|&e| partition.count(e)));
                let run = part.run(&set);
                let mut counts = vec![0; run.len()];
                part.first_counts(run, &mut counts);
                aside.extend(counts);
                seconds.push(part.without_first_counters());
            }
            let joined = FrequencyTable::of_second_counters(all.len(), &seconds);
            let counts: Vec<u32> = set.iter().zip(&aside).map(|(&e, &first)| joined.complete(e, first)).collect();
            prop_assert_eq!(counts, set.iter().map(|&e| whole.count(e)).collect::<Vec<_>>());
            // Two tables of any halves, added up.
            let (left, right) = all.split_at(all.len() / 3);
            let mut merged = FrequencyTable::sized_for(all.len());
            for half in [left, right] {
                let mut table = FrequencyTable::sized_for(all.len());
                table.partitions(1).for_each(|mut partition| half.iter().for_each(|&e| partition.count(e)));
                let (first, second) = table.counters();
                merged.merge(&FrequencyTable::from_counters(first.to_vec(), second.to_vec()).unwrap()).unwrap();
            }
            prop_assert_eq!(merged.counters(), whole.counters());
            prop_assert!(merged.merge(&FrequencyTable::sized_for(1 << 20)).is_err());
            for &element in &all {
                let truth = all.iter().filter(|&&other| other == element).count();
                prop_assert!(whole.count(element) as usize >= truth);
            }
        }
    }

    use proptest::strategy::Strategy;
}

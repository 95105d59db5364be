//! The table of counters, in memory as a whole.

use super::Partition;
use super::partition::{FIRST_PER_SECOND, NEIGHBOURS, second_slot};
use crate::base::{Error, Result};

/// Counters of the occurrences of elements.
#[derive(Debug, Clone)]
pub struct FrequencyTable {
    /// Counters; none if they are saved elsewhere ([`super::TableParts::whole`]).
    pub(super) first: Vec<u8>,
    pub(super) second: Vec<u32>,
    /// The slot of an element is `element >> shift`.
    shift: u32,
}

/// Minimum number of counters per element. With one to two, every second or third unique element appears shared. Twice
/// as many would distinguish more of them but be slower, because the table is bound by memory bandwidth, and singletons
/// are dropped later anyway.
const COUNTERS_PER_ELEMENT: usize = 1;
/// Minimum number of first counters.
const MIN_COUNTERS: usize = 1 << 12;
/// Maximum number of first counters: 1 GiB.
const MAX_COUNTERS: usize = 1 << 30;

impl FrequencyTable {
    /// An empty table, sized for about `elements` elements.
    pub fn sized_for(elements: usize) -> Self {
        let counters = Self::counters_for(elements);
        let first = bytemuck::zeroed_vec(counters);
        let second = vec![0; counters / FIRST_PER_SECOND];
        Self { first, second, shift: shift_of(counters) }
    }

    /// Number of first counters of a table for `elements` elements; each is one byte.
    pub fn counters_for(elements: usize) -> usize {
        let unlimited = elements.saturating_mul(COUNTERS_PER_ELEMENT).clamp(MIN_COUNTERS, MAX_COUNTERS);
        unlimited.next_power_of_two().min(MAX_COUNTERS)
    }

    /// A table of the given elements, each counted once per occurrence.
    pub fn from_elements(elements: &[u64]) -> Self {
        let mut table = Self::sized_for(elements.len());
        for mut partition in table.partitions(1) {
            elements.iter().for_each(|&element| partition.count(element));
        }
        table
    }

    /// The second counters of a table of `counters` first ones, which are saved elsewhere.
    pub(super) fn of_second_counters(counters: usize, second: Vec<u32>) -> Self {
        Self { first: Vec::new(), second, shift: shift_of(counters) }
    }

    /// Adds the counters of a table of equal size. The sum equals a table that counted the elements of both, in any
    /// order.
    ///
    /// # Errors
    /// [`Error::TableSize`] if the other table has another size.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.first.len() != other.first.len() || self.shift != other.shift {
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

    /// The first and second counters of a whole table, for storage.
    pub fn counters(&self) -> (&[u8], &[u32]) {
        (&self.first, &self.second)
    }

    /// The whole table with the given stored counters.
    ///
    /// # Errors
    /// [`Error::TableSize`] unless the number of first counters is a power of two, at least 4096, with one second
    /// counter per 64 first ones.
    pub fn from_counters(first: Vec<u8>, second: Vec<u32>) -> Result<Self> {
        let counters = first.len();
        if !counters.is_power_of_two() || counters < MIN_COUNTERS || second.len() != counters / FIRST_PER_SECOND {
            return Err(Error::TableSize { expected: counters / FIRST_PER_SECOND, found: second.len() });
        }
        Ok(Self { first, second, shift: shift_of(counters) })
    }

    /// Splits the table into at most `count` partitions for different threads.
    pub fn partitions(&mut self, count: usize) -> impl Iterator<Item = Partition<'_>> {
        let shift = self.shift;
        // Multiples of a stripe, so that both counters of an element are in one partition.
        let seconds = self.second.len().div_ceil(count.max(1)).next_multiple_of(NEIGHBOURS).max(NEIGHBOURS);
        let firsts = self.first.chunks_mut(seconds * FIRST_PER_SECOND);
        firsts.zip(self.second.chunks_mut(seconds)).enumerate().map(move |(index, (first, second))| Partition {
            first,
            second,
            begin: index * seconds * FIRST_PER_SECOND,
            shift,
        })
    }

    /// About how many elements were counted `least` times or more, from 1 on: too many rather than too few.
    pub fn count_frequent(&self, least: u8) -> usize {
        self.first.iter().filter(|&&count| count >= least.max(1)).count()
    }

    /// An upper bound of the number of times that the element was counted; exact if it is 0 or 1.
    pub fn count(&self, element: u64) -> u32 {
        self.complete(element, self.first[self.first_slot(element)])
    }

    /// Writes the first counts of some elements. No address depends on a counter, so the processor overlaps the cache
    /// misses: the table is larger than the cache.
    pub fn first_counts(&self, elements: &[u64], counts: &mut [u8]) {
        for (count, &element) in counts.iter_mut().zip(elements) {
            *count = self.first[self.first_slot(element)];
        }
    }

    /// The count of an element, given its first count.
    pub fn complete(&self, element: u64, first: u8) -> u32 {
        match first {
            u8::MAX => self.second[second_slot(self.first_slot(element))].saturating_add(u8::MAX.into()),
            count => count.into(),
        }
    }

    fn first_slot(&self, element: u64) -> usize {
        (element >> self.shift) as usize
    }
}

/// The shift by which the slot of an element is in a table of `counters` first counters.
pub(super) fn shift_of(counters: usize) -> u32 {
    u64::BITS - counters.trailing_zeros()
}

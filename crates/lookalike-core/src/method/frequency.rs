//! Document frequencies of elements, as upper bounds.
//!
//! The prefix filter is correct under any fixed order of the elements and good under one that puts rare ones first. So
//! counts need not be exact: a table of counters indexed by the upper bits of the hash suffices. Elements that share a
//! counter appear more frequent than they are, never less; a count of 1 proves that no other document has the element.
//! Agreement with a sort of all elements of the corpus, this is one pass, with a choice of memory.
//!
//! ```text
//! first    one byte a counter, one or two an element    counts up to 255, enough for nearly all elements
//! second   32 bits a counter, few                       counts the occurrences beyond 255
//! ```
//!
//! If the table exceeds the memory budget, it is filled in parts, with one pass over the sets per part. A part counts a
//! range of hashes, which is a subslice of each sorted set. The first counts of these elements are saved until all
//! parts are done. Within a part, threads fill disjoint partitions.

mod dealt;
mod partition;

pub use self::dealt::Counting;
pub use self::partition::Partition;
use self::partition::{FIRST_PER_SECOND, NEIGHBOURS, second_slot};
use crate::ground::{Error, Result};
use std::ops::Range;

/// Counters of the occurrences of elements: of all elements, or of those of one part.
#[derive(Debug, Clone)]
pub struct FrequencyTable {
    first: Vec<u8>,
    second: Vec<u32>,
    /// The slot of an element is `element >> shift`.
    shift: u32,
    /// The range of slots of the whole table that this part holds.
    slots: Range<usize>,
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
        Self::part_for(elements, 0, 1)
    }

    /// Part `part` (from 0) of `parts` of that table. The last parts may have no counters.
    pub fn part_for(elements: usize, part: usize, parts: usize) -> Self {
        let counters = Self::counters_for(elements);
        let shift = 64 - counters.trailing_zeros();
        // Multiples of a stripe, so that both counters of an element are in one part.
        let length = counters.div_ceil(parts.max(1)).next_multiple_of(FIRST_PER_SECOND * NEIGHBOURS);
        let begin = (part * length).min(counters);
        let end = (begin + length).min(counters);
        let slots = begin..end;
        let (first, second) = (bytemuck::zeroed_vec(slots.len()), vec![0; slots.len() / FIRST_PER_SECOND]);
        Self { first, second, shift, slots }
    }

    /// Number of first counters of a table for `elements` elements; each is one byte.
    pub fn counters_for(elements: usize) -> usize {
        let wanted = elements.saturating_mul(COUNTERS_PER_ELEMENT).clamp(MIN_COUNTERS, MAX_COUNTERS);
        wanted.next_power_of_two().min(MAX_COUNTERS)
    }

    /// The second counters of all parts, in order: with saved first counts, they give counts by
    /// [`FrequencyTable::complete`].
    pub fn of_second_counters(elements: usize, parts: &[Self]) -> Self {
        let second = parts.iter().flat_map(|part| part.second.iter().copied()).collect();
        let counters = Self::counters_for(elements);
        let shift = 64 - counters.trailing_zeros();
        Self { first: Vec::new(), second, shift, slots: 0..counters }
    }

    /// The same part without any counters; it retains its range of hashes, for [`FrequencyTable::part_of`].
    #[must_use]
    pub fn without_counters(&self) -> Self {
        let Self { shift, ref slots, .. } = *self;
        Self { first: Vec::new(), second: Vec::new(), shift, slots: slots.clone() }
    }

    /// Frees the memory of the first counters.
    #[must_use]
    pub fn without_first_counters(self) -> Self {
        Self { first: Vec::new(), ..self }
    }

    /// The subslice of a strictly ascending set whose elements this part counts.
    pub fn part_of<'s>(&self, set: &'s [u64]) -> &'s [u64] {
        let slot = |element: u64| (element >> self.shift) as usize;
        let begin = set.partition_point(|&element| slot(element) < self.slots.start);
        let length = set[begin..].partition_point(|&element| slot(element) < self.slots.end);
        &set[begin..begin + length]
    }

    /// A table of the given elements, each counted once per occurrence.
    pub fn of(elements: &[u64]) -> Self {
        let mut table = Self::sized_for(elements.len());
        for mut partition in table.partitions(1) {
            elements.iter().for_each(|&element| partition.count(element));
        }
        table
    }

    /// Adds the counters of a table of equal size. The sum equals a table that counted the elements of both, in any
    /// order.
    ///
    /// # Errors
    /// [`Error::TableSize`] if the other table has another size or is another part.
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
        let shift = 64 - counters.trailing_zeros();
        Ok(Self { first, second, shift, slots: 0..counters })
    }

    /// Addresses of the first counters, untouched until elements are counted: the caller may request huge pages for
    /// them.
    pub fn untouched_memory(&self) -> Range<*const u8> {
        self.first.as_ptr_range()
    }

    /// Splits the table into at most `count` partitions for different threads.
    pub fn partitions(&mut self, count: usize) -> impl Iterator<Item = Partition<'_>> {
        let (shift, begin) = (self.shift, self.slots.start);
        // Multiples of a stripe, so that both counters of an element are in one partition.
        let seconds = self.second.len().div_ceil(count.max(1)).next_multiple_of(NEIGHBOURS).max(NEIGHBOURS);
        let firsts = self.first.chunks_mut(seconds * FIRST_PER_SECOND);
        firsts.zip(self.second.chunks_mut(seconds)).enumerate().map(move |(index, (first, second))| Partition {
            first,
            second,
            begin: begin + index * seconds * FIRST_PER_SECOND,
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

#[cfg(test)]
mod tests;

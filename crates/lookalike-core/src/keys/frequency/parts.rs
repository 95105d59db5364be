//! A table in equal parts, of which each is filled by itself, by elements that were dealt to it.
//!
//! ```text
//! element   | part | slot in the part | not looked at |
//!           63                                        0
//! ```

use super::partition::{FIRST_PER_SECOND, NEIGHBOURS};
use super::table::shift_of;
use super::{FrequencyTable, Partition};

/// First counters that a part has at least: both counters of an element are in one part.
const MIN_PART_COUNTERS: usize = FIRST_PER_SECOND * NEIGHBOURS;

/// Division of a table: the number of parts is a power of two.
#[derive(Debug, Clone, Copy)]
pub struct TableParts {
    counters: usize,
    /// The part of an element is its first bits.
    bits: u32,
}

/// A part of a table: the counters of the elements with the same first bits. It begins with a stripe, so that slots in
/// the part have the same second counters as in the whole table.
#[derive(Debug)]
pub struct TablePart {
    first: Vec<u8>,
    second: Vec<u32>,
}

impl TableParts {
    /// Divides into at least `count` parts of a table for about `elements` elements, but none smaller than 4096
    /// counters.
    pub fn new(elements: usize, count: usize) -> Self {
        let counters = FrequencyTable::counters_for(elements);
        let count = count.clamp(1, counters / MIN_PART_COUNTERS).next_power_of_two();
        Self { counters, bits: count.trailing_zeros() }
    }

    /// Number of parts.
    pub fn count(self) -> usize {
        1 << self.bits
    }

    /// First counters of a part; each is one byte.
    pub fn counters_of_part(self) -> usize {
        self.counters >> self.bits
    }

    /// The part that counts an element.
    pub fn part_of(self, element: u64) -> usize {
        element.checked_shr(u64::BITS - self.bits).unwrap_or(0) as usize
    }

    /// The slot of an element in its part, below [`TableParts::counters_of_part`].
    pub fn slot_of(self, element: u64) -> u32 {
        (element >> shift_of(self.counters)) as u32 & (self.counters_of_part() - 1) as u32
    }

    /// Bytes of the second counters of a table of `counters` first ones.
    pub fn second_bytes_of(counters: usize) -> usize {
        counters / FIRST_PER_SECOND * size_of::<u32>()
    }

    /// An empty vector with capacity for the second counters of all parts.
    pub fn empty_second_counters(self) -> Vec<u32> {
        Vec::with_capacity(self.counters / FIRST_PER_SECOND)
    }

    /// A part that has counted nothing.
    pub fn part(self) -> TablePart {
        let counters = self.counters_of_part();
        let first = bytemuck::zeroed_vec(counters);
        let second = vec![0; counters / FIRST_PER_SECOND];
        TablePart { first, second }
    }

    /// The whole table without first counters, given the second ones of all parts in order: for
    /// [`FrequencyTable::complete`].
    pub fn whole(self, second: Vec<u32>) -> FrequencyTable {
        FrequencyTable::of_second_counters(self.counters, second)
    }
}

impl TablePart {
    /// Counts elements of this part, given their slots.
    pub fn count<S: Copy + Into<u32>>(&mut self, slots: &[S]) {
        let Self { first, second } = self;
        let mut partition = Partition { first, second, begin: 0, shift: 0 };
        slots.iter().for_each(|&slot| partition.count_slot(slot.into() as usize));
    }

    /// Appends the first counts of elements of this part, given their slots.
    pub fn append_first_counts<S: Copy + Into<u32>>(&self, slots: &[S], counts: &mut Vec<u8>) {
        counts.extend(slots.iter().map(|&slot| self.first[slot.into() as usize]));
    }

    /// The second counters, for [`TableParts::whole`].
    pub fn into_second_counters(self) -> Vec<u32> {
        self.second
    }
}

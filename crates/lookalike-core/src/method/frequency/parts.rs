//! A table in equal parts, of which each is filled by itself: for a corpus whose table exceeds the memory.
//!
//! ```text
//! element   | part | slot in the part | not looked at |
//!           63                      >= 32             0
//! ```
//!
//! An element's part and counters depend on its upper half only, so that whoever deals elements into parts need not
//! keep the lower one.

use super::partition::{FIRST_PER_SECOND, NEIGHBOURS, Partition};
use super::table::{FrequencyTable, MAX_COUNTERS, shift_of};

/// First counters that a part has at least: both counters of an element are in one part.
const MIN_PART_COUNTERS: usize = FIRST_PER_SECOND * NEIGHBOURS;

// The upper half of an element holds its slot.
const _: () = assert!(MAX_COUNTERS <= 1 << u32::BITS);

/// How a table is divided: the number of parts is a power of two.
#[derive(Debug, Clone, Copy)]
pub struct TableParts {
    counters: usize,
    /// The part of an element is its first bits.
    bits: u32,
}

/// A part of a table: the counters of the elements with the same first bits.
#[derive(Debug)]
pub struct TablePart {
    first: Vec<u8>,
    second: Vec<u32>,
    shift: u32,
    /// Slot of the whole table with which the part begins.
    begin: usize,
}

impl TableParts {
    /// At least `count` parts of a table for about `elements` elements, but none smaller than 4096 counters.
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

    /// What a part is given of an element.
    pub fn upper_half(element: u64) -> u32 {
        (element >> u32::BITS) as u32
    }

    /// A part that has counted nothing.
    pub fn part(self, number: usize) -> TablePart {
        let counters = self.counters_of_part();
        let (first, second) = (bytemuck::zeroed_vec(counters), vec![0; counters / FIRST_PER_SECOND]);
        TablePart { first, second, shift: shift_of(self.counters), begin: number * counters }
    }

    /// The whole table without first counters, given the second ones of all parts in order: for
    /// [`FrequencyTable::complete`].
    pub fn whole(self, second: Vec<u32>) -> FrequencyTable {
        FrequencyTable::of_second_counters(self.counters, second)
    }
}

impl TablePart {
    /// Counts elements of this part, given their upper halves.
    pub fn count(&mut self, upper_halves: &[u32]) {
        let Self { first, second, shift, begin } = self;
        let mut partition = Partition { first, second, begin: *begin, shift: *shift };
        for &half in upper_halves {
            partition.count(u64::from(half) << u32::BITS);
        }
    }

    /// Appends the first counts of elements of this part, given their upper halves.
    pub fn append_first_counts(&self, upper_halves: &[u32], counts: &mut Vec<u8>) {
        let slot = |half: u32| ((u64::from(half) << u32::BITS) >> self.shift) as usize - self.begin;
        counts.extend(upper_halves.iter().map(|&half| self.first[slot(half)]));
    }

    /// The second counters, for [`TableParts::whole`].
    pub fn into_second_counters(self) -> Vec<u32> {
        self.second
    }
}

//! A frozen order of elements that puts rare ones first.
//!
//! The prefix filter is correct under any fixed order. A stored index needs one that is small, because each question
//! looks up all its elements in it, and that also orders elements which it has never seen. So elements have a *class*
//! by their frequency when the order was made, 0 for those in few documents; within a class they are in the order of
//! their hashes:
//!
//! ```text
//! classes   [ 0 | 0 | 9 | 0 | 0 | 17 | 0 | ... ]    one byte a slot, the slot of an element by its hash
//!                   |            |
//!                   seen 8 times seen 16 times       an element that shares a slot has the higher class of the two
//! ```
//!
//! A rare element that shares its slot with a frequent one stands later than it should, which costs time and no answer.

use super::FrequencyTable;
use crate::base::hash::mix64;
use crate::base::{Error, Result};
use std::sync::atomic::{AtomicU8, Ordering};

/// A fixed order of all elements: by class, then by hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementOrder {
    /// One entry for each slot; empty if all elements are in class 0.
    classes: Vec<u8>,
    shift: u32,
}

/// Frequency from which on an element has a class of its own.
const MIN_FREQUENT: u32 = 4;
/// Slots for each frequent element: one in eight of the rare ones shares its slot with one of them.
const SLOTS_PER_FREQUENT: usize = 8;
/// Maximum number of slots: 64 MiB.
const MAX_SLOTS: usize = 1 << 26;
const MIN_SLOTS: usize = 1 << 6;
/// Elements that are looked up at a time.
const CHUNK: usize = 128;

impl ElementOrder {
    /// Elements whose frequency is counted, at most: a sample of documents that have about as many says which are
    /// frequent.
    pub const MAX_COUNTED: usize = 1 << 24;

    /// The order by hash alone, for want of documents to learn from.
    pub fn by_hash() -> Self {
        Self { classes: Vec::new(), shift: 0 }
    }

    /// The order by frequency in the sets that `table` has counted; `for_each_set` passes the same sets to its
    /// argument, from any number of threads.
    pub fn by_frequency(table: &FrequencyTable, for_each_set: impl FnOnce(&(dyn Fn(&[u64]) + Sync))) -> Self {
        let frequent = table.count_frequent(MIN_FREQUENT as u8);
        if frequent == 0 {
            return Self::by_hash();
        }
        let slots = frequent.saturating_mul(SLOTS_PER_FREQUENT).clamp(MIN_SLOTS, MAX_SLOTS).next_power_of_two();
        let shift = 64 - slots.trailing_zeros();
        let classes: Vec<AtomicU8> = (0..slots).map(|_| AtomicU8::new(0)).collect();
        for_each_set(&|set: &[u64]| {
            let mut counts = [0; CHUNK];
            for chunk in set.chunks(CHUNK) {
                let counts = &mut counts[..chunk.len()];
                table.first_counts(chunk, counts);
                for (&element, &first) in chunk.iter().zip(&*counts) {
                    if u32::from(first) >= MIN_FREQUENT {
                        let class = class_of(table.complete(element, first));
                        classes[(mix64(element) >> shift) as usize].fetch_max(class, Ordering::Relaxed);
                    }
                }
            }
        });
        Self { classes: classes.into_iter().map(AtomicU8::into_inner).collect(), shift }
    }

    /// The classes by slot, for storage; empty for the order by hash.
    pub fn classes(&self) -> &[u8] {
        &self.classes
    }

    /// The order with stored classes.
    ///
    /// # Errors
    /// [`Error::TableSize`] unless their number is 0 or a power of two from 64 to 2^26.
    pub fn from_classes(classes: Vec<u8>) -> Result<Self> {
        let found = classes.len();
        match found {
            0 => Ok(Self::by_hash()),
            MIN_SLOTS..=MAX_SLOTS if found.is_power_of_two() => {
                Ok(Self { classes, shift: 64 - found.trailing_zeros() })
            }
            _ => Err(Error::TableSize { expected: found.next_power_of_two().clamp(MIN_SLOTS, MAX_SLOTS), found }),
        }
    }

    fn slot(&self, element: u64) -> usize {
        (mix64(element) >> self.shift) as usize
    }

    /// Writes the class of each element. No address depends on a class, so the processor overlaps the cache misses.
    pub(crate) fn write_classes(&self, elements: &[u64], classes: &mut [u8]) {
        if self.classes.is_empty() {
            return classes.fill(0);
        }
        for (class, &element) in classes.iter_mut().zip(elements) {
            *class = self.classes[self.slot(element)];
        }
    }
}

/// The class of a frequency: eight for each doubling, from 1 on.
fn class_of(count: u32) -> u8 {
    let octave = count.max(MIN_FREQUENT).ilog2();
    let eighth = (u64::from(count) << 3 >> octave) & 7;
    (((octave - MIN_FREQUENT.ilog2()) << 3) as u64 + eighth + 1) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(sets: &[Vec<u64>]) -> ElementOrder {
        let table = FrequencyTable::from_elements(&sets.concat());
        ElementOrder::by_frequency(&table, |visit| sets.iter().for_each(|set| visit(set)))
    }

    #[test]
    fn classes_rise_with_the_frequency() {
        let classes: Vec<u8> = [4, 5, 6, 7, 8, 9, 16, 255, 1 << 20, u32::MAX].map(class_of).to_vec();
        assert!(classes.is_sorted() && classes[0] == 1 && classes[4] == 9, "{classes:?}");
    }

    #[test]
    fn frequent_elements_come_last_and_the_rest_by_hash() {
        // The frequencies are counted by the upper bits of hashes.
        let element = |kind: u64, number: u64| mix64((kind << 32) + number);
        let set = |number| {
            let mut set = vec![element(1, 0), element(2, number), element(3, number / 10)];
            set.sort_unstable();
            set
        };
        let sets: Vec<Vec<u64>> = (0..100u64).map(set).collect();
        let order = learned(&sets);
        let class = |element| {
            let mut class = [0];
            order.write_classes(&[element], &mut class);
            class[0]
        };
        let low = (0..100).filter(|&number| class(element(2, number)) == 0).count();
        assert!(class(element(1, 0)) >= class_of(100) && class(element(3, 5)) >= class_of(10) && low > 50, "{low}");
        let back = ElementOrder::from_classes(order.classes().to_vec()).unwrap();
        assert_eq!(back, order);
        assert!(ElementOrder::from_classes(vec![0; 100]).is_err());
        assert_eq!(learned(&[vec![1 << 40, 1 << 50, 1 << 60]]), ElementOrder::by_hash());
    }
}

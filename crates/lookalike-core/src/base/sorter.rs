//! Sorting of uniformly distributed hashes by their upper bits, which predict the rank of each to within a few places.
//!
//! One counting pass by the upper bits, with two to four bins per element, moves every hash to within a step or two of
//! its final place; an insertion sort does the rest. On uniform hashes that is linear, and two to three times as fast
//! as a comparison sort for the some hundred elements of a page.
//! Bins that hold far more elements than chance would give them are sorted by comparison before the insertion sort.
//! One bin per element left so many steps to the insertion sort, none of which can be predicted, that it took longer.

/// Number of elements below which a comparison sort is as fast.
const FEW: usize = 48;
/// Maximum number of upper bits that choose the bin: 8192 bins, whose ends fit the cache.
const MAX_BITS: u32 = 13;
/// Bins above this size indicate elements that are not uniform or that repeat.
const CROWDED: u32 = 32;

/// Sorts hashes in ascending order. Owns reusable buffers: create one per thread.
#[derive(Debug, Default, Clone)]
pub(crate) struct Sorter {
    ends: Vec<u32>,
    sorted: Vec<u64>,
}

impl Sorter {
    /// Sorts `hashes` in ascending order.
    pub(crate) fn sort(&mut self, hashes: &mut [u64]) {
        if hashes.len() < FEW || hashes.len() > u32::MAX as usize {
            return hashes.sort_unstable();
        }
        let shift = 64 - (hashes.len().ilog2() + 2).min(MAX_BITS);
        let largest = self.count(hashes, shift);
        self.scatter(hashes, shift);
        if largest > CROWDED {
            self.sort_crowded();
        }
        insert_into(hashes, &self.sorted[..hashes.len()]);
    }

    /// Sets `ends` to the begin of each bin and returns the size of the largest bin.
    fn count(&mut self, hashes: &[u64], shift: u32) -> u32 {
        self.ends.clear();
        self.ends.resize(1 << (64 - shift), 0);
        for &hash in hashes {
            self.ends[(hash >> shift) as usize] += 1;
        }
        let mut begin = 0;
        let mut largest = 0;
        for end in &mut self.ends {
            let count = std::mem::replace(end, begin);
            begin += count;
            largest = largest.max(count);
        }
        largest
    }

    fn scatter(&mut self, hashes: &[u64], shift: u32) {
        if self.sorted.len() < hashes.len() {
            self.sorted.resize(hashes.len(), 0);
        }
        for &hash in hashes {
            let place = &mut self.ends[(hash >> shift) as usize];
            self.sorted[*place as usize] = hash;
            *place += 1;
        }
    }

    /// Sorts the large bins; `scatter` has moved each entry of `ends` from the begin to the end of its bin.
    fn sort_crowded(&mut self) {
        let mut begin = 0;
        for &end in &self.ends {
            if end - begin > CROWDED {
                self.sorted[begin as usize..end as usize].sort_unstable();
            }
            begin = end;
        }
    }
}

/// Insertion sort from one slice into another of the same length, in time proportional to the displacements.
fn insert_into(out: &mut [u64], nearly_sorted: &[u64]) {
    for (at, &hash) in nearly_sorted.iter().enumerate() {
        let mut place = at;
        while place > 0 && out[place - 1] > hash {
            out[place] = out[place - 1];
            place -= 1;
        }
        out[place] = hash;
    }
}

/// Moves one of each of equal hashes, which stand together, to the begin, and returns their number.
pub(crate) fn drop_repetitions(hashes: &mut [u64]) -> usize {
    let mut length = 0;
    for at in 0..hashes.len() {
        let hash = hashes[at];
        let is_new = length == 0 || hash != hashes[length - 1];
        hashes[length] = hash;
        length += usize::from(is_new);
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::mix64;
    use proptest::prelude::{any, proptest};

    fn check(mut hashes: Vec<u64>) {
        let mut expected = hashes.clone();
        expected.sort_unstable();
        Sorter::default().sort(&mut hashes);
        assert_eq!(hashes, expected);
        let distinct = drop_repetitions(&mut hashes);
        expected.dedup();
        assert_eq!(hashes[..distinct], expected);
    }

    #[test]
    fn any_number_and_any_distribution_is_sorted() {
        for length in [0, 1, FEW - 1, FEW, FEW + 1, 1000, 100_000] {
            check((0..length as u64).map(mix64).collect());
            check((0..length as u64).rev().collect());
            check(vec![mix64(5); length]);
            check((0..length as u64).map(|i| mix64(i % 7)).collect());
        }
    }

    proptest! {
        #[test]
        fn sorting_equals_the_standard_library(
            hashes in proptest::collection::vec(any::<u64>(), 0..300),
            copies in proptest::collection::vec(any::<proptest::sample::Index>(), 0..30),
        ) {
            let copied = copies.iter().filter(|_| !hashes.is_empty()).map(|index| *index.get(&hashes));
            check(hashes.iter().copied().chain(copied).collect());
        }
    }
}

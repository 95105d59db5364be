//! A ragged array: one list of values per index, all lists in one array.
//!
//! ```text
//! offsets | 0 | 3 | 3 | 7 |        one more than there are lists; list 1 is empty
//! values  | a b c | d e f g |
//! ```
//!
//! The layout is that of Arrow's `LargeList`, so both arrays can cross to Arrow without a copy.

use super::{Array, Error, Result};
use bytemuck::Zeroable;
use std::ops::AddAssign;
use std::ops::Range;

/// Lists of values by index, counted from 0.
#[derive(Debug, Clone)]
pub struct Ragged<T> {
    /// Ascending from 0; one more than there are lists; the last is the number of values.
    offsets: Vec<u64>,
    values: Array<T>,
}

impl<T> Default for Ragged<T> {
    fn default() -> Self {
        Self { offsets: vec![0], values: Array::default() }
    }
}

impl<T: Clone> Ragged<T> {
    /// Lists that lie in `values` between consecutive `offsets`.
    ///
    /// # Errors
    /// [`Error::Offsets`] unless the offsets ascend from 0 to the number of values.
    pub fn from_parts(offsets: Vec<u64>, values: Array<T>) -> Result<Self> {
        let is_whole = offsets.first() == Some(&0) && offsets.last() == Some(&(values.len() as u64));
        if is_whole && offsets.is_sorted() { Ok(Self { offsets, values }) } else { Err(Error::Offsets) }
    }

    /// Groups values by the index of their list, which is below `lists`; each list has its values in the given order.
    ///
    /// A stable counting sort: `values` is iterated twice, first for the lengths of the lists. Both times it must yield
    /// the same indices.
    ///
    /// ```
    /// use lookalike_core::Ragged;
    ///
    /// let by_remainder = Ragged::group(3, [7, 4, 2, 1].map(|number| (number % 3, number)));
    /// assert!(by_remainder.iter().eq([&[][..], &[7, 4, 1], &[2]]));
    /// ```
    pub fn group<I>(lists: usize, values: I) -> Self
    where
        T: Zeroable,
        I: IntoIterator<Item = (usize, T), IntoIter: Clone>,
    {
        let values = values.into_iter();
        // While values are placed, `offsets[list + 1]` is the place of the next value of `list`: first the start of the
        // list, at last its end.
        let mut offsets = vec![0u64; lists + 1];
        values.clone().for_each(|(list, _)| offsets[list + 1] += 1);
        let total = offsets.iter_mut().fold(0, |start, count| start + std::mem::replace(count, start));
        let mut grouped = bytemuck::zeroed_vec(total as usize);
        values.for_each(|(list, value)| {
            let place = &mut offsets[list + 1];
            grouped[*place as usize] = value;
            *place += 1;
        });
        Self { offsets, values: Array::Owned(grouped) }
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The list at `index`, which is below [`Ragged::len`].
    pub fn get(&self, index: usize) -> &[T] {
        self.values.slice(self.range(index))
    }

    /// The values at a range of the list at `index`: no others are read.
    pub fn part(&self, index: usize, range: Range<usize>) -> &[T] {
        let start = self.range(index).start;
        self.values.slice(start + range.start..start + range.end)
    }

    /// Number of values in the list at `index`; no value is read.
    pub fn size(&self, index: usize) -> usize {
        self.range(index).len()
    }

    fn range(&self, index: usize) -> Range<usize> {
        self.offsets[index] as usize..self.offsets[index + 1] as usize
    }

    /// The lists in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> + Clone {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Calls `change` with the values of each list, in order. Values in storage of the caller are copied to memory
    /// first.
    pub fn for_each_mut(&mut self, mut change: impl FnMut(&mut [T])) {
        let values = self.values.to_mut();
        self.offsets.windows(2).for_each(|ends| change(&mut values[ends[0] as usize..ends[1] as usize]));
    }

    /// Index of the first value of each list, followed by the number of values: `len() + 1` offsets.
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// The values of all lists, concatenated.
    pub fn values(&self) -> &Array<T> {
        &self.values
    }

    /// Decomposes the array into offsets and values, as [`Ragged::from_parts`] takes them.
    pub fn into_parts(self) -> (Vec<u64>, Array<T>) {
        (self.offsets, self.values)
    }

    /// Appends a list and returns the result of `fill`, which appends the values of the list to the vector of all
    /// values. Values in storage of the caller are copied to memory first.
    pub fn push_with<R>(&mut self, fill: impl FnOnce(&mut Vec<T>) -> R) -> R {
        let values = self.values.to_mut();
        let before = values.len();
        let result = fill(values);
        // Offsets ascend even if `fill` removed values.
        self.offsets.push(values.len().max(before) as u64);
        result
    }

    /// Appends a copy of `list`.
    pub fn push(&mut self, list: &[T]) {
        self.push_with(|values| values.extend_from_slice(list));
    }

    /// Reserves memory for `values` more values.
    pub fn reserve(&mut self, values: usize) {
        self.values.to_mut().reserve(values);
    }

    /// Removes all lists but retains the allocated memory.
    pub fn clear(&mut self) {
        self.offsets.truncate(1);
        self.values.to_mut().clear();
    }
}

/// Replaces each number by the sum of all numbers up to it. A 0 followed by the lengths of lists becomes the offsets of
/// the lists, as [`Ragged`] has them.
///
/// ```
/// let mut numbers = [0, 3, 0, 4];
/// lookalike_core::prefix_sums(&mut numbers);
/// assert_eq!(numbers, [0, 3, 3, 7]);
/// lookalike_core::prefix_sums::<u32>(&mut []);
/// ```
pub fn prefix_sums<T: Copy + AddAssign>(numbers: &mut [T]) {
    for place in 1..numbers.len() {
        let before = numbers[place - 1];
        numbers[place] += before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    #[test]
    fn offsets_that_do_not_fit_are_refused() {
        for offsets in [vec![], vec![0], vec![1, 2], vec![0, 3], vec![0, 2, 1, 2]] {
            let refused = Ragged::from_parts(offsets.clone(), Array::Owned(vec![7, 8]));
            assert!(matches!(refused, Err(Error::Offsets)), "{offsets:?}");
        }
        assert!(Ragged::<u8>::default().is_empty());
    }

    proptest! {
        #[test]
        fn a_ragged_array_equals_a_vector_of_vectors(
            lists in proptest::collection::vec((proptest::collection::vec(any::<u16>(), 0..20), any::<bool>()), 0..30),
        ) {
            let mut ragged = Ragged::default();
            // The second round reuses the memory of the first.
            for _ in 0..2 {
                ragged.clear();
                prop_assert!(ragged.is_empty() && ragged.values().is_empty());
                for (list, at_once) in &lists {
                    if *at_once {
                        ragged.push(list);
                    } else {
                        ragged.push_with(|values| list.iter().for_each(|&value| values.push(value)));
                    }
                }
                prop_assert_eq!(ragged.len(), lists.len());
                for (index, (list, _)) in lists.iter().enumerate() {
                    prop_assert_eq!(ragged.get(index), &list[..]);
                    prop_assert_eq!(ragged.size(index), list.len());
                }
                prop_assert!(ragged.iter().eq(lists.iter().map(|(list, _)| &list[..])));
            }
            let by_list = lists.iter().enumerate().flat_map(|(index, (list, _))| list.iter().map(move |&v| (index, v)));
            let mut grouped = Ragged::group(lists.len(), by_list.clone());
            prop_assert!(grouped.iter().eq(ragged.iter()));
            // Whatever the order of the lists, as long as values of the same list stay in order.
            let mut last_first: Vec<(usize, u16)> = by_list.collect();
            last_first.sort_by_key(|&(index, _)| std::cmp::Reverse(index));
            prop_assert!(Ragged::group(lists.len(), last_first).iter().eq(ragged.iter()));
            grouped.for_each_mut(|list| list.reverse());
            prop_assert!(grouped.iter().zip(ragged.iter()).all(|(left, right)| left.iter().eq(right.iter().rev())));
            let (offsets, values) = ragged.clone().into_parts();
            prop_assert_eq!(values.len(), lists.iter().map(|(list, _)| list.len()).sum::<usize>());
            prop_assert!(Ragged::from_parts(offsets, values).unwrap().iter().eq(ragged.iter()));
        }
    }
}

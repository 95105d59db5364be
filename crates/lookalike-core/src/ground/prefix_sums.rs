//! Sums of the numbers so far.

use std::ops::AddAssign;

/// Replaces each number by the sum of all numbers up to it. A 0 followed by the lengths of lists becomes the offsets of
/// the lists, as [`Ragged`](super::Ragged) has them.
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

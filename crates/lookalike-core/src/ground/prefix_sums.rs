//! Sums of the numbers so far.

use std::ops::AddAssign;

/// Replaces each number by the sum of all up to it: of the sizes of lists, each behind a 0, this makes the places where
/// they begin and, at last, the number of all values.
///
/// ```
/// let mut numbers = [0, 3, 0, 4];
/// lookalike_core::prefix_sums(&mut numbers);
/// assert_eq!(numbers, [0, 3, 3, 7]);
/// ```
pub fn prefix_sums<T: Copy + AddAssign>(numbers: &mut [T]) {
    for place in 1..numbers.len() {
        let before = numbers[place - 1];
        numbers[place] += before;
    }
}

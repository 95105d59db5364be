//! The elements of one document.
//!
//! That elements strictly ascend is a type: snapshots and batches from outside are checked, a shingler sorts.

use crate::ground::{Error, Result};
use std::ops::Deref;

/// A set of element hashes in strictly ascending order, on which joins, prefixes and intersections rely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ElementSet<'a>(&'a [u64]);

impl<'a> ElementSet<'a> {
    /// Borrows `elements` as a set.
    ///
    /// # Errors
    /// [`Error::UnsortedSet`] unless they strictly ascend.
    pub fn new(elements: &'a [u64]) -> Result<Self> {
        if elements.is_sorted_by(|a, b| a < b) { Ok(Self(elements)) } else { Err(Error::UnsortedSet) }
    }

    /// A set whose order was checked or established when it was stored.
    pub(super) fn checked_before(elements: &'a [u64]) -> Self {
        Self(elements)
    }

    /// The words of a document that is no set ([`super::Form`]): they are in no order, and only measures of such
    /// documents look at them.
    pub(super) fn of_words(words: &'a [u64]) -> Self {
        Self(words)
    }

    /// The elements, ascending.
    pub fn elements(self) -> &'a [u64] {
        self.0
    }
}

impl Deref for ElementSet<'_> {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        self.0
    }
}

/// Numbers of tokens and elements of one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Number of tokens of the text, stop words excluded.
    pub tokens: usize,
    /// Number of elements of its set.
    pub elements: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_strictly_ascending_elements_are_a_set() {
        for elements in [&[][..], &[0], &[1, 2, u64::MAX]] {
            assert_eq!(ElementSet::new(elements).unwrap().elements(), elements);
        }
        for elements in [&[1, 1][..], &[2, 1], &[1, 3, 2]] {
            assert_eq!(ElementSet::new(elements), Err(Error::UnsortedSet), "{elements:?}");
        }
    }
}

//! The elements of one document, their multiplicity and weights.
//!
//! That elements strictly ascend is a type: snapshots and batches from outside are checked, a shingler sorts.

use crate::base::{Error, Result};
use serde::{Deserialize, Serialize};
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

/// Rule for repeated shingles. Stored as `bag`: false, true, or `"counted"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredMultiplicity", into = "StoredMultiplicity")]
pub enum Multiplicity {
    /// A set: repetitions of a shingle have no effect.
    Set,
    /// A bag: the i-th occurrence of a shingle is a separate element, which turns Jaccard similarity into weighted
    /// Jaccard similarity.
    Bag,
    /// A set with the number of occurrences beside each element, from which a measure makes weights.
    Counted,
}

/// The stored forms of [`Multiplicity`].
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredMultiplicity {
    Bag(bool),
    Name(String),
}

/// The stored name of [`Multiplicity::Counted`].
const COUNTED: &str = "counted";

impl From<Multiplicity> for StoredMultiplicity {
    fn from(multiplicity: Multiplicity) -> Self {
        match multiplicity {
            Multiplicity::Set => Self::Bag(false),
            Multiplicity::Bag => Self::Bag(true),
            Multiplicity::Counted => Self::Name(COUNTED.to_owned()),
        }
    }
}

impl TryFrom<StoredMultiplicity> for Multiplicity {
    type Error = String;

    fn try_from(stored: StoredMultiplicity) -> std::result::Result<Self, String> {
        match stored {
            StoredMultiplicity::Bag(is_bag) => Ok(is_bag.into()),
            StoredMultiplicity::Name(name) if name == COUNTED => Ok(Self::Counted),
            StoredMultiplicity::Name(name) => Err(format!("unknown multiplicity `{name}`")),
        }
    }
}

impl From<bool> for Multiplicity {
    fn from(is_bag: bool) -> Self {
        if is_bag { Self::Bag } else { Self::Set }
    }
}

/// Sum of the squares of the weights of elements, all of them 1 if `weights` is empty.
pub(super) fn squared_norm_of(elements: ElementSet<'_>, weights: &[u32]) -> u64 {
    match weights {
        [] => elements.len() as u64,
        weights => weights.iter().fold(0, |sum: u64, &weight| sum.saturating_add(u64::from(weight).pow(2))),
    }
}

/// A set of elements with a positive weight for each, and the sum of the squares of the weights.
#[derive(Debug, Clone, Copy)]
pub struct WeightedSet<'a> {
    pub(super) elements: ElementSet<'a>,
    /// One entry for each element; empty if all are 1.
    pub(super) weights: &'a [u32],
    pub(super) squared_norm: u64,
}

impl<'a> WeightedSet<'a> {
    /// The elements with their weights, none of which is 0; without weights, all are 1.
    ///
    /// # Errors
    /// [`Error::Weights`] unless there is a weight for each element or none.
    pub fn new(elements: ElementSet<'a>, weights: &'a [u32]) -> Result<Self> {
        if ![0, elements.len()].contains(&weights.len()) {
            return Err(Error::Weights { expected: elements.len(), found: weights.len() });
        }
        Ok(Self { elements, weights, squared_norm: squared_norm_of(elements, weights) })
    }

    /// A set whose elements strictly ascend, each with a weight of 1.
    pub(crate) fn of_ones(elements: &'a [u64]) -> Self {
        Self { elements: ElementSet::checked_before(elements), weights: &[], squared_norm: elements.len() as u64 }
    }

    /// The elements, ascending.
    pub fn elements(self) -> ElementSet<'a> {
        self.elements
    }

    /// The weight of the element with this index.
    #[inline]
    pub fn weight(self, index: usize) -> u32 {
        self.weights.get(index).copied().unwrap_or(1)
    }

    /// The elements with their weights, in ascending order of the elements.
    pub fn iter(self) -> impl Iterator<Item = (u64, u32)> + 'a {
        self.elements.elements().iter().enumerate().map(move |(index, &element)| (element, self.weight(index)))
    }

    /// Sum of the squares of the weights.
    pub fn squared_norm(self) -> u64 {
        self.squared_norm
    }
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

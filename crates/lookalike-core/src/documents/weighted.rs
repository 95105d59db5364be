//! The terms of one document with their weights.

use super::ElementSet;
use crate::ground::{Error, Result};

/// A set of elements with a positive weight for each, and the sum of the squares of the weights.
#[derive(Debug, Clone, Copy)]
pub struct WeightedSet<'a> {
    pub(super) elements: ElementSet<'a>,
    /// By element; empty if all are 1.
    pub(super) weights: &'a [u32],
    pub(super) squared_norm: u64,
}

impl<'a> WeightedSet<'a> {
    /// The elements with their weights, none of which is 0; without weights, all are 1.
    ///
    /// # Errors
    /// [`Error::Weights`] unless there is a weight for each element or none.
    pub fn new(elements: ElementSet<'a>, weights: &'a [u32]) -> Result<Self> {
        if weights.is_empty() {
            return Ok(Self { elements, weights, squared_norm: elements.len() as u64 });
        }
        if weights.len() != elements.len() {
            return Err(Error::Weights { expected: elements.len(), found: weights.len() });
        }
        let squared_norm = weights.iter().fold(0, |sum: u64, &weight| sum.saturating_add(u64::from(weight).pow(2)));
        Ok(Self { elements, weights, squared_norm })
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

//! The weights of the terms of a document, made of their counts.

use super::DocumentFrequencies;
use crate::documents::WeightedSet;

/// Appends the weight of each term of a document, its count or by `frequencies` that times its inverse document
/// frequency, and returns the sum of their squares. `None` if a weight exceeds 32 bits or the sum 64.
pub fn weigh(
    counted: WeightedSet<'_>,
    frequencies: Option<&DocumentFrequencies>,
    weights: &mut Vec<u32>,
) -> Option<u64> {
    counted.iter().try_fold(0u64, |sum, (term, count)| {
        let weight = frequencies.map_or(Some(count), |frequencies| frequencies.weight(term, count).try_into().ok())?;
        weights.push(weight);
        sum.checked_add(u64::from(weight).pow(2))
    })
}

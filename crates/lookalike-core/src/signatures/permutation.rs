//! MinHash by explicit permutations: the definition itself.

use super::{EMPTY_COMPONENT, Signature};
use crate::ground::{Error, Result};

/// MinHash by explicit permutations of the universe 0 to n - 1 (Leskovec, Rajaraman, Ullman, "Mining of Massive
/// Datasets", section 3.3).
///
/// ```
/// # use lookalike_core::signatures::PermutationMinHash;
/// let family = PermutationMinHash::new(vec![vec![2, 3, 7, 6, 1, 5, 4]])?;
/// // The elements 0, 1, 5, 6 have the places 2, 3, 5, 4.
/// assert_eq!(family.signature(&[0, 1, 5, 6]).0, [2]);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PermutationMinHash {
    permutations: Vec<Vec<u32>>,
}

impl PermutationMinHash {
    /// A family of permutations, each given as the places (1 to n) of the elements 0 to n - 1.
    ///
    /// # Errors
    /// [`Error::Permutation`] if a list does not contain each place once, or if the lengths differ.
    pub fn new(permutations: Vec<Vec<u32>>) -> Result<Self> {
        let size = permutations.first().map_or(0, Vec::len);
        for (index, permutation) in permutations.iter().enumerate() {
            let mut places = permutation.clone();
            places.sort_unstable();
            if places.len() != size || !places.iter().copied().eq(1..=size as u32) {
                return Err(Error::Permutation { index, expected: size });
            }
        }
        Ok(Self { permutations })
    }

    /// The signature of a set: for each permutation, the minimum place of its elements. Elements from n on are ignored.
    pub fn signature(&self, elements: &[usize]) -> Signature {
        let min = |places: &Vec<u32>| elements.iter().filter_map(|&element| places.get(element)).min().copied();
        Signature(self.permutations.iter().map(|places| min(places).unwrap_or(EMPTY_COMPONENT)).collect())
    }
}

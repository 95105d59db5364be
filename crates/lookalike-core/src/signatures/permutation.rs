//! MinHash by permutations that are written out: the definition itself.

use super::{EMPTY_COMPONENT, Signature};
use crate::ground::{Error, Result};

/// Explicit permutations of the rows of a characteristic matrix (Leskovec, Rajaraman, Ullman, section 3.3).
///
/// ```
/// # use lookalike_core::signatures::PermutationMinHash;
/// let family = PermutationMinHash::new(vec![vec![2, 3, 7, 6, 1, 5, 4]])?;
/// // The set {0, 1, 5, 6} meets the values 2, 3, 5, 4.
/// assert_eq!(family.signature(&[0, 1, 5, 6]).0, [2]);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PermutationMinHash {
    permutations: Vec<Vec<u32>>,
}

impl PermutationMinHash {
    /// Each permutation gives the place (1 to n) of each of the n rows in its order.
    ///
    /// # Errors
    /// [`Error::Permutation`] if one does not name each place once, or if their lengths differ.
    pub fn new(permutations: Vec<Vec<u32>>) -> Result<Self> {
        let rows = permutations.first().map_or(0, Vec::len);
        for (index, permutation) in permutations.iter().enumerate() {
            let mut places = permutation.clone();
            places.sort_unstable();
            if places.len() != rows || !places.iter().copied().eq(1..=rows as u32) {
                return Err(Error::Permutation { index, expected: rows });
            }
        }
        Ok(Self { permutations })
    }

    /// For each permutation, the least place of a row of the set. Rows past the end of the matrix are ignored.
    pub fn signature(&self, rows: &[usize]) -> Signature {
        let least = |places: &Vec<u32>| rows.iter().filter_map(|&row| places.get(row)).min().copied();
        Signature(self.permutations.iter().map(|places| least(places).unwrap_or(EMPTY_COMPONENT)).collect())
    }
}

//! A signature, the estimate from two signatures, and their merge.

use crate::base::{Error, Result};
use crate::kernel::EMPTY_COMPONENT;

/// A MinHash signature: one 32-bit component per permutation.
///
/// Signatures are comparable only within a family with equal parameters; this is not checked beyond their lengths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature(pub Vec<u32>);

/// An estimate of the Jaccard similarity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Fraction of equal components, from 0 to 1; components of empty sets count as unequal.
    pub estimated_jaccard: f64,
    /// Standard error sqrt(J (1 - J) / num_perm) at J = `estimated_jaccard`, for independent permutations.
    pub standard_error: f64,
}

impl Signature {
    /// Number of components.
    pub fn num_perm(&self) -> usize {
        self.0.len()
    }

    /// Estimates the Jaccard similarity of the two sets.
    ///
    /// # Errors
    /// [`Error::SignatureMismatch`] if the lengths differ or are 0.
    pub fn estimate(&self, other: &Self) -> Result<Estimate> {
        self.check_length(other)?;
        let equal = self.0.iter().zip(&other.0).filter(|(a, b)| a == b && **a != EMPTY_COMPONENT).count();
        let count = self.num_perm() as f64;
        let estimated_jaccard = equal as f64 / count;
        let standard_error = (estimated_jaccard * (1.0 - estimated_jaccard) / count).sqrt();
        Ok(Estimate { estimated_jaccard, standard_error })
    }

    /// Replaces this signature by that of the union of both sets.
    ///
    /// # Errors
    /// [`Error::SignatureMismatch`] if the lengths differ or are 0.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        self.check_length(other)?;
        for (mine, &theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).min(theirs);
        }
        Ok(())
    }

    fn check_length(&self, other: &Self) -> Result<()> {
        if self.0.is_empty() || self.0.len() != other.0.len() {
            return Err(Error::SignatureMismatch { expected: self.0.len(), found: other.0.len() });
        }
        Ok(())
    }
}

//! Dense vectors: embeddings, features of pictures, of any number of dimensions up to [`Vector::MAX_DIMENSIONS`].
//!
//! Components are floats of 32 bits. A vector is kept as words of 64 bits:
//!
//! ```text
//! word 0      number n of dimensions
//! word 1      squared norm, a float of 64 bits
//! word 2...   two components each, the first in the lower half; the last half is 0 if n is odd
//! ```
//!
//! The norm stands beside the components because every comparison needs it. It is a sum in a fixed order
//! ([`Kernel::dot`]), so all processors agree on it. There is one zero: -0 becomes 0, so that equal vectors have equal
//! words.

use crate::kernel::Kernel;

/// Words before the components.
pub(crate) const HEAD: usize = 2;

/// A vector, where its words stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vector<'a> {
    squared_norm: f64,
    components: &'a [f32],
}

impl<'a> Vector<'a> {
    /// Maximum number of dimensions.
    pub const MAX_DIMENSIONS: usize = 1 << 16;

    /// The vector that these words are; `None` if their number is not that of a vector.
    #[inline]
    pub fn from_words(words: &'a [u64]) -> Option<Self> {
        let (&[dimensions, squared_norm], rest) = words.split_first_chunk::<HEAD>()?;
        let components = bytemuck::cast_slice::<u64, f32>(rest).get(..dimensions as usize)?;
        let fits = rest.len() == components.len().div_ceil(2);
        fits.then_some(Self { squared_norm: f64::from_bits(squared_norm), components })
    }

    /// The vectors that the words of two documents are; `None` unless they have equally many dimensions.
    #[inline]
    pub(crate) fn pair(left: &'a [u64], right: &'a [u64]) -> Option<[Self; 2]> {
        let pair = [Self::from_words(left)?, Self::from_words(right)?];
        (pair[0].dimensions() == pair[1].dimensions()).then_some(pair)
    }

    /// Number of dimensions.
    pub fn dimensions(self) -> usize {
        self.components.len()
    }

    /// The components.
    pub fn components(self) -> &'a [f32] {
        self.components
    }

    /// The sum of the squares of the components.
    pub fn squared_norm(self) -> f64 {
        self.squared_norm
    }

    /// The cosine with a vector of as many dimensions, from -1 to 1, of a zero vector 0; it does not depend on the
    /// kernel.
    #[inline]
    pub fn cosine(self, kernel: Kernel, other: Self) -> f64 {
        let norms = (self.squared_norm * other.squared_norm).sqrt();
        if norms == 0.0 {
            return 0.0;
        }
        (kernel.dot(self.components, other.components) / norms).clamp(-1.0, 1.0)
    }

    /// The Euclidean distance from a vector of as many dimensions. It does not depend on the kernel.
    #[inline]
    pub fn distance(self, kernel: Kernel, other: Self) -> f64 {
        kernel.squared_distance(self.components, other.components).sqrt()
    }

    /// Returns whether the words could have been made by [`crate::comparison::Extractor`]: they may come from outside.
    pub(crate) fn is_sound(self) -> bool {
        let are_finite = self.components.iter().all(|component| component.is_finite());
        let squared_norm = Kernel::detect().dot(self.components, self.components);
        let is_right = squared_norm.to_bits() == self.squared_norm.to_bits();
        (1..=Self::MAX_DIMENSIONS).contains(&self.dimensions()) && are_finite && is_right
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{DocId, Error, Result};
    use crate::documents::{ElementSets, Form};
    use crate::vectors::VectorWords;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    fn pushed(components: &[f32]) -> Result<ElementSets> {
        let mut sets = ElementSets::new();
        VectorWords::new(Kernel::detect()).push(components, &mut sets)?;
        Ok(sets)
    }

    #[test]
    fn words_of_a_vector_are_frozen() {
        let sets = pushed(&[1.0, -2.0, 0.5]).unwrap();
        let words = [3, 5.25f64.to_bits(), 0xC000_0000_3F80_0000, 0x3F00_0000];
        assert_eq!(sets.get(DocId(0)).elements(), words);
        assert_eq!(Form::Vector.checked(&words).unwrap().elements(), words);
        let vector = Vector::from_words(&words).unwrap();
        assert_eq!((vector.components(), vector.squared_norm()), (&[1.0, -2.0, 0.5][..], 5.25));
    }

    #[test]
    fn words_that_are_no_vector_are_refused() {
        let nan = u64::from(f32::NAN.to_bits());
        let wrong: [&[u64]; 7] =
            [&[1], &[0, 0], &[3, 0, 0], &[1, 0, 0, 0], &[1, 7, 0], &[1, 0, nan], &[u64::MAX, 0, 0]];
        for words in wrong {
            assert_eq!(Form::Vector.checked(words), Err(Error::NotAVector), "{words:?}");
        }
        assert!(Form::Vector.checked(&[]).is_ok() && Form::Vector.checked(&[1, 0, 0]).is_ok());
        assert!(matches!(pushed(&[]), Err(Error::NotAVector)));
        assert!(matches!(pushed(&[f32::INFINITY]), Err(Error::NotAVector)));
        assert!(matches!(pushed(&vec![1.0; Vector::MAX_DIMENSIONS + 1]), Err(Error::NotAVector)));
    }

    #[test]
    fn there_is_one_zero() {
        assert_eq!(pushed(&[-0.0, 1.0]).unwrap().hashes(), pushed(&[0.0, 1.0]).unwrap().hashes());
        assert_ne!(pushed(&[1.0, 0.0]).unwrap().hashes(), pushed(&[0.0, 1.0]).unwrap().hashes());
    }

    proptest! {
        #[test]
        fn components_come_back(components in proptest::collection::vec(-1e30f32..1e30, 1..40)) {
            let sets = pushed(&components).unwrap();
            let words = sets.get(DocId(0));
            prop_assert_eq!(Vector::from_words(&words).unwrap().components(), &components[..]);
            prop_assert_eq!(Form::Vector.checked(&words).unwrap(), words);
        }

        #[test]
        fn any_words_are_a_vector_or_refused(words in proptest::collection::vec(any::<u64>(), 0..6)) {
            let _ = Form::Vector.checked(&words);
        }
    }
}

//! Words that the components of vectors are kept as ([`Vector`]).

use crate::base::{Error, Result};
use crate::documents::{Counts, ElementSets, HEAD, Vector};
use crate::kernel::Kernel;

/// Makes the words of vectors. Owns a buffer: create one per thread.
#[derive(Debug, Clone)]
pub struct VectorWords {
    kernel: Kernel,
    words: Vec<u64>,
}

impl VectorWords {
    /// The words do not depend on the kernel.
    pub(crate) fn new(kernel: Kernel) -> Self {
        Self { kernel, words: Vec::new() }
    }

    /// Appends the vector of these components as the next document.
    ///
    /// # Errors
    /// [`Error::NotAVector`] for none or too many components, and for one that is not finite;
    /// [`Error::TooManyDocuments`].
    pub(crate) fn push(&mut self, components: &[f32], sets: &mut ElementSets) -> Result<Counts> {
        let dimensions = components.len();
        if !(1..=Vector::MAX_DIMENSIONS).contains(&dimensions) {
            return Err(Error::NotAVector);
        }
        self.words.clear();
        self.words.resize(HEAD + dimensions.div_ceil(2), 0);
        self.words[0] = dimensions as u64;
        let kept = &mut bytemuck::cast_slice_mut::<u64, f32>(&mut self.words[HEAD..])[..dimensions];
        // The sum turns -0 into 0 and leaves all others as they are.
        kept.iter_mut().zip(components).for_each(|(place, component)| *place = component + 0.0);
        if !kept.iter().all(|component| component.is_finite()) {
            return Err(Error::NotAVector);
        }
        self.words[1] = self.kernel.dot(kept, kept).to_bits();
        sets.push_words(&self.words)?;
        Ok(Counts { tokens: 0, elements: self.words.len() })
    }
}

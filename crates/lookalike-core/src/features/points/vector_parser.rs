//! From the spelling of vectors that readers hand on to the words that they are kept as ([`super::vector`]).

use super::vector::{HEAD, Vector, components_of_text, dimensions_of_text, spells_words};
use crate::features::{Counts, ElementSets};
use crate::ground::{Error, Result};
use crate::kernel::Kernel;

/// Turns texts in that spelling into vectors. Owns a buffer: create one per thread.
#[derive(Debug, Clone)]
pub struct VectorParser {
    kernel: Kernel,
    words: Vec<u64>,
}

impl VectorParser {
    /// A parser; the vectors do not depend on the kernel.
    pub fn new(kernel: Kernel) -> Self {
        Self { kernel, words: Vec::new() }
    }

    /// Appends the vector that a text spells as the next document.
    ///
    /// # Errors
    /// [`Error::NotAVector`] for a text that is none, or has components that are not finite;
    /// [`Error::TooManyDocuments`].
    pub fn push(&mut self, text: &str, sets: &mut ElementSets) -> Result<Counts> {
        let dimensions = dimensions_of_text(text);
        if !spells_words(text) || !(1..=Vector::MAX_DIMENSIONS).contains(&dimensions) {
            return Err(Error::NotAVector);
        }
        self.words.clear();
        self.words.resize(HEAD + dimensions.div_ceil(2), 0);
        self.words[0] = dimensions as u64;
        let components = bytemuck::cast_slice_mut::<u64, f32>(&mut self.words[HEAD..]);
        components.iter_mut().zip(components_of_text(text)).for_each(|(place, component)| *place = component);
        let components = &components[..dimensions];
        if !components.iter().all(|component| component.is_finite()) {
            return Err(Error::NotAVector);
        }
        self.words[1] = self.kernel.dot(components, components).to_bits();
        sets.push_words(&self.words)?;
        Ok(Counts { tokens: 0, elements: self.words.len() })
    }
}

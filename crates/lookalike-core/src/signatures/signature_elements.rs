//! MinHash signatures that somebody else has made, as `lookalike signatures` writes them: K whole numbers of 32 bits.
//!
//! Two sets agree in a component with a probability equal to their Jaccard similarity (Broder 1997), so what counts of
//! two signatures is in how many components they agree. A signature is therefore kept as a set of K elements, one for
//! each component with its number,
//!
//! ```text
//! element i = mix(i << 32 | component i)
//! ```
//!
//! and the number of common elements is that of the components that agree: all that finds sets with many common
//! elements finds signatures that agree in many components, and misses none. The function mixes by a bijection, so
//! different components are different elements. It is there because counters and sorting look at the upper bits.

use crate::base::hash::{mix64, unmix64};
use crate::base::{Error, Result};
use crate::documents::{Counts, ElementSets};
use crate::kernel::EMPTY_COMPONENT;

/// Makes the elements of signatures. Owns a buffer: create one per thread.
#[derive(Debug, Clone, Default)]
pub struct SignatureElements {
    elements: Vec<u64>,
}

impl SignatureElements {
    /// Appends the signature of these components as the next document: without elements if it is that of a set without
    /// elements, whose components are all [`EMPTY_COMPONENT`].
    ///
    /// # Errors
    /// [`Error::NotASignature`] without components; [`Error::TooManyDocuments`].
    pub(crate) fn push(&mut self, components: &[u32], sets: &mut ElementSets) -> Result<Counts> {
        if components.is_empty() {
            return Err(Error::NotASignature);
        }
        self.elements.clear();
        if components.iter().any(|&component| component != EMPTY_COMPONENT) {
            let elements = (0u64..).zip(components).map(|(number, &component)| element(number, component));
            self.elements.extend(elements);
            self.elements.sort_unstable();
        }
        sets.push_with(|elements| {
            elements.extend_from_slice(&self.elements);
            Counts { tokens: 0, elements: self.elements.len() }
        })
    }
}

fn element(number: u64, component: u32) -> u64 {
    mix64(number << u32::BITS | u64::from(component))
}

/// Overwrites `components` with the signature that these elements stand for; those of which there is no element are
/// [`EMPTY_COMPONENT`].
pub fn components_of_elements(elements: &[u64], components: &mut [u32]) {
    components.fill(EMPTY_COMPONENT);
    for &element in elements {
        let numbered = unmix64(element);
        if let Some(component) = components.get_mut((numbered >> u32::BITS) as usize) {
            *component = numbered as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::DocId;
    use crate::similarity::Overlap;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    fn pushed(signatures: &[&[u32]]) -> ElementSets {
        let mut sets = ElementSets::new();
        for components in signatures {
            SignatureElements::default().push(components, &mut sets).unwrap();
        }
        sets
    }

    #[test]
    fn a_signature_of_nothing_has_no_elements() {
        let sets = pushed(&[&[u32::MAX; 3], &[u32::MAX, 0, u32::MAX]]);
        assert_eq!([0, 1].map(|document| sets.get(DocId(document)).len()), [0, 3]);
        let refused = SignatureElements::default().push(&[], &mut ElementSets::new());
        assert!(matches!(refused, Err(Error::NotASignature)));
    }

    proptest! {
        #[test]
        fn common_elements_are_the_components_that_agree(
            pairs in proptest::collection::vec((any::<u32>(), 0u32..2), 1..200),
        ) {
            let left: Vec<u32> = pairs.iter().map(|pair| pair.0).collect();
            let right: Vec<u32> = pairs.iter().map(|pair| pair.0 ^ pair.1).collect();
            let sets = pushed(&[&left, &right]);
            let agree = pairs.iter().filter(|pair| pair.1 == 0).count();
            let [a, b] = [sets.get(DocId(0)), sets.get(DocId(1))];
            let is_empty = [&left, &right].iter().any(|side| side.iter().all(|&component| component == u32::MAX));
            prop_assert_eq!(Overlap::new(a, b).common, if is_empty { 0 } else { agree });
            let mut back = vec![0; left.len()];
            components_of_elements(&a, &mut back);
            prop_assert_eq!(back, left);
        }
    }
}

//! The families of MinHash of which signatures are written for use elsewhere.

use super::{DatasketchMinHash, DatasketchScheme, OnePermutationMinHash};
use crate::sets::SpelledShingler;

/// A family of MinHash, by the name under which users choose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureScheme {
    /// Scheme of this program: [`OnePermutationMinHash`] of 64-bit hashes.
    Lookalike,
    /// One of datasketch, of the first 32 bits of SHA-1.
    Datasketch(DatasketchScheme),
}

impl SignatureScheme {
    /// Name of the scheme.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lookalike => "lookalike",
            Self::Datasketch(scheme) => scheme.name(),
        }
    }

    /// The greatest seed.
    pub fn max_seed(self) -> u64 {
        match self {
            Self::Lookalike => u64::MAX,
            Self::Datasketch(_) => u32::MAX.into(),
        }
    }

    /// Makes the signer for signatures of `num_perm` components; of a seed above [`Self::max_seed`] the lower bits
    /// count.
    pub fn signer(self, num_perm: usize, seed: u64) -> Signer {
        match self {
            Self::Lookalike => Signer::OnePermutation(OnePermutationMinHash::new(num_perm, seed)),
            Self::Datasketch(scheme) => Signer::Datasketch(DatasketchMinHash::new(scheme, num_perm, seed as u32)),
        }
    }
}

/// Makes signatures of the elements that [`Features::hashed_for`](crate::comparison::Features::hashed_for) gives.
#[derive(Debug, Clone)]
pub enum Signer {
    /// Signer of this program.
    OnePermutation(OnePermutationMinHash),
    /// Signer of datasketch.
    Datasketch(DatasketchMinHash),
}

impl Signer {
    /// Overwrites `components`, as many as there are permutations, with the signature of a set.
    pub fn fill(&self, elements: &[u64], components: &mut [u32]) {
        match self {
            Self::OnePermutation(family) => family.fill(elements, components),
            Self::Datasketch(family) => {
                components.fill(super::EMPTY_COMPONENT);
                let hashes: Vec<u32> = elements.iter().map(|&element| SpelledShingler::hash_of(element)).collect();
                family.update(&hashes, components);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::DocId;
    use crate::comparison::Features;
    use crate::documents::ElementSets;
    use crate::kernel::Kernel;
    use crate::sets::ShingleOptions;
    use crate::signatures::sha1_hash32;

    #[test]
    fn a_document_has_the_signature_of_its_spelled_shingles() {
        let features = Features::shingles(ShingleOptions::words(2));
        for scheme in [DatasketchScheme::Legacy, DatasketchScheme::Affine32] {
            let both = SignatureScheme::Datasketch(scheme);
            let mut sets = ElementSets::new();
            let spelled = features.clone().hashed_for(both);
            spelled.extractor(Kernel::detect()).push("One two, three", &mut sets).unwrap();
            let mut found = vec![0; 8];
            both.signer(8, 3).fill(sets.get(DocId(0)).elements(), &mut found);
            let strings: [&[u8]; 2] = [b"one two", b"two three"];
            let expected = DatasketchMinHash::new(scheme, 8, 3).signature(strings.map(sha1_hash32));
            assert_eq!(found, expected.0);
        }
        assert_eq!(features.clone().hashed_for(SignatureScheme::Lookalike), features);
    }
}

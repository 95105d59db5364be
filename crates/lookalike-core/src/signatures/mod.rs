//! MinHash signatures.
//!
//! A signature has one component for each of several fixed orders of all possible elements; the component is the least
//! element of the set in that order. Two sets agree in a component with a probability equal to their Jaccard similarity
//! (Broder 1997), the least element of a union is the lesser of two least elements, and the order of insertion cannot
//! matter. All families here keep these three properties; that is what tests hold them to.
//!
//! | family | cost | for |
//! |---|---|---|
//! | [`PermutationMinHash`] | rows x permutations | teaching, textbook examples |
//! | [`ClassicMinHash`] | elements x permutations | reference, signatures that other tools have |
//! | [`OnePermutationMinHash`] | about one step an element | everything else |

mod classic;
mod one_permutation;
mod permutation;
mod signature;

pub use crate::kernel::EMPTY_COMPONENT;
pub use classic::{ClassicMinHash, UniversalHash};
pub use one_permutation::OnePermutationMinHash;
pub use permutation::PermutationMinHash;
pub use signature::{Estimate, Signature};

#[cfg(test)]
mod tests;

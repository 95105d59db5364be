//! What is wrong with a field that should be a vector.

use super::details::NonFinite;
use lookalike_core::documents::Vector;

/// Why a value is no vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAVector {
    /// A string that is no array.
    #[error("not a vector; expected an array of numbers")]
    NoArray,
    /// The same where signatures are read.
    #[error("not a signature; expected an array of whole numbers")]
    NoSignature,
    /// An array without numbers.
    #[error("an array without numbers")]
    Empty,
    /// An array of too many numbers.
    #[error("an array of {found} numbers; {} is the maximum", Vector::MAX_DIMENSIONS)]
    TooLong {
        /// Number of components.
        found: usize,
    },
    /// A component that is no number.
    #[error("component {number} of the vector is no number")]
    NoNumber {
        /// Number of the component, from 1.
        number: usize,
    },
    /// A component of a signature that is none.
    #[error("component {number} of the signature is no whole number from 0 to {}", u32::MAX)]
    NotWhole {
        /// Number of the component, from 1.
        number: usize,
    },
    /// A component that is not finite, or is not in 32 bits.
    #[error("component {number} of the vector is {found}; expected a number that 32 bits can hold")]
    NotFinite {
        /// Number of the component, from 1.
        number: usize,
        /// What it is.
        found: NonFinite,
    },
    /// A vector of zeros where a direction is compared.
    #[error("a vector of zeros has no direction, and so no cosine with any other; a distance can be compared")]
    Zero,
}

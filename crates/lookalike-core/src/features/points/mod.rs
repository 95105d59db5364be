//! Documents that are no sets but points of a space, of which each has equally many coordinates: fingerprints, and
//! vectors of floats. Both are kept as words in [`super::ElementSets`], where elements stand for sets. Given MinHash
//! signatures are kept as sets; images become one of the two.

mod bits;
mod image;
mod signature;
mod vector;
mod vector_words;

pub(super) use bits::check_width;
pub use bits::{Bits, bits_to_text, count_differing, differing_bits, element_masks, parse_bits};
pub use image::Pixels;
pub use signature::{SignatureElements, components_of_elements};
pub use vector::Vector;
pub use vector_words::VectorWords;

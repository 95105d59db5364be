//! Documents that are no sets but points of a space, of which each has equally many coordinates: fingerprints, and
//! vectors of floats. Both are kept as words in [`super::ElementSets`], where elements stand for sets. Given MinHash
//! signatures are kept as sets; images become one of the two.

mod bits;
mod image;
mod signature;
mod vector;
mod vector_parser;

pub(super) use bits::check_width;
pub use bits::{BitsParser, bits_to_text, count_differing, differing_bits, element_masks, parse_bits, plain_digits};
pub use image::Pixels;
pub use signature::{SignatureParser, components_of_elements, push_signature_component};
pub use vector::{Vector, components_of_text, dimensions_of_text, push_component};
pub use vector_parser::VectorParser;

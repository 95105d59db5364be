//! The features of documents, by which they are compared: the noun [`Features`], and sets of shingles or items.
//!
//! ```text
//! Features      the noun: how a text is cut, hashed and counted
//! Shingler      text -> tokens -> n consecutive tokens, hashed -> elements
//! SpelledShingler    the same for shingles whose hashes other programs know
//! BitsParser    text -> fingerprint, VectorParser: text -> vector, SignatureParser: text -> set that stands for a
//!               signature; Extractor: any of the five
//! Pixels        image -> perceptual hash, or vector of colours
//! Form          what the words of a document are: elements of a set, or a vector
//! ElementSet    the elements of one document, strictly ascending
//! ElementSets   the element sets of all documents, in one ragged array
//! SideBySide    two sets in pieces of equal range, where they may be long
//! ShortTexts    which texts of fewer than n tokens stand inside which others
//! WeightedSet   the elements of one document with their weights
//! TextHash      tells which texts are equal byte for byte
//! ```

mod extractor;
#[expect(clippy::module_inception, reason = "the noun of this room has a file of its own")]
mod features;
mod form;
mod points;
mod set;
mod sets;
mod shingle;
mod shingle_options;
mod short_texts;
mod side_by_side;
mod spelled;
mod text_hash;
mod weighted;
mod windows;

pub use extractor::Extractor;
pub use features::Features;
pub use form::Form;
pub use points::{
    BitsParser, Pixels, SignatureParser, Vector, VectorParser, bits_to_text, components_of_elements,
    components_of_text, count_differing, differing_bits, dimensions_of_text, element_masks, parse_bits, plain_digits,
    push_component, push_signature_component,
};
pub use set::ElementSet;
pub use sets::ElementSets;
pub use shingle::{Counts, Shingler};
pub use shingle_options::{HashBits, Multiplicity, ShingleOptions, ShingleSize};
pub use short_texts::{LoneElements, ShortTexts};
pub(crate) use side_by_side::SideBySide;
pub use spelled::SpelledShingler;
pub use text_hash::{CONTENT_NAME, TEXT_HASH, TextHash, content_name};
pub use weighted::WeightedSet;
pub(crate) use windows::Windows;

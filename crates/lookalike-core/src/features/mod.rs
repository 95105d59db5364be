//! The features of documents, by which they are compared: the noun [`Features`], and sets of shingles or items.
//!
//! ```text
//! Features      the noun: how a text is cut, hashed and counted
//! Shingler      text -> tokens -> n consecutive tokens, hashed -> elements
//! SpelledShingler    the same for shingles whose hashes other programs know
//! Content       what a document holds: text, items, fingerprint, vector or signature
//! Extractor     Content -> elements or words, by the features
//! Pixels        image -> perceptual hash, or vector of colours
//! Form          what the words of a document are: elements of a set, or a vector
//! ElementSet    the elements of one document, strictly ascending
//! ElementSets   the element sets of all documents, in one ragged array
//! SideBySide    two sets in pieces of equal range, where they may be long
//! ShortTexts    which texts of fewer than n tokens stand inside which others
//! WeightedSet   the elements of one document with their weights
//! TextHash      tells which texts are equal byte for byte
//! ```

mod content;
mod extractor;
#[expect(clippy::module_inception, reason = "the noun of this room has a file of its own")]
mod features;
mod form;
mod multiplicity;
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

pub use content::Content;
pub use extractor::Extractor;
pub use features::Features;
pub use form::Form;
pub use multiplicity::Multiplicity;
pub use points::{
    Bits, Pixels, SignatureElements, Vector, VectorWords, bits_to_text, components_of_elements, count_differing,
    differing_bits, element_masks, parse_bits,
};
pub use set::{Counts, ElementSet};
pub use sets::ElementSets;
pub use shingle::Shingler;
pub use shingle_options::{HashBits, ShingleOptions, ShingleSize};
pub use short_texts::{LoneElements, ShortTexts};
pub(crate) use side_by_side::SideBySide;
pub use spelled::SpelledShingler;
pub use text_hash::{CONTENT_NAME, TEXT_HASH, TextHash, content_name};
pub use weighted::WeightedSet;
pub(crate) use windows::Windows;

//! Documents of all kinds: their contents, and the words that stand for them.
//!
//! ```text
//! Content       what a document holds: text, items, fingerprint, vector or signature
//! Bits, Vector  the words of a fingerprint, and of a vector
//! Form          what the words of a document are: elements of a set, or a vector
//! ElementSet    the elements of one document, strictly ascending
//! ElementSets   the element sets of all documents, in one ragged array
//! WeightedSet   the elements of one document with their weights
//! SideBySide    two sets in pieces of equal range, where they may be long
//! ShortTexts    which texts of fewer than n tokens stand inside which others
//! TextHash      tells which texts are equal byte for byte
//! ```

mod bits;
mod content;
mod form;
mod set;
mod sets;
mod short_texts;
mod side_by_side;
mod text_hash;
mod vector;

pub(crate) use bits::check_width;
pub use bits::{Bits, bits_to_text, count_differing, differing_bits, element_masks, parse_bits};
pub use content::Content;
pub use form::Form;
pub use set::{Counts, ElementSet, Multiplicity, WeightedSet};
pub use sets::ElementSets;
pub use short_texts::{LoneElements, ShortTexts};
pub(crate) use side_by_side::SideBySide;
pub use text_hash::{CONTENT_NAME, TEXT_HASH, TextHash, content_name};
pub(crate) use vector::HEAD;
pub use vector::Vector;

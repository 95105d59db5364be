//! Documents as they are put into an index.

use super::packed_text::PackedText;
use lookalike_core::documents::TextHash;

/// A document that is put into an index, in place of one with the same id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// Its name, by which it is deleted and replaced.
    pub id: String,
    /// Its elements, strictly ascending.
    pub elements: Vec<u64>,
    /// How often it has each element; empty if once.
    pub counts: Vec<u32>,
    /// The hash of its text.
    pub text_hash: TextHash,
    /// Length of its text in characters.
    pub characters: u64,
    /// The second, since the beginning of 1970 (UTC), from which on it is no more there.
    pub expires: Option<u64>,
    /// What travels along, as one JSON object; empty for nothing.
    pub fields: String,
    /// Its text, if texts are stored.
    pub text: PackedText,
}

impl Document {
    /// A document of which only its elements, strictly ascending, are known.
    pub fn of_set(id: impl Into<String>, elements: Vec<u64>) -> Self {
        Self { id: id.into(), elements, ..Self::default() }
    }
}

/// Elements of a stored document, with their counts; empty if all are 1.
#[derive(Debug, Clone, Default)]
pub struct SetBuffer {
    /// Strictly ascending.
    pub elements: Vec<u64>,
    /// By element.
    pub counts: Vec<u32>,
}

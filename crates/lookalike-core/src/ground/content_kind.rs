//! Kinds of what a document holds.

use std::fmt::{self, Display, Formatter};

/// Kind of what a document holds. Displayed in the plural.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentKind {
    /// A text.
    Text,
    /// A set of items.
    Items,
    /// A fingerprint.
    Bits,
    /// A vector of floats.
    Vector,
    /// A MinHash signature.
    Signature,
}

impl ContentKind {
    /// One of them, in words.
    pub fn one(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Items => "items",
            Self::Bits => "a fingerprint",
            Self::Vector => "a vector",
            Self::Signature => "a signature",
        }
    }
}

impl Display for ContentKind {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Text => "texts",
            Self::Items => "items",
            Self::Bits => "fingerprints",
            Self::Vector => "vectors",
            Self::Signature => "signatures",
        })
    }
}

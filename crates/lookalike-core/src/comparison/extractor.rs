//! The step from the contents of documents to their elements, by the features of the job.

use crate::base::{ContentKind, Error, Result};
use crate::documents::{Bits, Content, Counts, ElementSets};
use crate::sets::{Shingler, SpelledShingler};
use crate::signatures::SignatureElements;
use crate::text::TokenUnit;
use crate::vectors::VectorWords;

/// Turns contents into element sets, by one kind of [`super::Features`]. Owns reusable buffers: create one per thread.
#[derive(Debug, Clone)]
pub enum Extractor {
    /// Sets of shingles or items.
    Shingles(Box<Shingler>),
    /// Sets of spelled shingles.
    Spelled(Box<SpelledShingler>),
    /// Given fingerprints.
    Bits {
        /// Number of their bits.
        width: u32,
    },
    /// Vectors.
    Vectors(VectorWords),
    /// Given signatures.
    Signatures(SignatureElements),
    /// No elements: texts are compared by their text hashes.
    Nothing,
}

impl Extractor {
    /// Appends the elements of a content to `sets` as the next document. The digits of a fingerprint may be a text.
    ///
    /// # Errors
    /// [`Error::TooManyDocuments`] if all document numbers are in use; [`Error::OtherContent`],
    /// [`Error::NotAVector`], [`Error::NotASignature`] for a content of another kind, [`Error::NotBits`] for a
    /// fingerprint of another width.
    pub fn push<'c>(&mut self, content: impl Into<Content<'c>>, sets: &mut ElementSets) -> Result<Counts> {
        let content = content.into();
        match (self, &content) {
            (Self::Shingles(shingler), content) => shingler.push(content, sets),
            (Self::Spelled(shingler), content) => shingler.push(content, sets),
            (Self::Bits { width }, Content::Bits(bits)) => push_bits(bits, *width, sets),
            (Self::Bits { width }, Content::Text(digits)) => push_bits(&Bits::parse(&**digits, *width)?, *width, sets),
            (Self::Bits { .. }, other) => Err(other.instead_of(ContentKind::Bits)),
            (Self::Vectors(words), Content::Vector(components)) => words.push(components, sets),
            (Self::Vectors(_), _) => Err(Error::NotAVector),
            (Self::Signatures(elements), Content::Signature(components)) => elements.push(components, sets),
            (Self::Signatures(_), _) => Err(Error::NotASignature),
            (Self::Nothing, _) => sets.push_with(|_| Counts { tokens: 0, elements: 0 }),
        }
    }

    /// Returns whether a text of so many tokens has some, but fewer than a shingle: it is one shingle as a whole.
    pub fn is_short(&self, tokens: usize) -> bool {
        let options = match self {
            Self::Shingles(shingler) => shingler.options(),
            Self::Spelled(shingler) => shingler.options(),
            Self::Bits { .. } | Self::Vectors(_) | Self::Signatures(_) | Self::Nothing => return false,
        };
        options.size.unit != TokenUnit::Item && (1..options.size.tokens).contains(&tokens)
    }
}

/// Appends a fingerprint to those of this width as the next document.
fn push_bits(bits: &Bits<'_>, width: u32, sets: &mut ElementSets) -> Result<Counts> {
    let elements = bits.elements(width)?;
    sets.push(elements)?;
    Ok(Counts { tokens: 0, elements: elements.len() })
}

//! What turns the texts of documents into their elements, by the features of the job.

use super::{BitsParser, Counts, ElementSets, Shingler, SignatureParser, SpelledShingler, VectorParser};
use crate::ground::Result;
use crate::text::TokenUnit;

/// Turns texts into element sets, by one kind of [`super::Features`]. Owns reusable buffers: create one per thread.
#[derive(Debug, Clone)]
pub enum Extractor {
    /// Sets of shingles or items.
    Shingles(Box<Shingler>),
    /// Sets of spelled shingles.
    Spelled(Box<SpelledShingler>),
    /// Given fingerprints.
    Bits(BitsParser),
    /// Vectors.
    Vectors(VectorParser),
    /// Given signatures.
    Signatures(SignatureParser),
    /// No elements: texts are compared by their text hashes.
    Nothing,
}

impl Extractor {
    /// Appends the set of `text` to `sets` as the next document.
    ///
    /// # Errors
    /// [`crate::Error::TooManyDocuments`] if all document numbers are in use; [`crate::Error::NotBits`] for a text that
    /// is no fingerprint, [`crate::Error::NotAVector`] for one that spells no vector, [`crate::Error::NotASignature`]
    /// for one that spells no signature.
    pub fn push(&mut self, text: &str, sets: &mut ElementSets) -> Result<Counts> {
        match self {
            Self::Shingles(shingler) => shingler.push(text, sets),
            Self::Spelled(shingler) => shingler.push(text, sets),
            Self::Bits(parser) => parser.push(text, sets),
            Self::Vectors(parser) => parser.push(text, sets),
            Self::Signatures(parser) => parser.push(text, sets),
            Self::Nothing => sets.push_with(|_| Counts { tokens: 0, elements: 0 }),
        }
    }

    /// Whether a text of so many tokens has some, but fewer than a shingle: it is one shingle as a whole.
    pub fn is_short(&self, tokens: usize) -> bool {
        let options = match self {
            Self::Shingles(shingler) => shingler.options(),
            Self::Spelled(shingler) => shingler.options(),
            Self::Bits(_) | Self::Vectors(_) | Self::Signatures(_) | Self::Nothing => return false,
        };
        options.size.unit != TokenUnit::Item && (1..options.size.tokens).contains(&tokens)
    }
}

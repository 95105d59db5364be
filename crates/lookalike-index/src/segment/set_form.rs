//! What stands in a segment for the set of a document.

use super::packed_sets::{pack, packed_bytes};
use lookalike_core::comparison::Measure;
use lookalike_core::documents::{ElementSet, Form};
use lookalike_core::signatures::ByteSignatures;

/// What stands in a segment for the set of a document.
#[derive(Debug, Clone)]
pub(crate) enum SetForm {
    /// Its elements, packed, with the sketch for a measure.
    Elements(Measure),
    /// Its signature, by which similarities are estimated; nothing for a set without elements.
    Signature(ByteSignatures),
}

impl SetForm {
    /// Bytes of a signature; 0 if elements are stored.
    pub(super) fn signature_bytes(&self) -> usize {
        match self {
            Self::Elements(_) => 0,
            Self::Signature(signatures) => signatures.num_perm(),
        }
    }

    /// What the words of documents are.
    pub(crate) fn words(&self) -> Form {
        match self {
            Self::Elements(measure) if measure.is_of_vectors() => Form::Vector,
            Self::Elements(_) | Self::Signature(_) => Form::Elements,
        }
    }

    /// Bytes of a set of `size` elements: a multiple of 8 of packed ones.
    pub(super) fn bytes_of(&self, size: usize) -> usize {
        match self {
            Self::Elements(measure) => packed_bytes(size, *measure),
            Self::Signature(_) if size == 0 => 0,
            Self::Signature(signatures) => signatures.num_perm(),
        }
    }

    /// Appends the bytes of a set.
    pub(super) fn append(&mut self, set: ElementSet<'_>, bytes: &mut Vec<u8>) {
        match self {
            Self::Elements(measure) => pack(set, *measure, bytes),
            Self::Signature(_) if set.is_empty() => {}
            Self::Signature(signatures) => signatures.append(set.elements(), bytes),
        }
    }
}

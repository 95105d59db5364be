//! What is compared of each row: a text, a list of items, or a vector.

use super::fields::ColumnContent;
use super::item_lists::ItemLists;
use super::texts::{Spelling, Texts};
use super::vector_lists::VectorLists;
use crate::sources::ItemCounts;
use arrow_array::{Array, ArrayRef};
use arrow_schema::ArrowError;

/// The compared column of a batch.
#[derive(Debug)]
pub(crate) enum Contents {
    Texts(Texts),
    Lists(ItemLists),
    Fingerprints(Texts, Spelling),
    Vectors(VectorLists),
}

impl Contents {
    /// The column that [`super::FieldColumns::find`] took.
    pub(crate) fn of(array: &ArrayRef, content: ColumnContent) -> Result<Self, ArrowError> {
        if content == ColumnContent::Fingerprints {
            let (texts, spelling) = Texts::of_fingerprints(array)?;
            return Ok(Self::Fingerprints(texts, spelling));
        }
        if content == ColumnContent::Vectors && VectorLists::are_of(array.data_type()) {
            return VectorLists::of(array).map(Self::Vectors);
        }
        Self::of_items(array)
    }

    /// A column of lists or of texts.
    pub(crate) fn of_items(array: &ArrayRef) -> Result<Self, ArrowError> {
        match ItemLists::are_of(array.data_type(), ItemCounts::Written) {
            true => ItemLists::of(array).map(Self::Lists),
            false => Texts::of(array).map(Self::Texts),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Texts(texts) | Self::Fingerprints(texts, _) => texts.len(),
            Self::Lists(lists) => lists.len(),
            Self::Vectors(vectors) => vectors.len(),
        }
    }

    /// Total length in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Texts(texts) | Self::Fingerprints(texts, _) => texts.bytes(),
            Self::Lists(lists) => lists.bytes(),
            Self::Vectors(vectors) => vectors.bytes(),
        }
    }

    pub(crate) fn slice(&self, offset: usize, length: usize) -> Self {
        match self {
            Self::Texts(texts) => Self::Texts(texts.slice(offset, length)),
            Self::Lists(lists) => Self::Lists(lists.slice(offset, length)),
            Self::Vectors(vectors) => Self::Vectors(vectors.slice(offset, length)),
            Self::Fingerprints(texts, spelling) => Self::Fingerprints(texts.slice(offset, length), *spelling),
        }
    }
}

//! Compared contents of rows: texts, lists of items, or vectors.

use super::fields::ColumnContent;
use super::item_lists::ItemLists;
use super::texts::{Spelling, TextValues};
use super::vector_lists::VectorLists;
use crate::sources::ItemCounts;
use arrow_array::{Array, ArrayRef};
use arrow_schema::ArrowError;
use std::ops::Range;

/// The compared column of a batch.
#[derive(Debug)]
pub(crate) enum Contents {
    Texts(TextValues),
    Lists(ItemLists),
    Fingerprints(TextValues, Spelling),
    Vectors(VectorLists),
}

impl Contents {
    /// The column that [`super::FieldColumns::find`] took.
    pub(crate) fn from_column(array: &ArrayRef, content: ColumnContent) -> Result<Self, ArrowError> {
        if content == ColumnContent::Fingerprints {
            let (texts, spelling) = TextValues::of_fingerprints(array)?;
            return Ok(Self::Fingerprints(texts, spelling));
        }
        if content == ColumnContent::Vectors && VectorLists::are_of(array.data_type()) {
            return VectorLists::from_array(array).map(Self::Vectors);
        }
        Self::of_items(array)
    }

    /// A column of lists or of texts.
    pub(crate) fn of_items(array: &ArrayRef) -> Result<Self, ArrowError> {
        if ItemLists::are_of(array.data_type(), ItemCounts::Written) {
            ItemLists::from_array(array).map(Self::Lists)
        } else {
            TextValues::from_array(array).map(Self::Texts)
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Texts(texts) | Self::Fingerprints(texts, _) => texts.len(),
            Self::Lists(lists) => lists.len(),
            Self::Vectors(vectors) => vectors.len(),
        }
    }

    /// Total length of some rows in bytes.
    pub(crate) fn bytes(&self, rows: &Range<usize>) -> u64 {
        match self {
            Self::Texts(texts) | Self::Fingerprints(texts, _) => texts.bytes(rows),
            Self::Lists(lists) => lists.bytes(rows),
            Self::Vectors(vectors) => vectors.bytes(rows),
        }
    }
}

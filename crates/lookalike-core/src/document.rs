//! The number of a document.

use crate::error::{Error, Result};

/// Position of a document in the input, counted from 0 over all sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocId(pub u32);

impl DocId {
    /// The id of the document at `index`.
    ///
    /// # Errors
    /// [`Error::TooManyDocuments`] past 2^32 - 1 documents.
    pub fn from_index(index: usize) -> Result<Self> {
        u32::try_from(index).map(DocId).map_err(|_| Error::TooManyDocuments)
    }

    /// The id as an index into per-document arrays.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The ids 0, 1, ... of `count` documents; those past the last possible id are left out.
    pub fn all(count: usize) -> impl ExactSizeIterator<Item = DocId> + Clone {
        (0..u32::try_from(count).unwrap_or(u32::MAX)).map(DocId)
    }
}

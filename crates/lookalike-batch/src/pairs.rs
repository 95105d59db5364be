//! Columns of pairs: two document numbers a row.

use crate::error::{Result, RowFault};
use crate::numbers::{DocumentNumbers, check_rows};
use arrow_array::Array;
use lookalike_core::DocId;

/// Two columns of document numbers, counted from 0: UInt32, UInt64, Int32 or Int64 each. A row is a pair, either way
/// round, and may occur more than once.
///
/// Ids of an engine may be of any kind: number the documents that occur in pairs first, and join the ids back
/// afterwards.
#[derive(Debug, Clone, Copy)]
pub struct Pairs<'a> {
    /// One document.
    pub a: &'a dyn Array,
    /// The other.
    pub b: &'a dyn Array,
}

impl<'a> Pairs<'a> {
    /// The pairs in order, of which each document is one of `documents`.
    ///
    /// # Errors
    /// [`Error::ColumnType`](super::Error::ColumnType), [`Error::RowCount`](super::Error::RowCount).
    pub(crate) fn rows(self, documents: usize) -> Result<impl ExactSizeIterator<Item = Result<(DocId, DocId)>> + 'a> {
        let a = DocumentNumbers::new("a", self.a)?;
        let b = DocumentNumbers::new("b", self.b)?;
        check_rows("b", a.len(), b.len())?;
        Ok((0..a.len()).map(move |row| Ok((document(&a, row, documents)?, document(&b, row, documents)?))))
    }
}

/// The document in a row that exists, one of `documents`.
///
/// # Errors
/// [`RowFault::Null`], [`RowFault::NumberRange`], [`RowFault::UnknownDocument`].
pub(crate) fn document(column: &DocumentNumbers<'_>, row: usize, documents: usize) -> Result<DocId> {
    let found = column.present(row)?;
    let id = DocId(found);
    if id.index() < documents {
        Ok(id)
    } else {
        Err(RowFault::UnknownDocument { documents, found }.at(column.column, row))
    }
}

//! Columns of pairs: two document numbers a row.

use crate::error::{Error, Result};
use crate::numbers::{Numbers, check_rows};
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

/// The rows of [`Pairs`] among a known number of documents.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairRows<'a> {
    a: Numbers<'a>,
    b: Numbers<'a>,
    documents: usize,
}

impl<'a> PairRows<'a> {
    pub(crate) fn new(pairs: Pairs<'a>, documents: usize) -> Result<Self> {
        let a = Numbers::new("a", pairs.a)?;
        let b = Numbers::new("b", pairs.b)?;
        check_rows("b", a.len(), b.len())?;
        Ok(Self { a, b, documents })
    }

    pub(crate) fn len(&self) -> usize {
        self.a.len()
    }

    /// The pairs in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Result<(DocId, DocId)>> {
        (0..self.len())
            .map(|row| Ok((document(&self.a, row, self.documents)?, document(&self.b, row, self.documents)?)))
    }
}

/// The document in a row that exists, one of `documents`.
///
/// # Errors
/// [`Error::Null`], [`Error::NumberRange`], [`Error::UnknownDocument`].
pub(crate) fn document(column: &Numbers<'_>, row: usize, documents: usize) -> Result<DocId> {
    let found = column.present(row)?;
    let id = DocId(found);
    if id.index() < documents {
        Ok(id)
    } else {
        Err(Error::UnknownDocument { column: column.column(), row, documents, found })
    }
}

//! The records to write.

use crate::ground::Span;
use crate::rows::Annotation;
use arrow_array::RecordBatch;

/// A record to write.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted<'a> {
    /// Number of its line, row or document ([`Document::number`](crate::Document::number)).
    pub number: u64,
    /// Its bytes, unless it is a row of a file of columns.
    pub span: Span,
    /// The decision to add to it.
    pub annotation: Option<Annotation<'a>>,
}

/// A batch of rows, and the wanted record of each row.
pub(crate) type WantedRows<'w> = (RecordBatch, Vec<Wanted<'w>>);

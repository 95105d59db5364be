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
    /// The decision, written under [`Annotations::Add`].
    pub annotation: Option<Annotation<'a>>,
}

/// Whether the records of an output have an [`Annotation`] each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Annotations {
    /// The records as they came.
    Omit,
    /// More columns, in JSON Lines one more object.
    Add,
}

/// A batch of rows, and the wanted record of each row.
pub(crate) type WantedRows<'w> = (RecordBatch, Vec<Wanted<'w>>);

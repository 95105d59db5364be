//! The records to write.

use crate::ground::Span;
use crate::rows::{Annotation, AnnotationKind};
use arrow_array::RecordBatch;
use lookalike_core::DocId;
use std::fmt;

/// A record to write.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted<'a> {
    /// Number of its line, row or document ([`Document::number`](crate::Document::number)).
    pub number: u64,
    /// Number of its document among all that were read.
    pub document: DocId,
    /// Its bytes, unless it is a row of a file of columns.
    pub span: Span,
    /// What is added to it under [`Annotations::Add`].
    pub annotation: Option<Annotation<'a>>,
}

/// Whether the records of an output have an [`Annotation`] each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Annotations {
    /// The records as they came.
    Omit,
    /// More columns, in JSON Lines one more object.
    Add(AnnotationKind),
}

impl Annotations {
    /// What they tell, if they are added.
    pub(crate) fn kind(self) -> Option<AnnotationKind> {
        match self {
            Self::Omit => None,
            Self::Add(kind) => Some(kind),
        }
    }
}

/// Changes the texts of records: given a document and its text, returns another one, or `None` for the same.
#[derive(Clone, Copy)]
pub struct TextEdit<'r>(pub &'r (dyn Fn(DocId, &str) -> Option<String> + Sync));

impl fmt::Debug for TextEdit<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TextEdit")
    }
}

/// A batch of rows, and the wanted record of each row.
pub(crate) type WantedRows<'w> = (RecordBatch, Vec<Wanted<'w>>);

//! The records to write.

use crate::ground::Span;
use crate::rows::Annotation;
use arrow_array::RecordBatch;
use lookalike_core::measure::Figure;

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
    Add {
        /// What the measure counts.
        figure: Figure,
    },
}

impl Annotations {
    /// What the measure counts, of annotations that are added.
    pub(crate) fn figure(self) -> Option<Figure> {
        match self {
            Self::Omit => None,
            Self::Add { figure } => Some(figure),
        }
    }
}

/// A batch of rows, and the wanted record of each row.
pub(crate) type WantedRows<'w> = (RecordBatch, Vec<Wanted<'w>>);

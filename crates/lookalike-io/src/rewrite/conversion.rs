//! A conversion: its sources and output, the records to write, and what is added to them or changed.

use crate::base::Span;
use crate::formats::{RecordFormat, RowFormat};
use crate::rows::{Annotation, AnnotationKind};
use crate::sources::{FieldNames, Source, SourceKind};
use arrow_array::RecordBatch;
use lookalike_core::DocId;
use std::fmt;

/// A conversion of the records of one or more sources into one file.
#[derive(Debug, Clone, Copy)]
pub struct Rewrite<'r> {
    /// Files of records, or text files that become records of one file, in order.
    pub sources: &'r [&'r Source],
    /// Names of their fields.
    pub fields: &'r FieldNames,
    /// Maximum size of a record in bytes, as in the first reading.
    pub limit: Option<u64>,
    /// Format of the output.
    pub format: RowFormat,
    /// Annotations of the records.
    pub annotations: Annotations,
    /// Change of their texts; `None` if they stay.
    pub edit: Option<TextEdit<'r>>,
    /// Basis of the choice of records: Parquet and Arrow files carry it in their metadata, under
    /// [`BASIS_KEY`](crate::rows::BASIS_KEY), in place of what a source says of itself there.
    pub basis: Option<&'r str>,
}

impl Rewrite<'_> {
    /// Returns whether values can be copied from Parquet to Parquet, if the files have one schema.
    pub(super) fn is_parquet_only(&self) -> bool {
        let is_parquet =
            |source: &&Source| matches!(source.kind, SourceKind::Records { format: RecordFormat::Parquet, .. });
        self.format == RowFormat::Parquet && self.sources.iter().all(is_parquet)
    }
}

/// A record that is selected for the output.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelectedRecord<'a> {
    /// Number of its line, row or document ([`Document::number`](crate::Document::number)).
    pub number: u64,
    /// Number of its document among all that were read.
    pub document: DocId,
    /// Bytes of the record, unless it is a row of a file of columns.
    pub span: Span,
    /// Annotation of the record under [`Annotations::Add`].
    pub annotation: Option<Annotation<'a>>,
}

/// Presence of an [`Annotation`] in each record of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Annotations {
    /// The records as they came.
    Omit,
    /// More columns, in JSON Lines one more object.
    Add(AnnotationKind),
}

impl Annotations {
    /// Kind of the annotations, if they are added.
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

/// A batch of rows, and the selected record of each row.
pub(crate) type SelectedRows<'w> = (RecordBatch, Vec<SelectedRecord<'w>>);

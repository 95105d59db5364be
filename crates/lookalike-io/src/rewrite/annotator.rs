//! Annotations as columns of batches.

use super::conversion::SelectedRecord;
use crate::base::{Error, Result};
use crate::columns::CellsBuilder;
use crate::formats::RowFormat;
use crate::rows::{Annotation, AnnotationKind, Column, Row, Value};
use arrow_array::{ArrayRef, StructArray};
use arrow_schema::{Field, Fields, Schema, SchemaRef};
use std::path::Path;
use std::sync::Arc;

/// Adds annotations to batches.
pub(super) struct Annotator {
    /// True if they are one struct, which JSON Lines shows as an object.
    is_nested: bool,
    kind: AnnotationKind,
}

impl Annotator {
    pub(super) fn new(format: RowFormat, kind: AnnotationKind) -> Self {
        Self { is_nested: format == RowFormat::JsonLines, kind }
    }

    /// The schema with the added columns.
    ///
    /// # Errors
    /// [`Error::ColumnExists`].
    pub(super) fn schema(&self, schema: &Schema, path: &Path) -> Result<SchemaRef> {
        let added = if self.is_nested {
            Fields::from(vec![Field::new_struct(Annotation::NAME, self.object_fields(), true)])
        } else {
            Fields::from(self.kind.column_fields())
        };
        if let Some(known) = added.iter().find(|field| schema.fields().find(field.name()).is_some()) {
            return Err(Error::ColumnExists { path: path.to_owned(), column: known.name().clone() });
        }
        let fields: Vec<_> = schema.fields().iter().chain(&added).cloned().collect();
        Ok(Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())))
    }

    /// The added columns for a batch of records.
    pub(super) fn columns(&self, selected: &[SelectedRecord<'_>]) -> Vec<ArrayRef> {
        let header = self.kind.header();
        let mut columns: Vec<_> = header.iter().map(|column| CellsBuilder::new(&column.kind.data_type())).collect();
        for record in selected {
            let mut cells = record.annotation.iter().flat_map(Row::cells);
            for column in &mut columns {
                column.push(&cells.next().map_or(Value::Null, |(_, value)| value));
            }
        }
        let columns: Vec<ArrayRef> = columns.into_iter().map(CellsBuilder::finish).collect();
        if self.is_nested { vec![Arc::new(StructArray::new(self.object_fields(), columns, None))] } else { columns }
    }

    /// The fields of the JSON object.
    fn object_fields(&self) -> Fields {
        let field = |column: Column| Field::new(column.name, column.kind.data_type(), true);
        self.kind.header().into_iter().map(field).collect()
    }
}

//! Annotations as columns of batches.

use crate::formats::RowFormat;
use crate::ground::{Error, Result};
use crate::rewrite::wanted::Wanted;
use crate::rows::{Annotation, AnnotationKind, Cell, RowField, RowKind};
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, StringArray, StructArray, UInt32Array, UInt64Array, new_null_array,
};
use arrow_schema::{Field, Fields, Schema, SchemaRef};
use std::path::Path;
use std::sync::Arc;

/// Adds annotations to batches.
pub(super) struct Annotator {
    /// Whether they are one struct, which JSON Lines shows as an object.
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
        let added = match self.is_nested {
            true => Fields::from(vec![Field::new_struct(Annotation::NAME, self.object_fields(), true)]),
            false => Fields::from(self.kind.column_fields()),
        };
        if let Some(known) = added.iter().find(|field| schema.fields().find(field.name()).is_some()) {
            return Err(Error::ColumnExists { path: path.to_owned(), column: known.name().clone() });
        }
        let fields: Vec<_> = schema.fields().iter().chain(&added).cloned().collect();
        Ok(Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())))
    }

    /// The added columns for a batch of records.
    pub(super) fn columns(&self, wanted: &[Wanted<'_>]) -> Vec<ArrayRef> {
        let cells = wanted.iter().map(|record| record.annotation.map(|annotation| annotation.cells()));
        let rows: Vec<Option<Vec<Cell<'_>>>> = cells.collect();
        let header = self.kind.header();
        let columns = header.iter().enumerate().map(|(place, field)| column(*field, place, &rows)).collect();
        match self.is_nested {
            true => vec![Arc::new(StructArray::new(self.object_fields(), columns, None))],
            false => columns,
        }
    }

    /// The fields of the JSON object.
    fn object_fields(&self) -> Fields {
        let field = |field: RowField| Field::new(field.name, field.kind.data_type(), true);
        self.kind.header().into_iter().map(field).collect()
    }
}

/// The column of a field, whose cells stand at this place of the rows.
fn column(field: RowField, place: usize, rows: &[Option<Vec<Cell<'_>>>]) -> ArrayRef {
    let cells = rows.iter().map(|row| row.as_ref()?.get(place));
    match field.kind {
        RowKind::Flag => Arc::new(
            cells.map(|cell| if let Cell::Flag(flag) = cell? { Some(*flag) } else { None }).collect::<BooleanArray>(),
        ),
        RowKind::Text => Arc::new(
            cells
                .map(|cell| if let Cell::Text(text) = cell? { Some(text.as_ref()) } else { None })
                .collect::<StringArray>(),
        ),
        RowKind::Number => Arc::new(
            cells
                .map(|cell| if let Cell::Number(number) = cell? { Some(*number) } else { None })
                .collect::<Float64Array>(),
        ),
        RowKind::Count => Arc::new(
            cells.map(|cell| if let Cell::Count(count) = cell? { Some(*count) } else { None }).collect::<UInt64Array>(),
        ),
        RowKind::Count32 => Arc::new(
            cells
                .map(|cell| if let Cell::Count32(count) = cell? { Some(*count) } else { None })
                .collect::<UInt32Array>(),
        ),
        RowKind::Bytes(_) => new_null_array(&field.kind.data_type(), rows.len()),
    }
}

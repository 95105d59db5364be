//! Annotations as columns of batches.

use crate::formats::RowFormat;
use crate::ground::{Error, Result};
use crate::rewrite::wanted::Wanted;
use crate::rows::Annotation;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, StringArray, StructArray, UInt32Array, UInt64Array};
use arrow_schema::{Field, Fields, Schema, SchemaRef};
use lookalike_core::measure::Figure;
use std::path::Path;
use std::sync::Arc;

/// Adds annotations to batches.
pub(super) struct Annotator {
    /// Whether they are one struct, which JSON Lines shows as an object.
    is_nested: bool,
    /// What the measure counts.
    figure: Figure,
}

impl Annotator {
    pub(super) fn new(format: RowFormat, figure: Figure) -> Self {
        Self { is_nested: format == RowFormat::JsonLines, figure }
    }

    /// The schema with the added columns.
    ///
    /// # Errors
    /// [`Error::ColumnExists`].
    pub(super) fn schema(&self, schema: &Schema, path: &Path) -> Result<SchemaRef> {
        let added = match self.is_nested {
            true => Fields::from(vec![Field::new_struct(Annotation::NAME, self.object_fields(), true)]),
            false => Fields::from(Annotation::column_fields(self.figure).to_vec()),
        };
        if let Some(known) = added.iter().find(|field| schema.fields().find(field.name()).is_some()) {
            return Err(Error::ColumnExists { path: path.to_owned(), column: known.name().clone() });
        }
        let fields: Vec<_> = schema.fields().iter().chain(&added).cloned().collect();
        Ok(Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())))
    }

    /// The added columns for a batch of records.
    pub(super) fn columns(&self, wanted: &[Wanted<'_>]) -> Vec<ArrayRef> {
        let annotations = || wanted.iter().map(|record| record.annotation);
        let columns: Vec<ArrayRef> = vec![
            Arc::new(annotations().map(|found| found.map(|found| found.duplicate)).collect::<BooleanArray>()),
            Arc::new(annotations().map(|found| found.map(|found| found.kept)).collect::<StringArray>()),
            match self.figure {
                Figure::Similarity | Figure::Containment => {
                    Arc::new(annotations().map(|found| found?.figure?.as_similarity()).collect::<Float64Array>())
                }
                Figure::Common | Figure::Distance { .. } => {
                    Arc::new(annotations().map(|found| found?.figure?.as_count()).collect::<UInt64Array>())
                }
            },
            Arc::new(annotations().map(|found| found.map(|found| found.cluster_size)).collect::<UInt32Array>()),
        ];
        match self.is_nested {
            true => vec![Arc::new(StructArray::new(self.object_fields(), columns, None))],
            false => columns,
        }
    }

    /// The fields of the JSON object.
    fn object_fields(&self) -> Fields {
        let fields = Annotation::header(self.figure);
        fields.iter().map(|field| Field::new(field.name, field.kind.data_type(), true)).collect()
    }
}

//! Documents of formats without fields as batches: text files, pages of WARC files, lines of items.
//!
//! ```text
//! id              the id, under the name of the id field
//! url, date       from the headers of WARC records
//! text            the compared content: a string, or a list of items; in CSV and TSV the items joined to a string
//! ```
//!
//! The content has the name of the text field and the id that of the id field, so that the same flags read the records
//! again.

use crate::base::details::DataForm;
use crate::base::{Document, DocumentContent, Error, Result};
use crate::formats::{RecordFormat, RowFormat};
use crate::read::{Blocks, Origin};
use crate::rewrite::conversion::{SelectedRecord, SelectedRows};
use crate::sources::{DEFAULT_ID, FieldNames, ItemCounts, Source, SourceKind};
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use lookalike_core::documents::Content;
use lookalike_core::text::Items;
use std::iter::Peekable;
use std::slice;
use std::sync::Arc;

pub(crate) struct DocumentRows<'r> {
    source: &'r Source,
    names: &'r FieldNames,
    blocks: Blocks<'r>,
    column: ContentColumn,
    pub(super) schema: SchemaRef,
    /// Bytes of the source read so far.
    pub(super) read_bytes: u64,
}

/// The form of the column with the compared content.
#[derive(Debug, Clone, Copy)]
enum ContentColumn {
    Text,
    Items,
    /// Joined items, for a format without lists.
    JoinedItems(char),
}

impl<'r> DocumentRows<'r> {
    pub(crate) fn open(source: &'r Source, names: &'r FieldNames, limit: Option<u64>, format: RowFormat) -> Self {
        let column = match (names.items, format) {
            (None, _) => ContentColumn::Text,
            (Some(separator), RowFormat::Csv | RowFormat::Tsv) => ContentColumn::JoinedItems(separator.character()),
            (Some(_), RowFormat::JsonLines | RowFormat::Parquet | RowFormat::Arrow) => ContentColumn::Items,
        };
        let text = |name: &str| Field::new(name, DataType::Utf8, true);
        let mut fields = vec![text(id_name(source, names))];
        if has_origin(source) {
            fields.extend([text("url"), text("date")]);
        }
        let name = if fields.iter().any(|field| *field.name() == names.text) { "text" } else { &names.text };
        fields.push(match column {
            ContentColumn::Text | ContentColumn::JoinedItems(_) => text(name),
            ContentColumn::Items => Field::new_list(name, Field::new_list_field(DataType::Utf8, true), true),
        });
        let blocks = Blocks::new(slice::from_ref(source), names, limit);
        let schema = Arc::new(Schema::new(fields));
        Self { source, names, blocks, column, schema, read_bytes: 0 }
    }

    /// The next batch. There must be selected documents left.
    pub(super) fn next<'w>(
        &mut self,
        records: &mut Peekable<impl Iterator<Item = SelectedRecord<'w>>>,
    ) -> Result<SelectedRows<'w>> {
        while let Some(block) = self.blocks.next().transpose()? {
            self.read_bytes += block.input_bytes;
            let mut batch = DocumentBatch::new(self.column, self.names.item_counts);
            let mut selected = Vec::new();
            block.for_each_with_origin(self.names, |document, origin| {
                let Ok(document) = document else { return };
                if let Some(record) = records.next_if(|record| record.number == document.number) {
                    batch.push(&document, origin);
                    selected.push(record);
                }
            });
            if !selected.is_empty() {
                let batch = batch.finish(&self.schema).map_err(|error| self.too_much(&error))?;
                return Ok((batch, selected));
            }
        }
        Err(Error::Changed { path: self.source.path.to_path_buf() })
    }

    fn too_much(&self, error: &ArrowError) -> Error {
        let form = match self.source.kind {
            SourceKind::Records { format, .. } => DataForm::Records(format),
            SourceKind::TextFiles { .. } => DataForm::TextFiles,
            SourceKind::Index { .. } => DataForm::Index,
            SourceKind::Memory { .. } => DataForm::Memory,
        };
        Error::NotInFormat { path: self.source.path.to_path_buf(), form, message: error.to_string() }
    }
}

/// The name of the column with the id. In WARC files the id field is a header, one of several columns here.
fn id_name<'n>(source: &Source, names: &'n FieldNames) -> &'n str {
    if has_origin(source) || names.id == names.text { DEFAULT_ID } else { &names.id }
}

fn has_origin(source: &Source) -> bool {
    matches!(source.kind, SourceKind::Records { format: RecordFormat::Warc, .. })
}

/// A batch under construction.
struct DocumentBatch {
    column: ContentColumn,
    counts: ItemCounts,
    ids: StringBuilder,
    urls: StringBuilder,
    dates: StringBuilder,
    texts: StringBuilder,
    items: ListBuilder<StringBuilder>,
    bytes: usize,
}

impl DocumentBatch {
    fn new(column: ContentColumn, counts: ItemCounts) -> Self {
        let strings = StringBuilder::new;
        let items = ListBuilder::new(strings());
        Self { column, counts, ids: strings(), urls: strings(), dates: strings(), texts: strings(), items, bytes: 0 }
    }

    fn push(&mut self, document: &Document<'_>, origin: Origin) {
        // Ids may be as long as texts. A batch that is too large becomes an error at the end.
        let stored = document.content.stored();
        self.bytes = self.bytes.saturating_add(stored.len().max(document.id.len()));
        if self.is_too_large() {
            return;
        }
        self.ids.append_value(&document.id);
        self.urls.append_option(origin.url);
        self.dates.append_option(origin.date);
        let written = |items: &Items<'_>| items.iter().map(|item| self.counts.written(&item)).collect::<Vec<_>>();
        match (&document.content, self.column) {
            (DocumentContent::All(Content::Items(items)), ContentColumn::Items) => {
                self.items.append_value(written(items).into_iter().map(Some));
            }
            (DocumentContent::All(Content::Items(items)), ContentColumn::JoinedItems(separator)) => {
                self.texts.append_value(written(items).join(separator.encode_utf8(&mut [0; 4])));
            }
            (_, ContentColumn::Items) => self.items.append_null(),
            (_, ContentColumn::Text | ContentColumn::JoinedItems(_)) => self.texts.append_value(stored),
        }
    }

    /// Returns whether a column would exceed the 32 bits of its offsets.
    fn is_too_large(&self) -> bool {
        i32::try_from(self.bytes).is_err()
    }

    fn finish(mut self, schema: &SchemaRef) -> std::result::Result<RecordBatch, ArrowError> {
        if self.is_too_large() {
            return Err(ArrowError::InvalidArgumentError("it has texts that are too long for a column".to_owned()));
        }
        let mut columns: Vec<ArrayRef> = vec![Arc::new(self.ids.finish())];
        if schema.fields().len() > 2 {
            columns.extend([Arc::new(self.urls.finish()) as ArrayRef, Arc::new(self.dates.finish())]);
        }
        columns.push(match self.column {
            ContentColumn::Items => Arc::new(self.items.finish()),
            ContentColumn::Text | ContentColumn::JoinedItems(_) => Arc::new(self.texts.finish()),
        });
        RecordBatch::try_new(schema.clone(), columns)
    }
}

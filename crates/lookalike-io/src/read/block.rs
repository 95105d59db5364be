//! A block: consecutive documents of a source, as bytes or where they lie in memory.

use super::columnar;
use super::context::{Context, Numbering, Origin, TableRemarks, Visited};
use super::delimited;
use super::json::{ArrayBlock, LineBlock};
use super::texts::{TextFile, TextRows};
use super::warc::WarcRecords;
use crate::base::BadRecord;
use crate::sources::{FieldNames, OwnFields};
use std::path::Path;
use std::sync::Arc;

/// Consecutive documents of one source, as bytes.
#[derive(Debug)]
pub struct Block {
    /// Index of the source.
    pub source: usize,
    /// Bytes of input read for it: compressed ones, if the source is compressed.
    pub input_bytes: u64,
    /// Columns of text and id that hold bytes, which are taken as text; in the first block of a file of columns.
    pub bytes_as_text: Vec<String>,
    pub(super) path: Arc<Path>,
    /// Label of the source, of which ids of records without one are made.
    pub(super) label: Arc<str>,
    pub(super) numbering: Numbering,
    /// Names of the fields of its source, where they are not those of the job.
    pub(super) own_fields: Option<Arc<OwnFields>>,
    pub(super) content: BlockContent,
    /// Maximum size of a record in bytes.
    pub(super) limit: Option<u64>,
}

/// The content of a block, by the layout of its source.
#[derive(Debug)]
pub(super) enum BlockContent {
    Lines(LineBlock),
    Elements(ArrayBlock),
    Delimited(delimited::TableBlock),
    Columns(Box<columnar::ColumnBlock>),
    Warc(WarcRecords),
    Files(Vec<TextFile>),
    Texts(TextRows),
    /// A file that cannot be read at all.
    Unusable(BadRecord),
}

impl Block {
    /// Size of its documents in bytes.
    pub fn bytes(&self) -> u64 {
        match &self.content {
            BlockContent::Lines(lines) => lines.bytes(),
            BlockContent::Elements(elements) => elements.bytes(),
            BlockContent::Delimited(rows) => rows.bytes(),
            BlockContent::Columns(rows) => rows.bytes(),
            BlockContent::Warc(records) => records.bytes(),
            BlockContent::Files(files) => files.iter().map(TextFile::bytes).sum(),
            BlockContent::Texts(rows) => rows.bytes(),
            BlockContent::Unusable(_) => 0,
        }
    }

    /// Calls `visit` with each document or bad record, in order; returns what there is to say of tables.
    pub fn for_each_document(&self, names: &FieldNames, mut visit: impl FnMut(Visited<'_>)) -> TableRemarks {
        let own_names = self.own_fields.as_ref().map(|own| own.in_place_of(names));
        let context = self.context(own_names.as_ref().unwrap_or(names));
        let visit = |document: Visited<'_>| {
            visit(document.and_then(|document| context.checked(context.with_article(document))))
        };
        self.visit_documents(&context, visit)
    }

    fn visit_documents(&self, context: &Context<'_>, mut visit: impl FnMut(Visited<'_>)) -> TableRemarks {
        match &self.content {
            BlockContent::Delimited(rows) => return rows.for_each_document(context, visit),
            BlockContent::Lines(lines) => lines.for_each_document(context, visit),
            BlockContent::Elements(elements) => elements.for_each_document(context, visit),
            BlockContent::Columns(rows) => rows.for_each_document(context, visit),
            BlockContent::Warc(records) => records.for_each_document(context, visit),
            BlockContent::Files(files) => files.iter().for_each(|file| visit(file.read(context))),
            BlockContent::Texts(rows) => rows.for_each_document(context, visit),
            BlockContent::Unusable(record) => visit(Err(record.clone())),
        }
        TableRemarks::default()
    }

    /// Calls `visit` with each document or bad record and its origin, in order.
    pub(crate) fn for_each_with_origin(&self, names: &FieldNames, mut visit: impl FnMut(Visited<'_>, Origin)) {
        match &self.content {
            BlockContent::Warc(records) => records.for_each_with_origin(&self.context(names), visit),
            BlockContent::Lines(_)
            | BlockContent::Elements(_)
            | BlockContent::Delimited(_)
            | BlockContent::Columns(_)
            | BlockContent::Files(_)
            | BlockContent::Texts(_)
            | BlockContent::Unusable(_) => {
                self.for_each_document(names, |document| visit(document, Origin::default()));
            }
        }
    }

    fn context<'a>(&'a self, names: &'a FieldNames) -> Context<'a> {
        let has_ids = match &self.content {
            BlockContent::Columns(rows) => rows.have_ids(),
            BlockContent::Texts(rows) => rows.have_ids(),
            _ => true,
        };
        let Self { path, label, numbering, limit, .. } = self;
        Context { names, path, label, numbering: *numbering, has_ids, limit: *limit }
    }
}

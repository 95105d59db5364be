//! The wanted rows of any source, behind one interface.

use super::column_rows::ColumnRows;
use super::delimited_rows::DelimitedRows;
use super::document_rows::DocumentRows;
use super::json_rows::JsonRows;
use crate::ground::Result;
use crate::rewrite::wanted::{Wanted, WantedRows};
use arrow_schema::SchemaRef;
use std::iter::Peekable;

/// The wanted rows of a source.
pub(crate) enum Rows<'r> {
    Columns(Box<ColumnRows<'r>>),
    Json(Box<JsonRows<'r>>),
    Delimited(Box<DelimitedRows<'r>>),
    Documents(Box<DocumentRows<'r>>),
}

impl Rows<'_> {
    pub(crate) fn schema(&self) -> SchemaRef {
        match self {
            Self::Columns(rows) => rows.schema().clone(),
            Self::Json(rows) => rows.schema.clone(),
            Self::Delimited(rows) => rows.schema.clone(),
            Self::Documents(rows) => rows.schema.clone(),
        }
    }

    /// The next batch; `None` if no wanted records are left.
    pub(crate) fn next<'w>(
        &mut self,
        records: &mut Peekable<impl Iterator<Item = Wanted<'w>>>,
    ) -> Result<Option<WantedRows<'w>>> {
        if records.peek().is_none() {
            return Ok(None);
        }
        match self {
            Self::Columns(rows) => rows.next(records).map(Some),
            Self::Json(rows) => rows.next(records).map(Some),
            Self::Delimited(rows) => rows.next(records).map(Some),
            Self::Documents(rows) => rows.next(records).map(Some),
        }
    }

    /// Bytes of the source read so far.
    pub(crate) fn read_bytes(&self) -> u64 {
        match self {
            Self::Columns(rows) => rows.read_bytes(),
            Self::Json(rows) => rows.records.read_bytes,
            Self::Delimited(rows) => rows.records.read_bytes,
            Self::Documents(rows) => rows.read_bytes,
        }
    }
}

//! The rows of cuts.

use super::all_columns;
use super::column::{Cell, Column, Value};
use super::row::Row;
use std::borrow::Cow;

/// A run of tokens that is cut out of a document, and where it stays; nowhere if it goes because it stands between two
/// cuts. Offsets are those of the texts as they came, in bytes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CutRow<'a> {
    /// Id of the document.
    pub id: Cow<'a, str>,
    /// Number of tokens.
    pub tokens: u64,
    /// First byte of the first token.
    pub start: u64,
    /// End of the cut: the place behind the last byte of the last token.
    pub end: u64,
    /// Line of the first token, from 1.
    pub line: u64,
    /// Line of the last token.
    pub end_line: u64,
    /// Id of the document where the run stood first.
    pub kept: Option<Cow<'a, str>>,
    /// First byte there.
    pub kept_start: Option<u64>,
    /// End of the kept passage: the place behind its last byte.
    pub kept_end: Option<u64>,
    /// Line of the first token there.
    pub kept_line: Option<u64>,
    /// Line of the last token there.
    pub kept_end_line: Option<u64>,
    /// True if the document goes as a whole, because too little is left of it.
    pub document_removed: bool,
}

impl CutRow<'_> {
    /// The columns, in order.
    pub fn header() -> Vec<Column> {
        CutRow::default().columns()
    }
}

impl Row for CutRow<'_> {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        [
            (&all_columns::ID, Value::text(&self.id)),
            (&all_columns::TOKENS, Value::Count(self.tokens)),
            (&all_columns::START, Value::Count(self.start)),
            (&all_columns::END, Value::Count(self.end)),
            (&all_columns::LINE, Value::Count(self.line)),
            (&all_columns::END_LINE, Value::Count(self.end_line)),
            (&all_columns::KEPT_IN, self.kept.as_ref().map_or(Value::Null, Value::text)),
            (&all_columns::KEPT_START, Value::count_or_null(self.kept_start)),
            (&all_columns::KEPT_END, Value::count_or_null(self.kept_end)),
            (&all_columns::KEPT_LINE, Value::count_or_null(self.kept_line)),
            (&all_columns::KEPT_END_LINE, Value::count_or_null(self.kept_end_line)),
            (&all_columns::DOCUMENT_REMOVED, Value::Flag(self.document_removed)),
        ]
        .into_iter()
    }
}

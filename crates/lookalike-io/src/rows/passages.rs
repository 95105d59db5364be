//! The rows of passages.

use super::all_columns;
use super::column::{Cell, Column, Value};
use super::row::Row;
use std::borrow::Cow;

/// A passage of a document that stands in a source. Offsets are those of the texts that are compared, in bytes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PassageRow<'a> {
    /// Id of the document.
    pub id: Cow<'a, str>,
    /// The share of its tokens that stand in any source.
    pub share_in_all: f64,
    /// Rank of the source among those of the document, from 1.
    pub rank: u64,
    /// Id of the source.
    pub source: Cow<'a, str>,
    /// The share of the document's tokens that stand in this source.
    pub share: f64,
    /// Length of the passage: tokens of the document that stand in the source.
    pub tokens: u64,
    /// First byte of the passage in the document.
    pub start: u64,
    /// End of the passage in the document: the place behind its last byte.
    pub end: u64,
    /// First line of the passage in the document, from 1.
    pub line: u64,
    /// Last line of the passage in the document.
    pub end_line: u64,
    /// First byte of the passage in the source.
    pub source_start: u64,
    /// End of the passage in the source: the place behind its last byte.
    pub source_end: u64,
    /// First line of the passage in the source.
    pub source_line: u64,
    /// Last line of the passage in the source.
    pub source_end_line: u64,
}

impl<'a> PassageRow<'a> {
    /// Makes the row own its ids.
    pub fn into_owned(self) -> PassageRow<'static> {
        PassageRow { id: self.id.into_owned().into(), source: self.source.into_owned().into(), ..self }
    }

    /// The cells of the passage itself: its length, and its places in both texts.
    pub fn place_cells<'r>(&self) -> impl Iterator<Item = Cell<'r>> + use<'a, 'r> {
        [
            (&all_columns::TOKENS, Value::Count(self.tokens)),
            (&all_columns::PASSAGE_START, Value::Count(self.start)),
            (&all_columns::PASSAGE_END, Value::Count(self.end)),
            (&all_columns::PASSAGE_LINE, Value::Count(self.line)),
            (&all_columns::PASSAGE_END_LINE, Value::Count(self.end_line)),
            (&all_columns::SOURCE_START, Value::Count(self.source_start)),
            (&all_columns::SOURCE_END, Value::Count(self.source_end)),
            (&all_columns::SOURCE_LINE, Value::Count(self.source_line)),
            (&all_columns::SOURCE_END_LINE, Value::Count(self.source_end_line)),
        ]
        .into_iter()
    }

    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        [
            (&all_columns::ID, Value::text(&self.id)),
            (&all_columns::SHARE_IN_ALL, Value::Number(self.share_in_all)),
            (&all_columns::SOURCE_RANK, Value::Count(self.rank)),
            (&all_columns::SOURCE_ID, Value::text(&self.source)),
            (&all_columns::SHARE, Value::Number(self.share)),
        ]
        .into_iter()
        .chain(self.place_cells())
    }
}

/// A row of the sources of documents: a passage, or a document without any.
#[derive(Debug, Clone, PartialEq)]
pub enum SourceRow<'a> {
    /// A passage that stands in a source.
    Passage(PassageRow<'a>),
    /// A document of which nothing stands in a source: a row with its id, shares of 0, and no place.
    Unsourced(PassageRow<'a>),
}

impl<'a> SourceRow<'a> {
    /// The columns, in order.
    pub fn header() -> Vec<Column> {
        SourceRow::Passage(PassageRow::default()).columns()
    }

    /// The row of a document without sources.
    pub fn unsourced(id: impl Into<Cow<'a, str>>) -> Self {
        Self::Unsourced(PassageRow { id: id.into(), ..PassageRow::default() })
    }

    /// Id of the document.
    pub fn id(&self) -> &str {
        let (Self::Passage(row) | Self::Unsourced(row)) = self;
        &row.id
    }

    /// The passage; `None` of a document without any.
    pub fn passage(&self) -> Option<&PassageRow<'a>> {
        match self {
            Self::Passage(row) => Some(row),
            Self::Unsourced(_) => None,
        }
    }

    /// Makes the row own its ids.
    pub fn into_owned(self) -> SourceRow<'static> {
        match self {
            Self::Passage(row) => SourceRow::Passage(row.into_owned()),
            Self::Unsourced(row) => SourceRow::Unsourced(row.into_owned()),
        }
    }
}

impl Row for SourceRow<'_> {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let (Self::Passage(row) | Self::Unsourced(row)) = self;
        let has_place = self.passage().is_some();
        row.cells()
            .map(move |(column, value)| (column, if column.is_nullable && !has_place { Value::Null } else { value }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::serialize_row;
    use super::*;

    #[test]
    fn a_document_without_sources_has_the_columns_of_a_passage() {
        let row = SourceRow::unsourced("a");
        assert_eq!(row.columns(), SourceRow::header());
        let mut text = Vec::new();
        serialize_row(&row, &mut serde_json::Serializer::new(&mut text)).unwrap();
        let expected = concat!(
            r#"{"id":"a","share_in_all":0.0,"rank":null,"source":null,"share":0.0,"tokens":0,"start":null,"end":null,"#,
            r#""line":null,"end_line":null,"source_start":null,"source_end":null,"source_line":null,"#,
            r#""source_end_line":null}"#
        );
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}

//! The rows of a search.

use super::all_columns::{FIELDS, ID, QUERY, RANK, REASON};
use super::column::{Cell, Column, Value};
use super::figures::{Figures, Verified};
use super::row::Row;
use lookalike_core::rule::Reason;
use lookalike_core::similarity::Figure;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A document that is near to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerRow<'a> {
    /// Id of the query.
    pub query: Cow<'a, str>,
    /// Rank of the document among the answers to the query, from 1.
    pub rank: u64,
    /// Id of the document.
    pub id: Cow<'a, str>,
    /// Figures of the measure; containments are those of the query and of the document.
    pub figures: Figures,
    /// Whether the two are identical, equal or near.
    pub reason: Reason,
    /// The fields that an index stores of the document.
    pub fields: Option<StoredFields<'a>>,
    /// Numbers of the records of the query and of the document, each in its source; not written. `None` for a document
    /// of an index.
    pub rows: [Option<u64>; 2],
}

/// Presence of the fields that an index stores, in answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnswerFields {
    /// No fields: the index stores none.
    #[default]
    Absent,
    /// Fields of the document in each answer.
    Present,
}

/// The fields that an index stores of a document: a JSON object, spelled as in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFields<'a>(Cow<'a, str>);

impl<'a> StoredFields<'a> {
    /// The fields in this object; an empty string stands for an object without fields.
    pub fn new(json: impl Into<Cow<'a, str>>) -> Self {
        let json = json.into();
        Self(if json.is_empty() { "{}".into() } else { json })
    }

    /// The object.
    pub fn as_json(&self) -> &str {
        &self.0
    }
}

impl Serialize for StoredFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serde_json::from_str::<&RawValue>(&self.0) {
            Ok(value) => value.serialize(serializer),
            Err(_) => serializer.serialize_str(&self.0),
        }
    }
}

impl<'a> AnswerRow<'a> {
    /// The document with this id and rank among the answers to a query, with its figures as those of a pair.
    pub fn new(query: &'a str, rank: u64, id: &'a str, figures: Figures, reason: Reason) -> Self {
        let figures = figures.of_query();
        Self { query: query.into(), rank, id: id.into(), figures, reason, fields: None, rows: [None; 2] }
    }

    /// Makes the row own its ids.
    pub fn into_owned(self) -> AnswerRow<'static> {
        let Self { query, rank, id, figures, reason, fields, rows } = self;
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let fields = fields.map(|StoredFields(json)| StoredFields(own(json)));
        AnswerRow { query: own(query), rank, id: own(id), figures, reason, fields, rows }
    }

    /// The columns of rows by a measure that counts `figure`, in order.
    pub fn header(figure: Figure, fields: AnswerFields) -> Vec<Column> {
        let row = AnswerRow::new("", 1, "", Figures::new(figure, Verified::default()), Reason::Near);
        let fields = (fields == AnswerFields::Present).then(|| StoredFields::new(""));
        AnswerRow { fields, ..row }.columns()
    }

    /// Columns that answers may have, and whether each answer has it.
    pub fn all_columns() -> impl Iterator<Item = (&'static Column, bool)> {
        let first = [(&QUERY, true), (&RANK, true), (&ID, true)];
        let figures = Figures::query_columns().map(|column| (column, false));
        first.into_iter().chain(figures).chain([(&REASON, true), (&FIELDS, false)])
    }
}

impl Row for AnswerRow<'_> {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        [(&QUERY, Value::text(&self.query)), (&RANK, Value::Count(self.rank)), (&ID, Value::text(&self.id))]
            .into_iter()
            .chain(self.figures.cells())
            .chain([(&REASON, Value::text(self.reason.name()))])
            .chain(self.fields.as_ref().map(|fields| (&FIELDS, Value::Json(fields.as_json()))))
    }
}

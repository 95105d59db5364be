//! The rows of passages.

use super::field::RowField;
use serde::Serialize;
use std::borrow::Cow;

/// A passage of a document that stands in a source. Offsets are those of the texts that are compared, in bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    /// Behind its last byte.
    pub end: u64,
    /// Its first line, from 1.
    pub line: u64,
    /// Its last line.
    pub end_line: u64,
    /// First byte of the passage in the source.
    pub source_start: u64,
    /// Behind its last byte.
    pub source_end: u64,
    /// Its first line in the source.
    pub source_line: u64,
    /// Its last line there.
    pub source_end_line: u64,
}

impl PassageRow<'_> {
    /// The fields, in order.
    pub const HEADER: &'static [RowField; 14] = &[
        RowField::text("id"),
        RowField::number("share_in_all"),
        RowField::count("rank").or_null(),
        RowField::text("source").or_null(),
        RowField::number("share"),
        RowField::count("tokens"),
        RowField::count("start").or_null(),
        RowField::count("end").or_null(),
        RowField::count("line").or_null(),
        RowField::count("end_line").or_null(),
        RowField::count("source_start").or_null(),
        RowField::count("source_end").or_null(),
        RowField::count("source_line").or_null(),
        RowField::count("source_end_line").or_null(),
    ];

    /// The same row with ids of its own.
    pub fn into_owned(self) -> PassageRow<'static> {
        PassageRow { id: self.id.into_owned().into(), source: self.source.into_owned().into(), ..self }
    }
}

/// A field that a row of [`PassageRow::HEADER`] lacks.
type Absent = Option<()>;

/// A document of which nothing stands in a source: a row with the fields of a [`PassageRow`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnsourcedRow<'a> {
    /// Id of the document.
    pub id: Cow<'a, str>,
    share_in_all: f64,
    rank: Absent,
    source: Absent,
    share: f64,
    tokens: u64,
    start: Absent,
    end: Absent,
    line: Absent,
    end_line: Absent,
    source_start: Absent,
    source_end: Absent,
    source_line: Absent,
    source_end_line: Absent,
}

impl<'a> UnsourcedRow<'a> {
    /// The row of a document.
    pub fn new(id: impl Into<Cow<'a, str>>) -> Self {
        Self {
            id: id.into(),
            share_in_all: 0.0,
            rank: None,
            source: None,
            share: 0.0,
            tokens: 0,
            start: None,
            end: None,
            line: None,
            end_line: None,
            source_start: None,
            source_end: None,
            source_line: None,
            source_end_line: None,
        }
    }
}

/// A row of the sources of documents: a passage, or a document without any.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SourceRow<'a> {
    /// A passage that stands in a source.
    Passage(PassageRow<'a>),
    /// A document of which nothing stands in a source.
    Unsourced(UnsourcedRow<'a>),
}

impl<'a> SourceRow<'a> {
    /// Id of the document.
    pub fn id(&self) -> &str {
        match self {
            Self::Passage(row) => &row.id,
            Self::Unsourced(row) => &row.id,
        }
    }

    /// The passage; `None` of a document without any.
    pub fn passage(&self) -> Option<&PassageRow<'a>> {
        match self {
            Self::Passage(row) => Some(row),
            Self::Unsourced(_) => None,
        }
    }

    /// The same row with ids of its own.
    pub fn into_owned(self) -> SourceRow<'static> {
        match self {
            Self::Passage(row) => SourceRow::Passage(row.into_owned()),
            Self::Unsourced(row) => SourceRow::Unsourced(UnsourcedRow::new(row.id.into_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_without_sources_has_the_fields_of_a_passage() {
        let text = serde_json::to_string(&SourceRow::Unsourced(UnsourcedRow::new("a"))).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let at = |field: &RowField| text.find(&format!("\"{}\":", field.name)).unwrap();
        assert_eq!(json.as_object().unwrap().len(), PassageRow::HEADER.len());
        assert!(PassageRow::HEADER.iter().map(at).is_sorted());
        let is_absent = |field: &RowField| json[field.name].is_null();
        assert!(PassageRow::HEADER.iter().all(|field| is_absent(field) == field.is_nullable));
    }

    #[test]
    fn struct_and_header_are_alike() {
        let row = PassageRow {
            id: "a".into(),
            share_in_all: 0.5,
            rank: 1,
            source: "b".into(),
            share: 0.25,
            tokens: 12,
            start: 0,
            end: 60,
            line: 1,
            end_line: 2,
            source_start: 100,
            source_end: 160,
            source_line: 7,
            source_end_line: 8,
        };
        let json = serde_json::to_value(&row).unwrap();
        let names: Vec<&str> = PassageRow::HEADER.iter().map(|field| field.name).collect();
        let text = serde_json::to_string(&row).unwrap();
        let at = |name: &&str| text.find(&format!("\"{name}\":")).unwrap();
        assert_eq!(json.as_object().unwrap().len(), names.len());
        assert!(names.iter().map(at).is_sorted());
    }
}

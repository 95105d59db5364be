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
        RowField::count("rank"),
        RowField::text("source"),
        RowField::number("share"),
        RowField::count("tokens"),
        RowField::count("start"),
        RowField::count("end"),
        RowField::count("line"),
        RowField::count("end_line"),
        RowField::count("source_start"),
        RowField::count("source_end"),
        RowField::count("source_line"),
        RowField::count("source_end_line"),
    ];

    /// The same row with ids of its own.
    pub fn into_owned(self) -> PassageRow<'static> {
        PassageRow { id: self.id.into_owned().into(), source: self.source.into_owned().into(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

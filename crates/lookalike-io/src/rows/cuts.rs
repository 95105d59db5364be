//! The rows of cuts.

use super::field::RowField;
use serde::Serialize;
use std::borrow::Cow;

/// A run of tokens that is cut out of a document, and where it stays; nowhere if it goes because it stands between two
/// cuts. Offsets are those of the texts as they came, in bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CutRow<'a> {
    /// Id of the document.
    pub id: Cow<'a, str>,
    /// Number of tokens.
    pub tokens: u64,
    /// First byte of the first token.
    pub start: u64,
    /// Behind the last byte of the last token.
    pub end: u64,
    /// Line of the first token, from 1.
    pub line: u64,
    /// Line of the last token.
    pub end_line: u64,
    /// Id of the document where the run stood first.
    pub kept: Option<Cow<'a, str>>,
    /// First byte there.
    pub kept_start: Option<u64>,
    /// Behind the last byte there.
    pub kept_end: Option<u64>,
    /// Line of the first token there.
    pub kept_line: Option<u64>,
    /// Line of the last token there.
    pub kept_end_line: Option<u64>,
    /// Whether the document goes as a whole, because too little is left of it.
    pub document_removed: bool,
}

impl CutRow<'_> {
    /// The fields, in order.
    pub const HEADER: &'static [RowField; 12] = &[
        RowField::text("id"),
        RowField::count("tokens"),
        RowField::count("start"),
        RowField::count("end"),
        RowField::count("line"),
        RowField::count("end_line"),
        RowField::text("kept").or_null(),
        RowField::count("kept_start").or_null(),
        RowField::count("kept_end").or_null(),
        RowField::count("kept_line").or_null(),
        RowField::count("kept_end_line").or_null(),
        RowField::flag("document_removed"),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn struct_and_header_are_alike() {
        let row = CutRow {
            id: "a".into(),
            tokens: 50,
            start: 0,
            end: 300,
            line: 1,
            end_line: 4,
            kept: Some("b".into()),
            kept_start: Some(10),
            kept_end: Some(310),
            kept_line: Some(2),
            kept_end_line: Some(5),
            document_removed: false,
        };
        let text = serde_json::to_string(&row).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let at = |field: &RowField| text.find(&format!("\"{}\":", field.name)).unwrap();
        assert_eq!(json.as_object().unwrap().len(), CutRow::HEADER.len());
        assert!(CutRow::HEADER.iter().map(at).is_sorted());
    }
}

//! What is added to records: as a field of a JSON record, without touching the rest of its bytes, or as columns.

use crate::document::Span;
use serde::Serialize;

/// What becomes of a record.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Annotation<'a> {
    /// Whether it goes.
    pub duplicate: bool,
    /// Key of the record that is kept in its place, or its own.
    pub kept: &'a str,
    /// Similarity to that one.
    pub similarity: f64,
    /// Number of records that the kept one stands for, itself included.
    pub cluster_size: u32,
}

/// A record that is to be written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted<'a> {
    /// Number of its line or row, from 1.
    pub number: u64,
    /// Its bytes, if it is a line.
    pub span: Span,
    /// What is to be added.
    pub annotation: Option<Annotation<'a>>,
}

/// Writes `record`, a line with a JSON object, to `out` with one more field at its end. The line end stays.
///
/// ```
/// let mut out = Vec::new();
/// lookalike_io::append_field(b"{\"id\": 1}\r\n", "lookalike", "{\"kept\":\"1\"}", &mut out);
/// assert_eq!(out, b"{\"id\": 1,\"lookalike\":{\"kept\":\"1\"}}\r\n");
/// ```
pub fn append_field(record: &[u8], name: &str, json_value: &str, out: &mut Vec<u8>) {
    // A valid object ends with its brace, followed by white space only.
    let Some(brace) = record.iter().rposition(|&byte| byte == b'}') else {
        out.extend_from_slice(record);
        return;
    };
    let (head, tail) = record.split_at(brace);
    let is_empty = head.trim_ascii() == b"{";
    out.extend_from_slice(head);
    if !is_empty {
        out.push(b',');
    }
    out.extend_from_slice(format!("\"{name}\":{json_value}").as_bytes());
    out.extend_from_slice(tail);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_any_shape_stay_valid() {
        for (record, expected) in [
            ("{}", r#"{"f":1}"#),
            (" { } \n", " { \"f\":1} \n"),
            (r#"{"a":{}}"#, r#"{"a":{},"f":1}"#),
            (r#"{"a":"}"}"#, r#"{"a":"}","f":1}"#),
        ] {
            let mut out = Vec::new();
            append_field(record.as_bytes(), "f", "1", &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}

//! What is added to records: a field of a JSON record or fields of a row, without touching the rest of its bytes, or columns.

use crate::document::Span;
use crate::error::{Error, Result};
use serde::Serialize;
use std::path::Path;

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

/// Fields of an annotation, in order: in JSON those of one object, in rows columns of their own.
pub(crate) const ANNOTATION_FIELDS: [&str; 4] = ["duplicate", "kept", "similarity", "cluster_size"];

/// Columns that an annotation with the given name adds to the header of a table.
pub fn added_columns(name: &str) -> [String; 4] {
    ANNOTATION_FIELDS.map(|field| format!("{name}_{field}"))
}

/// Writes `row` to `out` with more fields at its end: those of a flat struct, or of an array. The line end stays.
///
/// # Errors
/// [`Error::Io`] if the fields cannot be expressed in a row.
///
/// ```
/// let mut out = Vec::new();
/// lookalike_io::append_cells(b"1,x\r\n", b',', &("a,b", 2), &mut out)?;
/// assert_eq!(out, b"1,x,\"a,b\",2\r\n");
/// # Ok::<(), lookalike_io::Error>(())
/// ```
pub fn append_cells(row: &[u8], delimiter: u8, cells: &impl Serialize, out: &mut Vec<u8>) -> Result<()> {
    let ends = row.iter().rev().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let (fields, line_end) = row.split_at(row.len() - ends);
    out.extend_from_slice(fields);
    out.push(delimiter);
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).has_headers(false).from_writer(&mut *out);
    let written = writer.serialize(cells).and_then(|()| Ok(writer.flush()?));
    drop(writer);
    written.map_err(|error| Error::io("express as a row", Path::new("an annotation"), error.into()))?;
    // The writer ends the row its own way.
    out.truncate(out.len() - 1);
    out.extend_from_slice(line_end);
    Ok(())
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

//! Fields added to records and rows, without touching the rest of their bytes.

use super::cell::{NoQuotes, make_clear, plain_cell};
use crate::base::details::Action;
use crate::base::{Error, Result};
use crate::formats::Dialect;
use crate::read::csv_reader;
use serde::Serialize;
use std::path::Path;

/// The compact JSON text of a value.
///
/// # Errors
/// [`Error::Io`] if JSON cannot express the value, such as a map whose keys are not strings.
pub fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::io(Action::ExpressAsJson, Path::new("a value"), error.into()))
}

/// Appends a `row` of a table to `out` with more fields at its end: those of a flat struct, or of an array. The line
/// end is kept.
///
/// # Errors
/// [`Error::Io`] if the fields cannot be serialized as a row, or one has no place in a table without quotes.
///
/// ```
/// use lookalike_io::{formats::Dialect, write::append_cells};
///
/// let mut out = Vec::new();
/// append_cells(b"1,x\r\n", Dialect::quoted(b','), &("a,b", 2), &mut out)?;
/// assert_eq!(out, b"1,x,\"a,b\",2\r\n");
/// # Ok::<(), lookalike_io::Error>(())
/// ```
pub fn append_cells(row: &[u8], dialect: Dialect, cells: &impl Serialize, out: &mut Vec<u8>) -> Result<()> {
    let inexpressible = |error| Error::io(Action::ExpressAsRow, Path::new("an annotation"), error);
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let written = writer.serialize(cells).and_then(|()| Ok(writer.flush()?));
    written.map_err(|error| inexpressible(error.into()))?;
    let mut fields = csv::StringRecord::new();
    let written = writer.into_inner().unwrap_or_default();
    csv_reader(&written[..], Dialect::quoted(b','))
        .read_record(&mut fields)
        .map_err(|error| inexpressible(error.into()))?;
    let ends = row.iter().rev().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let (before, line_end) = row.split_at(row.len() - ends);
    let begin = out.len();
    out.extend_from_slice(before);
    for field in &fields {
        let no_place = "a field with a tab or line end has no place in a table without quotes";
        let cell = plain_cell(field, dialect).map_err(|NoQuotes| inexpressible(std::io::Error::other(no_place)))?;
        out.push(dialect.delimiter);
        out.extend_from_slice(cell.as_bytes());
    }
    out.extend_from_slice(line_end);
    make_clear(out, begin, dialect).map_err(|unclear| inexpressible(std::io::Error::other(unclear)))
}

/// Appends a `record`, a line with a JSON object, to `out` with one more field at its end. The line end is kept.
///
/// ```
/// let mut out = Vec::new();
/// lookalike_io::write::append_field(b"{\"id\": 1}\r\n", "lookalike", "{\"kept\":\"1\"}", &mut out);
/// assert_eq!(out, b"{\"id\": 1,\"lookalike\":{\"kept\":\"1\"}}\r\n");
/// ```
pub fn append_field(record: &[u8], name: &str, json_value: &str, out: &mut Vec<u8>) {
    // Only white space follows the closing brace of a valid object.
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
    fn rows_of_several_lines_stay_rows() {
        let dialect = Dialect::quoted(b'\t');
        for (row, expected) in [
            ("1\t\"a\nb\"\r\n", "1\t\"a\nb\"\tx\r\n"),
            ("1\t\"a\nb\tc\"\r\n", "\"1\"\t\"a\nb\tc\"\t\"x\"\r\n"),
            ("\"1\"\t\"a\nb\tc\"\n", "\"1\"\t\"a\nb\tc\"\t\"x\"\n"),
        ] {
            let mut out = b"before\n".to_vec();
            append_cells(row.as_bytes(), dialect, &("x",), &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), format!("before\n{expected}"));
        }
    }

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

//! Detection of another format in a file whose records are not in the format that its name or the user says.

use super::layout::Layout;
use super::separator::{columns, header_has, table_format};
use crate::base::{BYTE_ORDER_MARK, RecordFormat};

/// The format that a file looks like which begins with `head` and is to be read as `named`; `None` if it may be what
/// it is called. `column` is the one that a table must have.
///
/// Only what cannot be meant counts: the marks of binary formats, objects or an array in place of a table, and a table
/// in place of lines of JSON.
pub(crate) fn looks_like(named: RecordFormat, head: &[u8], column: &str) -> Option<RecordFormat> {
    let Layout::Records(found) = Layout::of_head(head, None) else { return table_in_place_of(named, head, column) };
    let may_be = match named {
        RecordFormat::JsonArray | RecordFormat::JsonLines => found == named,
        // A line of items may begin with a bracket, and a column have a name in braces.
        RecordFormat::ItemLines => matches!(found, RecordFormat::JsonLines | RecordFormat::JsonArray),
        _ if named.delimiter().is_some() => found == RecordFormat::JsonLines && !begins_with_object(head),
        _ => found == named,
    };
    (!may_be).then_some(found)
}

/// The format of the table that a file is in place of records in the format `named`.
fn table_in_place_of(named: RecordFormat, head: &[u8], column: &str) -> Option<RecordFormat> {
    let table = table_format(head);
    let is_table =
        |format: RecordFormat| format.delimiter().is_some_and(|delimiter| columns(head, delimiter).is_some());
    match named {
        RecordFormat::JsonLines | RecordFormat::JsonArray => {
            let has_object = head.split(|&byte| byte == b'\n').any(|line| line.trim_ascii_start().starts_with(b"{"));
            let is_meant = header_has(head, table, column) || is_table(table) && head.contains(&b'\n');
            (is_meant && !has_object).then_some(table)
        }
        // `.csv` files have any separator.
        RecordFormat::Tsv => {
            let is_other = table != named && header_has(head, table, column) && !header_has(head, named, column);
            is_other.then_some(table)
        }
        RecordFormat::Parquet
        | RecordFormat::Arrow
        | RecordFormat::Npy
        | RecordFormat::Warc
        | RecordFormat::Snapshot => header_has(head, table, column).then_some(table),
        _ => None,
    }
}

/// Returns whether the first line is an object in JSON.
fn begins_with_object(head: &[u8]) -> bool {
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(line).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_another_format_than_their_name_says_are_known() {
        use RecordFormat::{Arrow, Csv, ItemLines, JsonArray, JsonLines, Parquet, SemicolonCsv, Snapshot, Tsv, Warc};
        let object = "{\"id\": 1, \"text\": \"a\"}\n";
        let array = "[\n {\"id\": 1}]\n";
        let csv = "id,text\n1,a b\n";
        for (named, head, expected) in [
            (JsonLines, csv, Some(Csv)),
            (JsonLines, "id;name\n1;a b\n2;c\n", Some(SemicolonCsv)),
            (JsonLines, array, Some(JsonArray)),
            (JsonArray, object, Some(JsonLines)),
            (JsonLines, "WARC/1.0\r\n", Some(Warc)),
            (Csv, object, Some(JsonLines)),
            (Tsv, object, Some(JsonLines)),
            (Csv, array, Some(JsonArray)),
            (Tsv, csv, Some(Csv)),
            (Csv, "PAR1\x15", Some(Parquet)),
            (Parquet, "ARROW1\0\0", Some(Arrow)),
            (Arrow, object, Some(JsonLines)),
            (Warc, csv, Some(Csv)),
            (Snapshot, object, Some(JsonLines)),
            // Files in their format, or bad in it.
            (JsonLines, object, None),
            (JsonLines, "oops, a line\n{\"id\": 1, \"text\": \"a\"}\n", None),
            (JsonLines, "plain text\nof two lines\n", None),
            (JsonLines, "plain text, of one line", None),
            (Csv, "{id},text\n1,a\n", None),
            (Tsv, "id\ttext, more\n1\ta\n", None),
            (Csv, "id\ttext\n1\ta\n", None),
            (ItemLines, "{a} b\n", None),
            (Parquet, "", None),
            (JsonLines, "", None),
        ] {
            assert_eq!(looks_like(named, head.as_bytes(), "text"), expected, "{head:?} as {}", named.name());
        }
    }
}

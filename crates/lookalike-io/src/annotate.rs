//! Adding a field to a JSON record without touching the rest of its bytes.

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

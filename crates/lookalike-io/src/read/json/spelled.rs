//! Values of a record as they are spelled, found by the path of their field: no number loses a digit.
//!
//! A path is the name of a field, or leads into objects: `doc.text`. A field whose own name is the path is taken first,
//! as in files of columns.

use super::text::unescape_to_end;
use super::value::{JsonValue, ValueSeed};
use crate::base::Problem;
use serde::de::DeserializeSeed;
use sonic_rs::{JsonValueTrait, LazyValue};
use std::borrow::Cow;
use std::ops::Range;

/// The value of a field; `None` if there is none.
pub(super) fn spelled<'a>(object: &'a str, path: &str) -> Option<&'a str> {
    object.get(value_place(object, path)?)
}

/// The value of a field inside objects of a record that has no field called by the whole path.
pub(super) fn nested_value<'a>(object: &'a str, path: &str) -> Option<JsonValue<'a>> {
    value_of(object.get(nested_place(object, path)?)?)
}

/// A value by its spelling; `None` if it is not JSON.
pub(super) fn value_of(spelled: &str) -> Option<JsonValue<'_>> {
    let mut deserializer = sonic_rs::Deserializer::from_str(spelled);
    ValueSeed { is_selected: true }.deserialize(&mut deserializer).ok()
}

/// The text of a field, and the place of its string with the quotation marks; `None` if it is no string.
pub(crate) fn text_place<'a>(record: &'a str, field: &str) -> Option<(Cow<'a, str>, Range<usize>)> {
    let place = value_place(record, field)?;
    let rest = record.get(place.clone())?.strip_prefix('"')?;
    let (text, end) = unescape_to_end(rest)?;
    (end + 2 == place.len()).then_some((text, place))
}

fn value_place(object: &str, path: &str) -> Option<Range<usize>> {
    field_place(object, path).map(|(place, _)| place).or_else(|| nested_place(object, path))
}

fn nested_place(object: &str, path: &str) -> Option<Range<usize>> {
    let (outer, inner) = path.split_once('.')?;
    let (place, _) = field_place(object, outer).filter(|&(_, is_object)| is_object)?;
    let inner = value_place(&object[place.clone()], inner)?;
    Some(place.start + inner.start..place.start + inner.end)
}

/// The place of the value of a field by its name, and whether it is an object.
fn field_place(object: &str, name: &str) -> Option<(Range<usize>, bool)> {
    let value: LazyValue<'_> = sonic_rs::get(object, &[name]).ok()?;
    let start = value.as_raw_str().as_ptr().addr().checked_sub(object.as_ptr().addr())?;
    let place = start..start + value.as_raw_str().len();
    (object.get(place.clone())? == value.as_raw_str()).then_some((place, value.is_object()))
}

/// Values of selected fields as JSON, by their names; `None` if the record, which was parsed, does not have one.
pub(super) fn values(line: &str, selected: &[String]) -> Result<Vec<Option<String>>, Problem> {
    let mut values = vec![None; selected.len()];
    if selected.is_empty() {
        return Ok(values);
    }
    for (name, value) in sonic_rs::to_object_iter(line).flatten() {
        if let Some(place) = selected.iter().position(|selected| *selected == *name)
            && values[place].replace(without_blanks(value.as_raw_str())).is_some()
        {
            return Err(Problem::FieldTwice { field: selected[place].clone() });
        }
    }
    for (value, name) in values.iter_mut().zip(selected).filter(|(value, _)| value.is_none()) {
        *value = nested_place(line, name).map(|place| without_blanks(&line[place]));
    }
    Ok(values)
}

/// JSON without the blanks between its parts, among which line ends may be: rows of JSON Lines hold it.
fn without_blanks(json: &str) -> String {
    let mut is_string = false;
    let mut is_escaped = false;
    let mut is_kept = |character: char| {
        if character == '"' && !is_escaped {
            is_string = !is_string;
        }
        is_escaped = is_string && !is_escaped && character == '\\';
        is_string || !matches!(character, ' ' | '\t' | '\n' | '\r')
    };
    json.chars().filter(|&character| is_kept(character)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, carried: &[&str]) -> Result<Vec<Option<String>>, Problem> {
        values(line, &carried.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn values_are_those_of_the_record_as_they_are_spelled() {
        let line = r#"{"n": 1.50, "text": "x", "list": [ 1, {"a b": "c \" d"} ], "none": null, "in": {"a": 2}}"#;
        let found = read(line, &["list", "n", "none", "in.a", "in", "absent"]).unwrap();
        let expected = [r#"[1,{"a b":"c \" d"}]"#, "1.50", "null", "2", r#"{"a":2}"#].map(|json| Some(json.to_owned()));
        assert_eq!(found[..5], expected);
        assert_eq!(found[5], None);
    }

    #[test]
    fn a_field_that_is_there_twice_is_refused() {
        assert!(matches!(read(r#"{"a": 1, "a": 2}"#, &["a"]), Err(Problem::FieldTwice { .. })));
        assert!(read(r#"{"a": 1, "a": 2}"#, &["b"]).is_ok());
    }

    #[test]
    fn blanks_inside_strings_stay() {
        for (json, expected) in [
            ("{ \"a\\\\\" : \" b \" }", "{\"a\\\\\":\" b \"}"),
            ("[1,\n\t2]\r", "[1,2]"),
            (r#"" \" \\" "#, r#"" \" \\""#),
        ] {
            assert_eq!(without_blanks(json), expected);
        }
    }
}

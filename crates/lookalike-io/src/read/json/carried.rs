//! Fields of a record as they are spelled, so that no number loses a digit: those that travel along, further scores.

use super::nested;
use crate::ground::Problem;

/// By name: the value of a wanted field as JSON; `None` if the record, which was parsed, does not have it.
pub(super) fn values(line: &str, wanted: &[String]) -> Result<Vec<Option<String>>, Problem> {
    let mut values = vec![None; wanted.len()];
    if wanted.is_empty() {
        return Ok(values);
    }
    for (name, value) in sonic_rs::to_object_iter(line).flatten() {
        if let Some(place) = wanted.iter().position(|wanted| *wanted == *name)
            && values[place].replace(without_blanks(value.as_raw_str())).is_some()
        {
            return Err(Problem::FieldTwice { field: wanted[place].clone() });
        }
    }
    for (value, name) in values.iter_mut().zip(wanted).filter(|(value, _)| value.is_none()) {
        *value = nested::find(line, name).map(|value| without_blanks(&value));
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

    fn of(line: &str, carried: &[&str]) -> Result<Vec<Option<String>>, Problem> {
        values(line, &carried.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn values_are_those_of_the_record_as_they_are_spelled() {
        let line = r#"{"n": 1.50, "text": "x", "list": [ 1, {"a b": "c \" d"} ], "none": null, "in": {"a": 2}}"#;
        let found = of(line, &["list", "n", "none", "in.a", "in", "absent"]).unwrap();
        let expected = [r#"[1,{"a b":"c \" d"}]"#, "1.50", "null", "2", r#"{"a":2}"#].map(|json| Some(json.to_owned()));
        assert_eq!(found[..5], expected);
        assert_eq!(found[5], None);
    }

    #[test]
    fn a_field_that_is_there_twice_is_refused() {
        assert!(matches!(of(r#"{"a": 1, "a": 2}"#, &["a"]), Err(Problem::FieldTwice { .. })));
        assert!(of(r#"{"a": 1, "a": 2}"#, &["b"]).is_ok());
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

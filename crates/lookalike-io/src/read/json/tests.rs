use super::record::{into_fields, parse_any};
use super::{flat, parse};
use crate::base::{DocumentContent, Number, Problem, Score};
use crate::read::context::RecordFields;
use crate::sources::{FieldNames, ItemSeparator};
use lookalike_core::documents::Content;
use proptest::collection::vec;
use proptest::prelude::{Just, ProptestConfig, Strategy, prop_assert_eq, prop_oneof, proptest};
use std::borrow::Cow;

fn read(line: &str) -> Result<RecordFields<'_>, Problem> {
    let names =
        FieldNames { score: Some("date".to_owned()), reserved: Some("lookalike".to_owned()), ..FieldNames::default() };
    parse(line.as_bytes(), &names)
}

fn message(line: &str) -> String {
    read(line).unwrap_err().to_string()
}

#[test]
fn selected_fields_are_read_wherever_they_stand() {
    let fields = read(r#" {"x": [1, {"text": "no"}], "text": "a\nbé", "date": "2026-01-02", "id": "k"} "#).unwrap();
    assert_eq!(fields.content.stored(), "a\nbé");
    assert_eq!(fields.id.as_deref(), Some("k"));
    assert_eq!(fields.score, Some(Score::Text("2026-01-02".to_owned())));
    assert!(matches!(
        read(r#"{"text":"plain"}"#).unwrap().content,
        DocumentContent::All(Content::Text(Cow::Borrowed("plain")))
    ));
}

#[test]
fn numbers_as_ids_keep_their_digits() {
    let id = |text: &str| read(&format!(r#"{{"id": {text}, "text": ""}}"#)).unwrap().id.map(Cow::into_owned);
    assert_eq!(id("12345678901234567890123").as_deref(), Some("12345678901234567890123"));
    assert_eq!(id("-7").as_deref(), Some("-7"));
    for none in ["null", r#""""#, r#"" \t""#] {
        assert_eq!(id(none), None, "{none}");
    }
    assert_eq!(id(r#""\u00e9""#).as_deref(), Some("é"));
}

#[test]
fn fields_inside_objects_are_named_by_their_paths() {
    let of = |text: &str, id: &str| FieldNames { text: text.to_owned(), id: id.to_owned(), ..FieldNames::default() };
    let line = r#"{"doc":{"text":"in","n":12345678901234567890123,"a":{"b.c":"deep\n"}},"doc.id":"own","doc.n":7}"#;
    let fields = |names| parse(line.as_bytes(), &names).map(|fields| (fields.content.stored().into_owned(), fields.id));
    assert_eq!(fields(of("doc.text", "doc.id")).unwrap(), ("in".to_owned(), Some("own".into())));
    let digits = r#"{"doc":{"text":"in","n":12345678901234567890123}}"#;
    assert_eq!(parse(digits.as_bytes(), &of("doc.text", "doc.n")).unwrap().id.unwrap(), "12345678901234567890123");
    // The name itself comes first.
    assert_eq!(fields(of("doc.text", "doc.n")).unwrap().1.as_deref(), Some("7"));
    assert_eq!(fields(of("doc.a.b.c", "id")).unwrap(), ("deep\n".to_owned(), None));
    assert_eq!(fields(of("doc.none", "id")).unwrap_err().to_string().split(';').next(), Some("no field `doc.none`"));
    assert!(fields(of("doc.a", "id")).unwrap_err().to_string().starts_with("field `doc.a` is an object"));
    let items = FieldNames { items: Some(ItemSeparator::Blanks), ..of("doc.tags", "id") };
    assert_eq!(parse(br#"{"doc":{"tags":["a",1]}}"#, &items).unwrap().content.stored(), "a\u{0}1\u{0}");
}

#[test]
fn a_field_may_be_id_and_score() {
    let names = FieldNames { score: Some("id".to_owned()), ..FieldNames::default() };
    let fields = parse(br#"{"text":"t","id":42}"#, &names).unwrap();
    assert_eq!(
        (fields.id.as_deref(), fields.score),
        (Some("42"), Some(Score::Number(Number::of_float(42.0).unwrap())))
    );
}

#[test]
fn usual_records_need_no_parser() {
    let names = FieldNames::default();
    for line in [
        r#"{"id":"k7","text":"a \"b\" \u00e9"}"#,
        r#" { "text" : "x" , "n" : -2.5e3, "other": null , "id" : 7 } "#,
        r#"{"text":"","flag":true}"#,
    ] {
        assert!(flat::read(line, &names).is_ok(), "{line}");
    }
    // The text that was copied is handed on.
    let nested = r#"{"text": "x\n", "meta": {"text": "y"}}"#;
    assert_eq!(flat::read(nested, &names).err().flatten().as_deref(), Some("x\n"));
    assert_eq!(read(nested).unwrap().content.stored(), "x\n");
}

#[test]
fn bad_records_are_described() {
    assert_eq!(message("not json"), "not JSON: expected ident at column 2");
    assert_eq!(message(""), "not JSON: EOF while parsing a value at column 0");
    assert_eq!(message(r#"{"text": "x""#), "not JSON: EOF while parsing an object at column 12");
    assert_eq!(message(r#"{"text": "x"} {}"#), "not JSON: trailing characters at column 15");
    assert_eq!(message(r#"[1, 2]"#), "not a JSON object");
    assert_eq!(message(r#"{"id": 1}"#), "no field `text`; its fields are `id`");
    assert_eq!(message(r#"{"text": null}"#), "field `text` is null, expected a string");
    assert_eq!(message(r#"{"text": ["x"]}"#), "field `text` is an array, expected a string");
    assert_eq!(message(r#"{"text": 1.5}"#), "field `text` is a number, expected a string");
    assert_eq!(message(r#"{"text": "x", "id": true}"#), "field `id` is a boolean, expected a string or a number");
    assert_eq!(message(r#"{"text": "x", "date": {}}"#), "field `date` is an object, expected a number or a string");
    assert_eq!(message(r#"{"text": "x", "text": "y"}"#), "field `text` appears twice");
    assert_eq!(message(r#"{"text": "x", "lookalike": 1}"#), "has a field `lookalike` already");
    assert_eq!(parse(b"{\"text\": \"\xFF\"}", &FieldNames::default()), Err(Problem::NotUtf8 { at: 11 }));
}

#[test]
fn invalid_json_is_refused_also_outside_the_selected_fields() {
    for line in [
        r#"{"text":"x","a":01}"#,
        r#"{"text":"x","a":tru}"#,
        r#"{"text":"x","a":"\q"}"#,
        r#"{"text":"x","a":[1,]}"#,
        r#"{"text":"x",}"#,
        r#"{"text":"x" "a":1}"#,
        r#"{"text":"x","a":}"#,
        r#"{"text":"\ud800"}"#,
        "{\"text\":\"a\tb\"}",
        r#"{"text":"x","id":01}"#,
        r#"{'text':"x"}"#,
        r#"{"text":"x","a":1.}"#,
        r#"{"text":"x","a":+1}"#,
        r#"{text:"x"}"#,
        r#"{"text":"x","a":NaN}"#,
        "{\"text\":\"x\",\"a\":\"\u{1}\"}",
    ] {
        assert!(matches!(read(line), Err(Problem::NotJson { .. })), "{line}");
        assert!(serde_json::from_str::<serde_json::Value>(line).is_err(), "{line}");
    }
}

#[test]
fn numbers_beyond_doubles_are_json_and_words_for_numbers_are_named() {
    let fields = read(r#"{"n":1e400,"text":"a\n1e400","id":1e999,"more":{"x":[-9e9999]}}"#).unwrap();
    assert_eq!((&*fields.content.stored(), fields.id.as_deref()), ("a\n1e400", Some("1e999")));
    let long = "7".repeat(400);
    assert_eq!(read(&format!(r#"{{"n":{long},"text":"t","id":{long}}}"#)).unwrap().id, Some(long.as_str().into()));
    let score = |number: &str| read(&format!(r#"{{"text":"x","date":{number}}}"#)).map(|fields| fields.score);
    for number in ["1e400", "1700000000.123456788", "100000000000000000000000000000000000000000001", "-0.1"] {
        assert_eq!(score(number).unwrap(), Number::of_text(number).map(Score::Number), "{number}");
    }
    for none in ["null", r#""""#, r#""  ""#] {
        assert_eq!(score(none).unwrap(), Some(Score::Missing), "{none}");
    }
    assert_eq!(read(r#"{"text":"x"}"#).unwrap().score, None);
    let found = score("1e9999999999").unwrap_err().to_string();
    assert!(found.contains("`date` is a number with an exponent of ten digits or more"), "{found}");
    assert!(matches!(read(r#"{"n":1e400,"text":"x","a":01}"#), Err(Problem::NotJson { .. })));
    for (word, line) in [
        ("NaN", r#"{"text":"x","a":NaN}"#),
        ("Infinity", r#"{"text":"x","a":[1, Infinity]}"#),
        ("-Infinity", r#"{"a":-Infinity,"text":"x"}"#),
    ] {
        let message = message(line);
        assert!(message.starts_with(&format!("not JSON: {word} at column")), "{message}");
    }
}

#[test]
fn item_sets_come_as_arrays_or_strings() {
    let names = FieldNames { items: Some(ItemSeparator::Character(',')), ..FieldNames::default() };
    let items = |text: &str| {
        let line = format!(r#"{{"id":1,"text":{text}}}"#);
        parse(line.as_bytes(), &names)
            .map(|fields| fields.content.stored().replace('\0', "|"))
            .map_err(|problem| problem.to_string())
    };
    assert_eq!(
        items(r#"["a b", 1, 7, "\u00e9,", "", 12345678901234567890123]"#).as_deref(),
        Ok("a b|1|7|\u{e9},||12345678901234567890123|")
    );
    for fraction in ["1.50", "-2e3", "1E2"] {
        let refused = format!("field `text` holds the number {fraction}: numbers with a fraction are no items");
        assert_eq!(items(&format!("[1, {fraction}]")), Err(refused));
    }
    assert_eq!(items("[]").as_deref(), Ok(""));
    assert_eq!(items(r#""b, a,,c""#).as_deref(), Ok("b|a|c|"));
    let wrong = "field `text` is an array with other values, expected an array of strings and numbers".to_owned();
    for text in ["[null]", "[[1]]", "[{}]", "[1,true]"] {
        assert_eq!(items(text), Err(wrong.clone()), "{text}");
    }
    assert_eq!(items("7"), Err("field `text` is a number, expected an array or a string".to_owned()));
    assert_eq!(items(r#"["\u0000"]"#), Err("an item holds the character U+0000".to_owned()));
}

/// Pieces of records, right and wrong: names, values, and what may stand between and behind them.
const ANY_NAME: &str = r#"(text|id|date|lookalike|other|te\\u0078t|)"#;
const ANY_VALUE: &str = concat!(
    r#"("([a-zé ]|\\["\\/bfnrt]|\\u00[0-9a-f]{2}|\\ud8[0-9a-f]{2}\\udc[0-9a-f]{2}|\\x|\t){0,6}""#,
    r#"|-?[0-9]{1,3}(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?|[0-9]{18,22}|0[0-9]|-|1\.|true|null|tru|NaN|"#,
    r#"|\[\]|\[1, "a"\]|\{"text": "b"\}|\[|")"#
);
const ANY_BLANKS: &str = "( |\t|\n|\u{a0}){0,1}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    /// Fields that are read without the parser are those that the parser reads.
    #[test]
    fn plain_records_are_read_as_the_parser_reads_them(
        fields in vec((ANY_NAME, ANY_BLANKS, ANY_VALUE, ANY_BLANKS), 0..4),
        end in prop_oneof![9 => "", 1 => "[,x}\" ]"],
        flipped in prop_oneof![9 => Just(None), 1 => (0usize..60, 0u8..128).prop_map(Some)],
    ) {
        let names = FieldNames {
            score: Some("date".to_owned()), reserved: Some("lookalike".to_owned()), ..FieldNames::default()
        };
        let field = |(name, before, value, after): &(String, String, String, String)| {
            format!("\"{name}\"{before}:{after}{value}{before}")
        };
        let fields: Vec<String> = fields.iter().map(field).collect();
        let mut line = format!("{{{}}}{end}", fields.join(",")).into_bytes();
        if let Some((at, byte)) = flipped {
            let at = at % line.len();
            line[at] = byte;
        }
        let Ok(line) = std::str::from_utf8(&line) else { return Ok(()) };
        let parsed = parse_any(line, &names, None).and_then(|raw| into_fields(raw, line, &names));
        if let Ok(raw) = flat::read(line, &names) {
            prop_assert_eq!(into_fields(raw, line, &names), parsed.clone(), "{}", line);
        }
        prop_assert_eq!(parse(line.as_bytes(), &names), parsed, "{}", line);
    }
}

proptest! {
    #[test]
    fn texts_are_read_as_they_were_written(text in "\\PC{0,40}|[\\x00-\\x7f]{0,40}", id in "\\PC{0,10}") {
        let line = serde_json::json!({ "a": { "text": 1 }, "text": text, "id": id }).to_string();
        let fields = read(&line).unwrap();
        prop_assert_eq!(fields.content.stored(), text);
        prop_assert_eq!(fields.id, Some(id.into()).filter(|id: &Cow<'_, str>| !id.trim().is_empty()));
    }

    #[test]
    fn damaged_lines_are_judged_as_serde_json_judges(at in 0usize..60, byte in 0u8..128) {
        let mut line = br#"{"id": "k7", "n": [1, -2.5e3, null], "text": "a \"b\" \u00e9"}"#.to_vec();
        let at = at % line.len();
        line[at] = byte;
        let ours = matches!(read(std::str::from_utf8(&line).unwrap()), Err(Problem::NotJson { .. }));
        let theirs = serde_json::from_slice::<serde_json::Value>(&line).is_err();
        prop_assert_eq!(ours, theirs, "{}", String::from_utf8_lossy(&line));
    }
}

//! One JSON record.

use super::fields::{RawFields, RecordSeed};
use super::spelled::{nested_value, spelled, value_of, values};
use super::value::JsonValue;
use super::{flat, numbers};
use crate::base::details::{ExpectedValue, FoundValue};
use crate::base::{NamesFound, Number, Problem, Score};
use crate::read::context::{RecordFields, own_id};
use crate::sources::{FieldNames, ItemCounts, ItemSeparator, push_counted};
use lookalike_core::documents::Content;
use lookalike_core::text::Items;
use serde::de::{DeserializeSeed, IgnoredAny};
use sonic_rs::JsonValueTrait;
use std::borrow::Cow;

/// Parses one line.
pub(in crate::read) fn parse<'a>(line: &'a [u8], names: &FieldNames) -> Result<RecordFields<'a>, Problem> {
    let line = Problem::check_utf8(line)?;
    // To describe another value than an object, sonic-rs would parse it with unbounded recursion.
    if !line.trim_start().starts_with('{') {
        return Err(syntax_problem(line, "not a JSON object"));
    }
    let raw = match flat::read(line, names) {
        Ok(raw) => raw,
        Err(known_text) => parse_any(line, names, known_text)?,
    };
    into_fields(raw, line, names)
}

/// Parses a line that may hold anything; `known_text` is its text, if that was copied already.
pub(super) fn parse_any<'a>(
    line: &'a str,
    names: &FieldNames,
    known_text: Option<Cow<'a, str>>,
) -> Result<RawFields<'a>, Problem> {
    let read = |texts_of, known_text| {
        let mut deserializer = sonic_rs::Deserializer::from_str(line);
        let raw = RecordSeed { names, texts_of, known_text }.deserialize(&mut deserializer)?;
        deserializer.end().map(|()| raw)
    };
    // On an error the parser reads the texts too: its message is the one to report.
    let raw = read(Some(line), known_text).or_else(|_: sonic_rs::Error| read(None, None));
    raw.or_else(|error| match numbers::without_large(line) {
        Some(small) => Ok(parse_any(&small, names, None)?.into_owned()),
        None => Err(syntax_problem(line, &error.to_string())),
    })
}

/// The problem of a line that sonic-rs refuses with `message`.
fn syntax_problem(line: &str, message: &str) -> Problem {
    // The line end would count as another line.
    match serde_json::from_str::<IgnoredAny>(line.trim_end()) {
        Err(better) if let Some(word) = no_number(line, better.column()) => {
            let message = format!("{word} at column {} is no number of JSON; null stands for none", better.column());
            Problem::NotJson { message }
        }
        Err(better) => Problem::NotJson { message: without_line(&better.to_string()) },
        Ok(_) if !line.trim_start().starts_with('{') => Problem::NotAnObject,
        Ok(_) => Problem::NotJson { message: without_line(message.lines().next().unwrap_or_default()) },
    }
}

/// The word at a column that other languages take for a number.
fn no_number(line: &str, column: usize) -> Option<&'static str> {
    let words = ["-Infinity", "Infinity", "NaN"];
    let begins = |at: usize| words.into_iter().find(|word| line.get(at..).is_some_and(|rest| rest.starts_with(word)));
    (column.saturating_sub(2)..=column).find_map(begins)
}

/// The message without the line number, which is always 1: a record is one line.
fn without_line(message: &str) -> String {
    message.replace(" at line 1 column", " at column")
}

/// Checks and converts the values of the selected fields.
pub(super) fn into_fields<'a>(
    raw: RawFields<'a>,
    line: &'a str,
    names: &FieldNames,
) -> Result<RecordFields<'a>, Problem> {
    if let Some(field) = raw.twice {
        return Err(Problem::FieldTwice { field });
    }
    if let Some(field) = raw.reserved {
        return Err(Problem::FieldExists { field });
    }
    let or_nested = |value: Option<JsonValue<'a>>, field: &str| value.or_else(|| nested_value(line, field));
    let content = match (or_nested(raw.text, &names.text), names.items) {
        (Some(value), _) if names.fingerprints.is_some() => fingerprint(value, names)?,
        (Some(value), _) if names.vectors.are_given() => vector(value, line, names)?,
        (Some(JsonValue::Text(text)), None) => Content::Text(text),
        (Some(value), None) => return Err(value.wrong_kind(&names.text, ExpectedValue::Text)),
        (Some(value), Some(separator)) => Content::Items(items(value, separator, line, names)?),
        (None, _) => return Err(no_text(line, names)),
    };
    let id = match or_nested(raw.id, &names.id) {
        None | Some(JsonValue::Null) => None,
        Some(JsonValue::Text(text)) => own_id(Some(text)),
        Some(JsonValue::Integer(number)) => Some(Cow::Owned(number.to_string())),
        Some(JsonValue::Float(number)) => {
            Some(spelled(line, &names.id).map_or_else(|| Cow::Owned(number.to_string()), Cow::Borrowed))
        }
        Some(value) => return Err(value.wrong_kind(&names.id, ExpectedValue::Id)),
    };
    let score_field = names.score.as_deref().unwrap_or_default();
    let score = score(or_nested(raw.score, score_field), score_field, line)?;
    let more_scores = values(line, &names.more_scores)?;
    let more_scores = more_scores.iter().zip(&names.more_scores).map(|(spelled, field)| {
        let value = spelled.as_deref().and_then(value_of);
        self::score(value, field, line)
    });
    let more_scores = more_scores.collect::<Result<_, _>>()?;
    Ok(RecordFields { content: content.into(), id, score, more_scores, carried: values(line, &names.carried)? })
}

/// The value of a score field in this line.
fn score(value: Option<JsonValue<'_>>, field: &str, line: &str) -> Result<Option<Score>, Problem> {
    match value {
        None => Ok(None),
        Some(JsonValue::Null) => Ok(Some(Score::Missing)),
        Some(JsonValue::Text(text)) => Ok(Some(Score::from_text(text))),
        Some(JsonValue::Integer(number)) => Ok(Some(Score::Number(Number::of_integer(number)))),
        Some(JsonValue::Float(float)) => {
            let digits = spelled(line, field);
            let number = digits.map_or_else(|| Number::of_float(float), Number::of_text);
            number.map(|number| Some(Score::Number(number))).ok_or_else(|| {
                let found = FoundValue::LongExponent;
                Problem::WrongKind { field: field.to_owned(), expected: ExpectedValue::Score, found }
            })
        }
        Some(value) => Err(value.wrong_kind(field, ExpectedValue::Score)),
    }
}

/// The fingerprint in a value.
fn fingerprint<'a>(value: JsonValue<'a>, names: &FieldNames) -> Result<Content<'a>, Problem> {
    let field = &names.text;
    match (value, names.fingerprints) {
        (JsonValue::Text(text), Some(fingerprints)) => fingerprints.of_text(text, field).map(Content::Bits),
        (JsonValue::Integer(number), Some(fingerprints)) => fingerprints.of_integer(number, field).map(Content::Bits),
        (value, _) => Err(value.wrong_kind(field, ExpectedValue::JsonFingerprint)),
    }
}

/// The vector or signature in a value.
fn vector(value: JsonValue<'_>, line: &str, names: &FieldNames) -> Result<Content<'static>, Problem> {
    let field = &names.text;
    match value {
        JsonValue::Array => {
            let array = spelled(line, field).unwrap_or_default();
            names.vectors.of_json(array, field)
        }
        JsonValue::Text(text) => names.vectors.of_json(&text, field),
        value => Err(value.wrong_kind(field, names.vectors.expected())),
    }
}

/// The problem of a record without a text, or the fingerprint in place of one, with the fields that it has, those of
/// objects in it as `doc.text`.
fn no_text(line: &str, names: &FieldNames) -> Problem {
    let mut found = Vec::new();
    for (name, value) in sonic_rs::to_object_iter(line).flatten() {
        let inner = value.is_object().then(|| sonic_rs::to_object_iter(value.as_raw_str()).flatten());
        let before = found.len();
        found.extend(inner.into_iter().flatten().map(|(inner, _)| format!("{name}.{inner}")));
        if found.len() == before {
            found.push(name.to_string());
        }
    }
    let found = Box::new(NamesFound::new(&names.text, found));
    Problem::NoField { field: names.text.clone(), found, points: names.points() }
}

/// The items in a value.
fn items(
    value: JsonValue<'_>,
    separator: ItemSeparator,
    line: &str,
    names: &FieldNames,
) -> Result<Items<'static>, Problem> {
    match value {
        JsonValue::Text(text) => separator.items(&text, names.item_counts),
        JsonValue::Array => items_of_array(line, names),
        JsonValue::Object if names.item_counts == ItemCounts::Written => items_of_object(line, &names.text),
        JsonValue::Integer(number) if separator == ItemSeparator::Whole => {
            separator.items(&number.to_string(), names.item_counts)
        }
        JsonValue::Float(number) if separator == ItemSeparator::Whole => {
            let written = spelled(line, &names.text).map_or_else(|| Cow::Owned(number.to_string()), Cow::Borrowed);
            separator.items(&written, names.item_counts)
        }
        value => Err(value.wrong_kind(&names.text, ExpectedValue::Items)),
    }
}

/// The items of an array: strings, and numbers as written.
fn items_of_array(line: &str, names: &FieldNames) -> Result<Items<'static>, Problem> {
    let field = &names.text;
    let counts = names.item_counts;
    let wrong = || Problem::WrongKind {
        field: field.clone(),
        expected: ExpectedValue::ItemArray,
        found: FoundValue::MixedArray,
    };
    let array = spelled(line, field).ok_or_else(wrong)?;
    let mut items = Items::default();
    for value in sonic_rs::to_array_iter(array) {
        let value = value.map_err(|_| wrong())?;
        match value.as_str() {
            Some(text) => counts.push(&mut items, text)?,
            None if value.is_number() => match value.as_raw_str() {
                fraction if fraction.contains(['.', 'e', 'E']) => {
                    return Err(Problem::FractionInItems { field: field.clone(), found: fraction.to_owned() });
                }
                whole => counts.push(&mut items, whole)?,
            },
            None => return Err(wrong()),
        }
    }
    Ok(items)
}

/// The items of an object: its names, with their values as counts.
fn items_of_object(line: &str, field: &str) -> Result<Items<'static>, Problem> {
    let not_json = || Problem::NotJson { message: format!("field `{field}` is no object") };
    let object = spelled(line, field).ok_or_else(not_json)?;
    let mut items = Items::default();
    for entry in sonic_rs::to_object_iter(object) {
        let (item, count) = entry.map_err(|_| not_json())?;
        push_counted(&mut items, &item, count.as_raw_str())?;
    }
    Ok(items)
}

//! The fields of one JSON record that matter.
//!
//! sonic-rs parses (SIMD, no tree); of the values only the wanted ones are looked at, the rest is checked and skipped. The
//! message for a line that is no JSON comes from serde_json, whose messages are better.

use crate::error::Problem;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use sonic_rs::LazyValue;
use std::borrow::Cow;
use std::fmt;

/// Names of the fields to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldNames {
    /// The text.
    pub text: String,
    /// The key; a record without it is named by file and line.
    pub id: String,
    /// The value that decides which copy is kept.
    pub score: Option<String>,
    /// A field that must not exist, because it will be added.
    pub absent: Option<String>,
}

impl Default for FieldNames {
    /// `text` and `id`.
    fn default() -> Self {
        Self { text: "text".to_owned(), id: "id".to_owned(), score: None, absent: None }
    }
}

/// A value to order documents by: numbers, or strings (dates as in ISO 8601 order well).
#[derive(Debug, Clone, PartialEq, PartialOrd)]
pub enum Score {
    /// A JSON number.
    Number(f64),
    /// A JSON string.
    Text(String),
}

/// What a record says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fields<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) id: Option<String>,
    pub(crate) score: Option<Score>,
}

/// Reads one line.
pub(crate) fn parse<'a>(line: &'a [u8], names: &FieldNames) -> Result<Fields<'a>, Problem> {
    let line = simdutf8::compat::from_utf8(line).map_err(|error| Problem::NotUtf8 { at: error.valid_up_to() + 1 })?;
    if nesting_exceeds(line.as_bytes(), DEEPEST) {
        return Err(Problem::TooDeep { limit: DEEPEST });
    }
    let mut deserializer = sonic_rs::Deserializer::from_str(line);
    let raw = RecordSeed { names }
        .deserialize(&mut deserializer)
        .and_then(|raw| deserializer.end().map(|()| raw))
        .map_err(|error| syntax_problem(line, &error))?;
    raw.into_fields(names)
}

/// Deepest nesting of arrays and objects in a record; the parser recurses, and its stack is finite.
const DEEPEST: usize = 128;

fn nesting_exceeds(line: &[u8], limit: usize) -> bool {
    // Few brackets cannot nest deep: that spares nearly all lines the closer look.
    if memchr::memchr2_iter(b'[', b'{', line).take(limit + 1).count() <= limit {
        return false;
    }
    let (mut depth, mut deepest, mut in_string, mut is_escaped) = (0usize, 0, false, false);
    for &byte in line {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_string,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest > limit
}

fn syntax_problem(line: &str, error: &sonic_rs::Error) -> Problem {
    match serde_json::from_str::<IgnoredAny>(line) {
        Err(better) => Problem::NotJson { message: without_line(&better.to_string()) },
        Ok(_) if !line.trim_start().starts_with('{') => Problem::NotAnObject,
        Ok(_) => Problem::NotJson { message: without_line(error.to_string().lines().next().unwrap_or_default()) },
    }
}

/// A record is one line; which one the place says.
fn without_line(message: &str) -> String {
    message.replace(" at line 1 column", " at column")
}

/// The values of the wanted fields, not judged yet.
#[derive(Default)]
struct RawFields<'a> {
    text: Option<TextValue<'a>>,
    id: Option<LazyValue<'a>>,
    score: Option<LazyValue<'a>>,
    twice: Option<String>,
    unwanted: Option<String>,
}

impl<'a> RawFields<'a> {
    fn into_fields(self, names: &FieldNames) -> Result<Fields<'a>, Problem> {
        if let Some(field) = self.twice {
            return Err(Problem::FieldTwice { field });
        }
        if let Some(field) = self.unwanted {
            return Err(Problem::FieldExists { field });
        }
        let text = match self.text {
            Some(TextValue::Text(text)) => text,
            Some(TextValue::Other(found)) => return Err(wrong_kind(&names.text, "a string", found)),
            None => return Err(Problem::NoField { field: names.text.clone() }),
        };
        let id = self.id.map_or(Ok(None), |value| read_id(&value, &names.id))?;
        let score_name = names.score.as_deref().unwrap_or_default();
        let score = self.score.map_or(Ok(None), |value| read_score(&value, score_name))?;
        Ok(Fields { text, id, score })
    }
}

fn wrong_kind(field: &str, expected: &'static str, found: &'static str) -> Problem {
    Problem::WrongKind { field: field.to_owned(), expected, found }
}

/// Numbers keep all their digits: two long ids must not become one double.
fn read_id(value: &LazyValue<'_>, field: &str) -> Result<Option<String>, Problem> {
    let raw = value.as_raw_str();
    match kind_of(raw) {
        "null" => Ok(None),
        "a number" => Ok(Some(raw.to_owned())),
        "a string" => read_string(raw).map(Some),
        found => Err(wrong_kind(field, "a string or a number", found)),
    }
}

fn read_score(value: &LazyValue<'_>, field: &str) -> Result<Option<Score>, Problem> {
    let raw = value.as_raw_str();
    match kind_of(raw) {
        "null" => Ok(None),
        "a number" => Ok(raw.parse().ok().map(Score::Number)),
        "a string" => read_string(raw).map(|text| Some(Score::Text(text))),
        found => Err(wrong_kind(field, "a number or a string", found)),
    }
}

fn read_string(raw: &str) -> Result<String, Problem> {
    serde_json::from_str(raw).map_err(|error| Problem::NotJson { message: without_line(&error.to_string()) })
}

fn kind_of(raw: &str) -> &'static str {
    match raw.as_bytes().first() {
        Some(b'n') => "null",
        Some(b't' | b'f') => "a boolean",
        Some(b'"') => "a string",
        Some(b'[') => "an array",
        Some(b'{') => "an object",
        _ => "a number",
    }
}

/// Which of the wanted fields a name means; one field may be key and score at once.
#[derive(Clone, Copy)]
struct Roles {
    text: bool,
    id: bool,
    score: bool,
    absent: bool,
}

struct NameSeed<'n> {
    names: &'n FieldNames,
}

impl<'de> DeserializeSeed<'de> for NameSeed<'_> {
    type Value = Roles;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Roles, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NameSeed<'_> {
    type Value = Roles;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a field name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Roles, E> {
        let is = |wanted: &Option<String>| wanted.as_deref() == Some(name);
        let FieldNames { text, id, score, absent } = self.names;
        Ok(Roles { text: name == text, id: name == id, score: is(score), absent: is(absent) })
    }
}

struct RecordSeed<'n> {
    names: &'n FieldNames,
}

impl<'de> DeserializeSeed<'de> for RecordSeed<'_> {
    type Value = RawFields<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<RawFields<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RecordSeed<'_> {
    type Value = RawFields<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawFields<'de>, A::Error> {
        let names = self.names;
        let mut raw = RawFields::default();
        while let Some(roles) = map.next_key_seed(NameSeed { names })? {
            if roles.text {
                let value = map.next_value()?;
                note_twice(raw.text.replace(value).is_some(), &names.text, &mut raw.twice);
            } else if roles.id || roles.score {
                let value: LazyValue<'de> = map.next_value()?;
                let again = roles.id && raw.id.is_some() || roles.score && raw.score.is_some();
                let name = if roles.id { names.id.as_str() } else { names.score.as_deref().unwrap_or_default() };
                note_twice(again, name, &mut raw.twice);
                if roles.id {
                    raw.id = Some(value.clone());
                }
                if roles.score {
                    raw.score = Some(value);
                }
            } else {
                map.next_value::<IgnoredAny>()?;
                if roles.absent {
                    raw.unwanted.clone_from(&names.absent);
                }
            }
        }
        Ok(raw)
    }
}

fn note_twice(again: bool, name: &str, twice: &mut Option<String>) {
    if again {
        *twice = Some(name.to_owned());
    }
}

/// The value of the text field: borrowed from the line unless it has escapes.
enum TextValue<'a> {
    Text(Cow<'a, str>),
    Other(&'static str),
}

impl<'de> Deserialize<'de> for TextValue<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = TextValue<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(TextValue::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(TextValue::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(TextValue::Other("null"))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(TextValue::Other("a boolean"))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(TextValue::Other("a number"))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(TextValue::Other("a number"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(TextValue::Other("a number"))
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(TextValue::Other("an array"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(TextValue::Other("an object"))
    }
}

#[cfg(test)]
mod tests;

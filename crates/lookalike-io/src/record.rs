//! The fields of one JSON record that matter.
//!
//! sonic-rs parses (SIMD, no tree); of the values only the wanted ones are looked at, the rest is checked and skipped, and so is the
//! text, which is taken from where it stands ([`json_text`]). The message for a line that is no JSON comes from serde_json, whose
//! messages are better.

mod json_text;

use crate::error::Problem;
use crate::items::{ItemSeparator, push_item};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use sonic_rs::{JsonValueTrait, LazyValue};
use std::borrow::Cow;
use std::fmt;

/// Names of the fields to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldNames {
    /// The text.
    pub text: String,
    /// The key; a record without it is named by file and line. In WARC files it is a header: by default the address.
    pub id: String,
    /// The value that decides which copy is kept.
    pub score: Option<String>,
    /// A field that must not exist, because it will be added.
    pub absent: Option<String>,
    /// Takes documents as sets of items; what stands between the items where a set is written as text.
    pub items: Option<ItemSeparator>,
}

/// Where the key stands, unless another place is named.
pub(crate) const DEFAULT_ID: &str = "id";

impl Default for FieldNames {
    /// `text` and `id`.
    fn default() -> Self {
        Self { text: "text".to_owned(), id: DEFAULT_ID.to_owned(), score: None, absent: None, items: None }
    }
}

/// A value to order documents by: numbers, or strings (dates as in ISO 8601 order well).
#[derive(Debug, Clone, PartialEq, PartialOrd, Serialize, Deserialize)]
pub enum Score {
    /// A number.
    Number(f64),
    /// A string.
    Text(String),
}

impl Score {
    /// What a format without types holds: a number if it can be read as one.
    pub(crate) fn of_text(text: &str) -> Self {
        let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        number.map_or_else(|| Self::Text(text.to_owned()), Self::Number)
    }
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
    // To say what it found instead of an object, sonic-rs would read all of it, however deep it nests.
    if !line.trim_start().starts_with('{') {
        return Err(syntax_problem(line, "not a JSON object"));
    }
    let read = |texts_of| {
        let mut deserializer = sonic_rs::Deserializer::from_str(line);
        let raw = RecordSeed { names, texts_of }.deserialize(&mut deserializer)?;
        deserializer.end().map(|()| raw)
    };
    // Whatever is wrong is for the parser to say.
    let raw = read(Some(line)).or_else(|_: sonic_rs::Error| read(None));
    raw.map_err(|error| syntax_problem(line, &error.to_string()))?.into_fields(line, names)
}

fn syntax_problem(line: &str, message: &str) -> Problem {
    // The line end would be counted as the begin of another line.
    match serde_json::from_str::<IgnoredAny>(line.trim_end()) {
        Err(better) => Problem::NotJson { message: without_line(&better.to_string()) },
        Ok(_) if !line.trim_start().starts_with('{') => Problem::NotAnObject,
        Ok(_) => Problem::NotJson { message: without_line(message.lines().next().unwrap_or_default()) },
    }
}

/// A record is one line; which one the place says.
fn without_line(message: &str) -> String {
    message.replace(" at line 1 column", " at column")
}

/// The values of the wanted fields, not judged yet.
#[derive(Default)]
struct RawFields<'a> {
    text: Option<Value<'a>>,
    id: Option<Value<'a>>,
    score: Option<Value<'a>>,
    twice: Option<String>,
    unwanted: Option<String>,
}

impl<'a> RawFields<'a> {
    fn into_fields(self, line: &str, names: &FieldNames) -> Result<Fields<'a>, Problem> {
        if let Some(field) = self.twice {
            return Err(Problem::FieldTwice { field });
        }
        if let Some(field) = self.unwanted {
            return Err(Problem::FieldExists { field });
        }
        let text = match self.text {
            Some(Value::Text(text)) => match names.items {
                None => text,
                Some(separator) => Cow::Owned(separator.items(&text)?),
            },
            Some(Value::Array) if names.items.is_some() => Cow::Owned(items_of_array(line, &names.text)?),
            Some(value) if names.items.is_some() => return Err(value.wrong_kind(&names.text, "an array or a string")),
            Some(value) => return Err(value.wrong_kind(&names.text, "a string")),
            None => return Err(Problem::NoField { field: names.text.clone() }),
        };
        let id = match self.id {
            None | Some(Value::Null) => None,
            Some(Value::Text(text)) => Some(text.into_owned()),
            Some(Value::Integer(number)) => Some(number.to_string()),
            Some(Value::Float(number)) => Some(digits_of_id(line, &names.id).unwrap_or_else(|| number.to_string())),
            Some(value) => return Err(value.wrong_kind(&names.id, "a string or a number")),
        };
        let score = match self.score {
            None | Some(Value::Null) => None,
            Some(Value::Text(text)) => Some(Score::Text(text.into_owned())),
            Some(Value::Integer(number)) => Some(Score::Number(number as f64)),
            Some(Value::Float(number)) => Some(Score::Number(number)),
            Some(value) => {
                return Err(value.wrong_kind(names.score.as_deref().unwrap_or_default(), "a number or a string"));
            }
        };
        Ok(Fields { text, id, score })
    }
}

/// The id as it is written: two long numbers must not become one double.
fn digits_of_id(line: &str, field: &str) -> Option<String> {
    let value: LazyValue<'_> = sonic_rs::get(line, &[field]).ok()?;
    Some(value.as_raw_str().to_owned())
}

/// The items of an array: strings, and numbers as they are written.
fn items_of_array(line: &str, field: &str) -> Result<String, Problem> {
    let wrong = || Problem::WrongKind {
        field: field.to_owned(),
        expected: "an array of strings and numbers",
        found: "an array with other values",
    };
    let array: LazyValue<'_> = sonic_rs::get(line, &[field]).map_err(|_| wrong())?;
    let mut items = String::new();
    for value in array.into_array_iter().ok_or_else(wrong)? {
        let value = value.map_err(|_| wrong())?;
        match value.as_str() {
            Some(text) => push_item(&mut items, text)?,
            None if value.is_number() => push_item(&mut items, value.as_raw_str())?,
            None => return Err(wrong()),
        }
    }
    Ok(items)
}

/// The value of a field; text is borrowed from the line unless it has escapes.
#[derive(Clone)]
enum Value<'a> {
    Text(Cow<'a, str>),
    Integer(i128),
    Float(f64),
    Null,
    Boolean,
    Array,
    Object,
}

impl Value<'_> {
    fn wrong_kind(&self, field: &str, expected: &'static str) -> Problem {
        let found = match self {
            Self::Text(_) => "a string",
            Self::Integer(_) | Self::Float(_) => "a number",
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Array => "an array",
            Self::Object => "an object",
        };
        Problem::WrongKind { field: field.to_owned(), expected, found }
    }
}

/// Which of the wanted fields a name means; one field may be key and score at once.
#[derive(Clone, Copy)]
struct Roles<'a> {
    /// As it stands in the line, if it has no escapes.
    name: Option<&'a str>,
    text: bool,
    id: bool,
    score: bool,
    absent: bool,
}

struct NameSeed<'n> {
    names: &'n FieldNames,
}

impl<'de> DeserializeSeed<'de> for NameSeed<'_> {
    type Value = Roles<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Roles<'de>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for NameSeed<'_> {
    type Value = Roles<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a field name")
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, name: &'de str) -> Result<Roles<'de>, E> {
        Ok(Roles { name: Some(name), ..self.visit_str(name)? })
    }

    fn visit_str<E>(self, name: &str) -> Result<Roles<'de>, E> {
        let is = |wanted: &Option<String>| wanted.as_deref() == Some(name);
        let FieldNames { text, id, score, absent, items: _ } = self.names;
        Ok(Roles { name: None, text: name == text, id: name == id, score: is(score), absent: is(absent) })
    }
}

struct RecordSeed<'n, 'de> {
    names: &'n FieldNames,
    /// The line, if texts are to be taken from it.
    texts_of: Option<&'de str>,
}

impl<'de> DeserializeSeed<'de> for RecordSeed<'_, 'de> {
    type Value = RawFields<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<RawFields<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RecordSeed<'_, 'de> {
    type Value = RawFields<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawFields<'de>, A::Error> {
        let names = self.names;
        let mut raw = RawFields::default();
        while let Some(roles) = map.next_key_seed(NameSeed { names })? {
            let string = self.texts_of.zip(roles.name).filter(|_| roles.text);
            let string = string.and_then(|(line, name)| json_text::string_behind(line, name));
            let value = match string {
                Some(behind) => {
                    map.next_value::<IgnoredAny>()?;
                    let text = json_text::unescape(behind).ok_or_else(|| serde::de::Error::custom("a wrong escape"))?;
                    Value::Text(text)
                }
                None => map.next_value_seed(ValueSeed { is_wanted: roles.text || roles.id || roles.score })?,
            };
            if roles.text {
                note_twice(raw.text.replace(value).is_some(), &names.text, &mut raw.twice);
            } else if roles.id && roles.score {
                note_twice(raw.score.replace(value.clone()).is_some(), &names.id, &mut raw.twice);
                raw.id = Some(value);
            } else if roles.id {
                note_twice(raw.id.replace(value).is_some(), &names.id, &mut raw.twice);
            } else if roles.score {
                let name = names.score.as_deref().unwrap_or_default();
                note_twice(raw.score.replace(value).is_some(), name, &mut raw.twice);
            } else if roles.absent {
                raw.unwanted.clone_from(&names.absent);
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

/// Reads any value. Containers are read element by element, since the parser limits the depth of that (what it skips at one
/// go may nest until the stack overflows).
#[derive(Clone, Copy)]
struct ValueSeed {
    /// Whether texts are needed.
    is_wanted: bool,
}

impl<'de> DeserializeSeed<'de> for ValueSeed {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed {
    type Value = Value<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Value::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Value::Text(if self.is_wanted { Cow::Owned(text.to_owned()) } else { Cow::Borrowed("") }))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Value::Boolean)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Value::Integer(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Value::Integer(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Value::Float(number))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element_seed(Self { is_wanted: false })?.is_some() {}
        Ok(Value::Array)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_key::<IgnoredAny>()?.is_some() {
            map.next_value_seed(Self { is_wanted: false })?;
        }
        Ok(Value::Object)
    }
}

#[cfg(test)]
mod tests;

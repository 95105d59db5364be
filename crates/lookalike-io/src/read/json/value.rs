//! Values of JSON fields.

use crate::base::Problem;
use crate::base::details::{ExpectedValue, FoundValue};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// The value of a field; strings are borrowed from the line unless they have escapes.
#[derive(Clone)]
pub(super) enum JsonValue<'a> {
    Text(Cow<'a, str>),
    Integer(i128),
    Float(f64),
    Null,
    Boolean,
    Array,
    Object,
}

impl JsonValue<'_> {
    /// Makes the value owned.
    pub(super) fn into_owned<'b>(self) -> JsonValue<'b> {
        match self {
            Self::Text(text) => JsonValue::Text(Cow::Owned(text.into_owned())),
            Self::Integer(number) => JsonValue::Integer(number),
            Self::Float(number) => JsonValue::Float(number),
            Self::Null => JsonValue::Null,
            Self::Boolean => JsonValue::Boolean,
            Self::Array => JsonValue::Array,
            Self::Object => JsonValue::Object,
        }
    }

    pub(super) fn wrong_kind(&self, field: &str, expected: ExpectedValue) -> Problem {
        let found = match self {
            Self::Text(_) => FoundValue::Text,
            Self::Integer(_) | Self::Float(_) => FoundValue::Number,
            Self::Null => FoundValue::Null,
            Self::Boolean => FoundValue::Boolean,
            Self::Array => FoundValue::Array,
            Self::Object => FoundValue::Object,
        };
        Problem::WrongKind { field: field.to_owned(), expected, found }
    }
}

/// Reads any value. Containers are read element by element, because the parser limits the depth of that; skipping a
/// container in one step has no limit and may overflow the stack.
#[derive(Clone, Copy)]
pub(super) struct ValueSeed {
    /// True if strings are kept.
    pub(super) is_selected: bool,
}

impl<'de> DeserializeSeed<'de> for ValueSeed {
    type Value = JsonValue<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed {
    type Value = JsonValue<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(JsonValue::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(JsonValue::Text(if self.is_selected { Cow::Owned(text.to_owned()) } else { Cow::Borrowed("") }))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(JsonValue::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(JsonValue::Boolean)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(JsonValue::Integer(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(JsonValue::Integer(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(JsonValue::Float(number))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element_seed(Self { is_selected: false })?.is_some() {}
        Ok(JsonValue::Array)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_key::<IgnoredAny>()?.is_some() {
            map.next_value_seed(Self { is_selected: false })?;
        }
        Ok(JsonValue::Object)
    }
}

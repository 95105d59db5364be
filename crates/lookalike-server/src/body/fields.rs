//! The fields of a document: an object of any values of JSON.
//!
//! Values are built here, because those that serde_json builds differ from the text in two cases. An object whose only
//! name is the one that the crate uses for raw values (`$serde_json::private::RawValue`) is parsed as a raw value; and
//! of fields with one name the last one is taken, where this is an error. The number of values is limited, too.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::cell::Cell;
use std::fmt;

/// Maximum number of values of a document: an array or object counts, and each value in it.
const MAX_VALUES: usize = 1 << 16;

/// The fields of a document.
#[derive(Debug, Default)]
pub(crate) struct Fields(pub(crate) Map<String, Value>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let remaining = Cell::new(MAX_VALUES);
        match (AnyValue { remaining: &remaining }).deserialize(deserializer)? {
            Value::Object(fields) => Ok(Self(fields)),
            _ => Err(D::Error::custom("expected an object")),
        }
    }
}

/// A value of JSON of any type; takes itself off the values that `remaining` allows.
#[derive(Clone, Copy)]
struct AnyValue<'a> {
    remaining: &'a Cell<usize>,
}

impl<'de> DeserializeSeed<'de> for AnyValue<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let remaining = self.remaining.get().checked_sub(1).ok_or_else(|| D::Error::custom("too many values"))?;
        self.remaining.set(remaining);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyValue<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = sequence.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(self)?;
            if object.contains_key(&name) {
                return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
            }
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Fields, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn values_are_what_they_are() {
        for text in [
            r#"{"a":1,"b":[-2,3.5,null,true],"c":{"d":"\u00e9","e":{}}}"#,
            r#"{"$serde_json::private::RawValue":"[1, 2"}"#,
            r#"{"a":{"$serde_json::private::RawValue":"1"}}"#,
            r#"{"a":{"$serde_json::private::Number":"1"}}"#,
        ] {
            let written = serde_json::to_string(&parse(text).unwrap().0).unwrap();
            assert_eq!(written, text.replace("\\u00e9", "é"));
        }
    }

    #[test]
    fn a_name_that_stands_twice_is_an_error() {
        for text in [r#"{"a":1,"a":2}"#, r#"{"a":{"b":1,"b":1}}"#] {
            assert!(parse(text).unwrap_err().to_string().starts_with("duplicate field"), "{text}");
        }
    }

    #[test]
    fn more_values_than_a_document_may_have_are_refused() {
        let many = |count: usize| format!(r#"{{"a":[{}0]}}"#, "[],".repeat(count));
        assert!(parse(&many(1000)).is_ok());
        assert!(parse(&many(MAX_VALUES)).unwrap_err().to_string().starts_with("too many values"));
        for text in ["[]", "1", "null"] {
            assert!(parse(text).is_err());
        }
    }
}

//! The selected fields among those of an object.

use super::text;
use super::value::{JsonValue, ValueSeed};
use crate::sources::FieldNames;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// The values of the selected fields, unchecked.
#[derive(Default)]
pub(super) struct RawFields<'a> {
    pub(super) text: Option<JsonValue<'a>>,
    pub(super) id: Option<JsonValue<'a>>,
    pub(super) score: Option<JsonValue<'a>>,
    /// Name of a selected field that occurs twice.
    pub(super) twice: Option<String>,
    /// Name of the reserved field, if the record has it.
    pub(super) reserved: Option<String>,
}

/// The meanings of a field; one field may be id and score at once.
#[derive(Clone, Copy)]
pub(super) struct FieldRoles<'a> {
    /// The name as a part of the line, if it has no escapes.
    name: Option<&'a str>,
    pub(super) text: bool,
    id: bool,
    score: bool,
    reserved: bool,
}

impl<'a> FieldRoles<'a> {
    /// The meanings of the field whose name is a part of the line.
    pub(super) fn new(name: &'a str, names: &FieldNames) -> Self {
        Self { name: Some(name), ..Self::of_name(name, names) }
    }

    fn of_name(name: &str, names: &FieldNames) -> Self {
        let is = |field: &Option<String>| field.as_deref() == Some(name);
        let FieldNames { text, id, score, reserved, .. } = names;
        Self { name: None, text: name == text, id: name == id, score: is(score), reserved: is(reserved) }
    }
}

impl<'a> RawFields<'a> {
    /// Makes the values owned.
    pub(super) fn into_owned<'b>(self) -> RawFields<'b> {
        let owned = |value: Option<JsonValue<'a>>| value.map(JsonValue::into_owned);
        let Self { text, id, score, twice, reserved } = self;
        RawFields { text: owned(text), id: owned(id), score: owned(score), twice, reserved }
    }

    /// Puts the value of a field where it is selected.
    pub(super) fn put(&mut self, roles: FieldRoles<'a>, value: JsonValue<'a>, names: &FieldNames) {
        if roles.text {
            put(&mut self.text, value, &names.text, &mut self.twice);
        } else if roles.id && roles.score {
            put(&mut self.score, value.clone(), &names.id, &mut self.twice);
            self.id = Some(value);
        } else if roles.id {
            put(&mut self.id, value, &names.id, &mut self.twice);
        } else if roles.score {
            let name = names.score.as_deref().unwrap_or_default();
            put(&mut self.score, value, name, &mut self.twice);
        } else if roles.reserved {
            self.reserved.clone_from(&names.reserved);
        }
    }
}

/// Reads the name of a field.
struct NameSeed<'n> {
    names: &'n FieldNames,
}

impl<'de> DeserializeSeed<'de> for NameSeed<'_> {
    type Value = FieldRoles<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<FieldRoles<'de>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for NameSeed<'_> {
    type Value = FieldRoles<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a field name")
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, name: &'de str) -> Result<FieldRoles<'de>, E> {
        Ok(FieldRoles::new(name, self.names))
    }

    fn visit_str<E>(self, name: &str) -> Result<FieldRoles<'de>, E> {
        Ok(FieldRoles::of_name(name, self.names))
    }
}

/// Reads an object.
pub(super) struct RecordSeed<'n, 'de> {
    pub(super) names: &'n FieldNames,
    /// The line, to copy texts from it; `None` to let the parser read them.
    pub(super) texts_of: Option<&'de str>,
    /// The first text, if it was copied already.
    pub(super) known_text: Option<Cow<'de, str>>,
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

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<RawFields<'de>, A::Error> {
        let names = self.names;
        let mut raw = RawFields::default();
        while let Some(roles) = map.next_key_seed(NameSeed { names })? {
            let string = self.texts_of.zip(roles.name).filter(|_| roles.text);
            let string = string.and_then(|(line, name)| text::string_after(line, name));
            let value = match string {
                Some(rest) => {
                    map.next_value::<IgnoredAny>()?;
                    let text = self.known_text.take().or_else(|| text::unescape(rest));
                    let text = text.ok_or_else(|| serde::de::Error::custom("a wrong escape"))?;
                    JsonValue::Text(text)
                }
                None => map.next_value_seed(ValueSeed { is_selected: roles.text || roles.id || roles.score })?,
            };
            raw.put(roles, value, names);
        }
        Ok(raw)
    }
}

/// Puts a value into its place; notes the name of its field if there was one already.
fn put<V>(place: &mut Option<V>, value: V, name: &str, twice: &mut Option<String>) {
    if place.replace(value).is_some() {
        *twice = Some(name.to_owned());
    }
}

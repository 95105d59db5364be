//! Column types that hold the values of JSON objects without loss.
//!
//! ```text
//! integers                    64 bits, signed or unsigned
//! integers and fractions      64-bit floating point, if it represents each of the integers exactly
//! other mixtures of scalars   strings, with the characters as written
//! numbers that no double is   strings, as 1e-400 and 3.14159265358979323846 (exact_numbers.rs); doubles in vectors
//! only null, or empty lists   strings
//! objects, arrays             structs, lists
//! objects of items to counts  maps
//! ```
//!
//! The inference of arrow-json makes large integers floating-point numbers.

use super::exact_numbers::with_inexact_quoted;
use crate::sources::{FieldNames, GivenVectors, ItemCounts};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use indexmap::IndexMap;
use indexmap::map::Entry;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::sync::Arc;

/// Maximum integer up to which all are exact as 64-bit floating-point numbers.
const MAX_EXACT: u64 = 1 << 53;

/// The fields of the records, in order of first occurrence. Records may have thousands of them.
#[derive(Debug, Default)]
pub(super) struct Types(FieldKinds);

type FieldKinds = IndexMap<String, JsonKind>;

#[derive(Debug, Clone, PartialEq)]
enum JsonKind {
    Null,
    Boolean,
    Integer {
        has_negative: bool,
        largest: u64,
    },
    Float,
    Text,
    List(Box<JsonKind>),
    Object(FieldKinds),
    /// An object of items to counts, whatever items it has.
    Counts,
}

impl Types {
    /// Adds the fields of a record.
    pub(super) fn read(&mut self, line: &[u8]) -> Result<(), String> {
        let line = with_inexact_quoted(line);
        let mut deserializer = serde_json::Deserializer::from_slice(&line);
        match KindSeed.deserialize(&mut deserializer).map_err(|error| error.to_string())? {
            JsonKind::Object(fields) => merge_fields(&mut self.0, fields),
            _ => Err("not an object".to_owned()),
        }
    }

    /// The schema; without any record, id and text as strings.
    pub(super) fn into_schema(mut self, names: &FieldNames) -> SchemaRef {
        if self.0.is_empty() {
            self.0 = [&names.id, &names.text].map(|name| (name.clone(), JsonKind::Text)).into();
        }
        // The names in it are items: as columns there would be one for each item of all records.
        let counts = self.0.get_mut(&names.text).filter(|_| names.item_counts == ItemCounts::Written);
        if let Some(kind @ JsonKind::Object(_)) = counts {
            *kind = JsonKind::Counts;
        }
        // The vectors were read as doubles, and have to be vectors again.
        if names.vectors != GivenVectors::Absent {
            let path: Vec<&str> = names.text.split('.').collect();
            make_numbers(&mut self.0, &path);
        }
        Arc::new(Schema::new(into_fields(self.0)))
    }
}

/// Makes numbers of the items of the list at this path; strings spell them otherwise.
fn make_numbers(fields: &mut FieldKinds, path: &[&str]) {
    let whole = path.join(".");
    match (fields.get_mut(&whole), path) {
        (Some(JsonKind::List(item)), _) if **item == JsonKind::Text => **item = JsonKind::Float,
        (None, [first, rest @ ..]) => {
            if let Some(JsonKind::Object(inner)) = fields.get_mut(*first) {
                make_numbers(inner, rest);
            }
        }
        _ => {}
    }
}

fn into_fields(fields: FieldKinds) -> Fields {
    fields.into_iter().map(|(name, kind)| Field::new(name, kind.into_type(), true)).collect()
}

fn merge_fields(all: &mut FieldKinds, fields: FieldKinds) -> Result<(), String> {
    for (name, kind) in fields {
        match all.entry(name) {
            Entry::Occupied(mut known) => {
                let before = std::mem::replace(known.get_mut(), JsonKind::Null);
                let merged = before.merge(kind).map_err(|message| format!("field `{}` {message}", known.key()))?;
                known.insert(merged);
            }
            Entry::Vacant(new) => {
                new.insert(kind);
            }
        }
    }
    Ok(())
}

impl JsonKind {
    fn merge(self, other: Self) -> Result<Self, String> {
        use JsonKind::{Boolean, Float, Integer, List, Null, Object, Text};
        Ok(match (self, other) {
            (Null, kind) | (kind, Null) => kind,
            (Boolean, Boolean) => Boolean,
            (Float, Float) => Float,
            (Integer { has_negative, largest }, Integer { has_negative: other, largest: larger }) => {
                Integer { has_negative: has_negative || other, largest: largest.max(larger) }
            }
            (Integer { largest, .. }, Float) | (Float, Integer { largest, .. }) if largest <= MAX_EXACT => Float,
            (Boolean | Float | Text | Integer { .. }, Boolean | Float | Text | Integer { .. }) => Text,
            (List(item), List(other)) => List(Box::new(item.merge(*other)?)),
            (Object(mut fields), Object(others)) => {
                merge_fields(&mut fields, others)?;
                Object(fields)
            }
            (left, right) => return Err(format!("is {} in some records and {} in others", left.name(), right.name())),
        })
    }

    fn name(&self) -> &'static str {
        match self {
            Self::List(_) => "an array",
            Self::Object(_) | Self::Counts => "an object",
            _ => "neither array nor object",
        }
    }

    fn into_type(self) -> DataType {
        match self {
            Self::Boolean => DataType::Boolean,
            Self::Integer { largest, .. } if i64::try_from(largest).is_ok() => DataType::Int64,
            Self::Integer { has_negative: false, .. } => DataType::UInt64,
            Self::Float => DataType::Float64,
            Self::Null | Self::Text | Self::Integer { .. } => DataType::Utf8,
            Self::List(item) => DataType::List(Arc::new(Field::new_list_field(item.into_type(), true))),
            Self::Object(fields) => DataType::Struct(into_fields(fields)),
            Self::Counts => {
                let fields = [Field::new("keys", DataType::Utf8, false), Field::new("values", DataType::Int64, true)];
                let entries = Field::new("entries", DataType::Struct(fields.into_iter().collect()), false);
                DataType::Map(Arc::new(entries), false)
            }
        }
    }
}

#[derive(Clone, Copy)]
struct KindSeed;

impl<'de> DeserializeSeed<'de> for KindSeed {
    type Value = JsonKind;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<JsonKind, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for KindSeed {
    type Value = JsonKind;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_str<E>(self, _: &str) -> Result<JsonKind, E> {
        Ok(JsonKind::Text)
    }

    fn visit_unit<E>(self) -> Result<JsonKind, E> {
        Ok(JsonKind::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<JsonKind, E> {
        Ok(JsonKind::Boolean)
    }

    fn visit_i64<E>(self, number: i64) -> Result<JsonKind, E> {
        Ok(JsonKind::Integer { has_negative: number < 0, largest: number.unsigned_abs() })
    }

    fn visit_u64<E>(self, number: u64) -> Result<JsonKind, E> {
        Ok(JsonKind::Integer { has_negative: false, largest: number })
    }

    /// A large whole number may have been written with more digits than a 64-bit floating-point number holds.
    fn visit_f64<E>(self, number: f64) -> Result<JsonKind, E> {
        Ok(if number.fract() == 0.0 && number.abs() >= MAX_EXACT as f64 { JsonKind::Text } else { JsonKind::Float })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<JsonKind, A::Error> {
        let mut all = JsonKind::Null;
        while let Some(item) = items.next_element_seed(self)? {
            all = all.merge(item).map_err(|message| A::Error::custom(format!("an array whose item {message}")))?;
        }
        Ok(JsonKind::List(Box::new(all)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonKind, A::Error> {
        let mut fields = FieldKinds::new();
        while let Some(name) = map.next_key::<String>()? {
            match fields.entry(name) {
                Entry::Occupied(known) => {
                    return Err(A::Error::custom(format!("field `{}` appears twice", known.key())));
                }
                Entry::Vacant(new) => new.insert(map.next_value_seed(self)?),
            };
        }
        Ok(JsonKind::Object(fields))
    }
}

//! The provenance of a stored result: the serialized nouns that it depends on.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The serialized fields of nouns, and other facts, by name. Stored as a JSON object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Provenance(BTreeMap<String, Value>);

/// The first field in which two provenances differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Name of the field, with blanks for underscores.
    pub name: String,
    /// The stored value, as text.
    pub stored: String,
    /// The value of the present job, as text.
    pub present: String,
}

impl Provenance {
    /// A provenance without fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds each serialized field of a noun under its name, in place of one of the same name. A noun that is not an
    /// object is added as `value`.
    ///
    /// # Errors
    /// [`serde_json::Error`] if the noun has no JSON form.
    pub fn with(mut self, noun: &impl Serialize) -> serde_json::Result<Self> {
        match serde_json::to_value(noun)? {
            Value::Object(fields) => self.0.extend(fields),
            other => {
                self.0.insert("value".to_owned(), other);
            }
        }
        Ok(self)
    }

    /// Adds a fact that is not a field of a noun.
    #[must_use]
    pub fn with_fact(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// The first field, by name, whose stored value differs; missing fields count as different.
    pub fn difference(&self, stored: &Self) -> Option<Difference> {
        let names = self.0.keys().chain(stored.0.keys());
        let differing = names.filter(|&name| self.0.get(name) != stored.0.get(name));
        differing.min().map(|name| Difference {
            name: name.replace('_', " "),
            stored: in_words(stored.0.get(name)),
            present: in_words(self.0.get(name)),
        })
    }
}

/// A value in the form shown in messages.
fn in_words(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "nothing".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Measure;

    #[test]
    fn nouns_are_told_apart_by_their_first_differing_field() {
        let of = |threshold: &str| {
            let measure = Measure::jaccard(threshold.parse().unwrap());
            Provenance::new().with_fact("inputs", "a.jsonl").with(&measure).unwrap()
        };
        let stored: Provenance = serde_json::from_str(&serde_json::to_string(&of("0.8")).unwrap()).unwrap();
        assert_eq!(of("0.80").difference(&stored), None);
        let Difference { name, stored: was, present } = of("0.9").difference(&stored).unwrap();
        assert_eq!((&*name, &*was, &*present), ("threshold", "0.8", "0.9"));
        let fewer = Provenance::new().with_fact("inputs", "a.jsonl");
        assert_eq!(fewer.difference(&stored).unwrap().present, "nothing");
    }
}

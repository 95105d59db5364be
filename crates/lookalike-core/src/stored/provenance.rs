//! The provenance of a stored result: the serialized parameters that it depends on.

use crate::base::hash::ELEMENT_HASH;
use crate::comparison::Features;
use crate::sets::ShingleSize;
use crate::text::version_of_tokens;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The serialized fields of parameters, and other facts, by name. Stored as a JSON object.
///
/// Two fields of one name have one value: a second value would replace the first, and two jobs that differ in the first
/// would take each other's results. Names are chosen by this program, so it is a debug assertion that finds a
/// collision.
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

impl Difference {
    /// Returns whether it lies in the version of the program, which no flag mends.
    pub fn is_of_versions(&self) -> bool {
        self.name.starts_with("version of ") || self.name.starts_with("hash of ")
    }

    /// Returns whether the elements of one of the two are hashed by a secret, and those of the other by another or by
    /// none.
    pub fn is_of_secrets(&self) -> bool {
        self.name == SECRET.replace('_', " ")
    }

    /// Returns whether one of the two has counts of terms, and the other has none.
    pub fn is_of_counts(&self) -> bool {
        self.name == "bag" && [&self.stored, &self.present].into_iter().any(|value| value == "counted")
    }
}

impl Provenance {
    /// A provenance without fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds each serialized field of a parameter under its name, which no field with another value has. A parameter
    /// that is not an object is added as `value`.
    ///
    /// # Errors
    /// [`serde_json::Error`] if the parameter has no JSON form.
    pub fn with(mut self, parameter: &impl Serialize) -> serde_json::Result<Self> {
        match serde_json::to_value(parameter)? {
            Value::Object(fields) => fields.into_iter().for_each(|(name, value)| self.insert(name, value)),
            other => self.insert("value".to_owned(), other),
        }
        Ok(self)
    }

    /// Adds all that the elements of a document depend on: the features, and the versions of what makes them.
    ///
    /// # Errors
    /// As [`Provenance::with`].
    pub fn with_features(self, features: &Features) -> serde_json::Result<Self> {
        let provenance = self.with(features)?.with_fact("hash of the elements", ELEMENT_HASH);
        Ok(provenance.with_fact("version of the tokens", version_of_tokens(features.text())))
    }

    /// Adds all that the tokens of a document depend on, whatever shingles are made of them: the options of texts, what
    /// a token is, and the versions of what makes and hashes them.
    ///
    /// # Errors
    /// As [`Provenance::with`].
    pub fn with_tokens(self, features: &Features) -> serde_json::Result<Self> {
        let token = ShingleSize { tokens: 1, ..features.shingle().size };
        let provenance = self.with(features.text())?.with_fact("hash of the tokens", ELEMENT_HASH);
        let provenance = provenance.with_fact("version of the tokens", version_of_tokens(features.text()));
        Ok(provenance.with_fact("token", token.to_string()))
    }

    /// Adds a fact that is not a field of a parameter, under a name that no field with another value has.
    #[must_use]
    pub fn with_fact(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.insert(name.to_owned(), value.into());
        self
    }

    /// The features among its fields; `None` without all of them.
    pub fn features(&self) -> Option<Features> {
        let fields = self.0.iter().map(|(name, value)| (name.clone(), value.clone()));
        serde_json::from_value(Value::Object(fields.collect())).ok()
    }

    fn insert(&mut self, name: String, value: Value) {
        let known = self.0.remove(&name).filter(|known| *known != value);
        debug_assert!(known.is_none(), "the provenance has a field `{name}` already");
        // A field that a result depends on is never left out.
        let value = known.map_or(value.clone(), |known| Value::Array(vec![known, value]));
        self.0.insert(name, value);
    }

    /// The first field whose stored value differs: the kind of features, on which the others depend, and then by name.
    /// A missing field has another value than all but null.
    pub fn difference(&self, stored: &Self) -> Option<Difference> {
        let names = self.0.keys().chain(stored.0.keys());
        let [present, earlier] = [self, stored].map(|of| |name| of.0.get(name).filter(|value| !value.is_null()));
        let differing = names.filter(|&name| present(name) != earlier(name));
        let place = |name: &String| (name.as_str() != "features", name.clone());
        differing.min_by_key(|name| place(name)).map(|name| Difference {
            name: name.replace('_', " "),
            stored: in_words(name, stored.0.get(name)),
            present: in_words(name, self.0.get(name)),
        })
    }
}

/// The field of [`crate::sets::ShingleOptions`] whose value is shown nowhere.
const SECRET: &str = "hash_secret";

/// A value in the form shown in messages.
fn in_words(name: &str, value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "nothing".to_owned(),
        Some(_) if name == SECRET => "a secret of its own".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::HashSecret;
    use crate::comparison::{Measure, Method};
    use crate::documents::Multiplicity;
    use crate::rule::Rule;

    #[test]
    fn null_is_as_good_as_missing() {
        let null = Provenance::new().with_fact("bands", Value::Null);
        let missing = Provenance::new();
        assert_eq!(null.difference(&missing), None);
        assert_eq!(missing.difference(&null), None);
        assert!(missing.with_fact("bands", 7).difference(&null).is_some());
    }

    #[test]
    fn parameters_are_distinguished_by_their_first_differing_field() {
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

    #[test]
    fn counts_and_versions_are_distinguished_from_other_differences() {
        let of = |features: &Features| Provenance::new().with_features(features).unwrap();
        let sets = Features::default();
        let [bags, counted] =
            [Multiplicity::Bag, Multiplicity::Counted].map(|m| of(&sets.clone().with_multiplicity(m)));
        assert!(counted.difference(&of(&sets)).unwrap().is_of_counts());
        assert!(bags.difference(&counted).unwrap().is_of_counts());
        assert!(!bags.difference(&of(&sets)).unwrap().is_of_counts());
        let fact = |name, version| Provenance::new().with_fact(name, version);
        for name in ["hash of the elements", "version of the tokens"] {
            assert!(fact(name, 1).difference(&fact(name, 2)).unwrap().is_of_versions());
        }
    }

    #[test]
    fn a_secret_is_not_shown() {
        let open = Features::default();
        let keyed = open.with_hash_secret(HashSecret::new([1, 2, 3, 4]));
        let of = |features: &Features| Provenance::new().with_features(features).unwrap();
        let difference = of(&open).difference(&of(&keyed)).unwrap();
        assert!(difference.is_of_secrets());
        assert_eq!(difference.stored, "a secret of its own");
        assert_eq!(difference.present, "nothing");
    }

    #[test]
    fn no_two_parameters_have_fields_of_the_same_name() {
        let measured = Provenance::new().with(&Features::default()).unwrap().with(&Measure::default()).unwrap();
        for method in [Method::default(), Method::Exact] {
            measured.clone().with(&method).unwrap().with(&Rule::default()).unwrap();
        }
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic = "a field `threshold` already"]
    fn a_second_value_of_a_field_is_found() {
        let known = Provenance::new().with_fact("measure", "jaccard");
        let _ = known.with_fact("threshold", 0.9).with(&Measure::default());
    }
}

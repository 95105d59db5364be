//! Fields and texts that travel along with a document into an index.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Parts of a record that travel along with its document into an index, beside its elements.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Carried {
    /// Names of fields of the records, in the order in which they are told.
    pub fields: Vec<String>,
    /// True if texts do.
    pub texts: bool,
    /// True if the names of records without an id do, which are made of their contents.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub names: bool,
}

impl Carried {
    /// Fields alone, each once.
    pub fn of_fields(names: impl IntoIterator<Item = String>) -> Self {
        let mut fields: Vec<String> = Vec::new();
        for name in names {
            if !fields.contains(&name) {
                fields.push(name);
            }
        }
        Self { fields, texts: false, names: false }
    }

    /// Returns whether nothing travels along.
    pub fn is_nothing(&self) -> bool {
        !self.has_content() && !self.names
    }

    /// Returns whether fields or texts travel along, which not all inputs have.
    pub fn has_content(&self) -> bool {
        !self.fields.is_empty() || self.texts
    }
}

/// Appends the fields that a record has as one JSON object; nothing if it has none. `values` are JSON, in the order of
/// the names.
///
/// ```
/// use lookalike_io::sources::push_object;
///
/// let (names, mut object) = (["url".to_owned(), "date".to_owned()], Vec::new());
/// push_object(&names, &[None, Some("2026".to_owned())], &mut object);
/// assert_eq!(object, br#"{"date":2026}"#);
/// ```
pub fn push_object(names: &[String], values: &[Option<String>], object: &mut Vec<u8>) {
    let present = names.iter().zip(values).filter_map(|(name, value)| Some((name, value.as_ref()?)));
    for (number, (name, value)) in present.enumerate() {
        object.push(if number == 0 { b'{' } else { b',' });
        object.extend_from_slice(json_string(name).as_bytes());
        object.push(b':');
        object.extend_from_slice(value.as_bytes());
    }
    if values.iter().any(Option::is_some) {
        object.push(b'}');
    }
}

/// A string as JSON.
pub(crate) fn json_string(text: &str) -> String {
    Value::from(text).to_string()
}

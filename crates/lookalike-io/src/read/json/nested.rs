//! Fields inside objects, named by their path: `doc.text`. A field whose own name is that is taken first, as in files
//! of columns.

use super::value::{Value, ValueSeed};
use serde::de::DeserializeSeed;
use sonic_rs::{JsonValueTrait, LazyValue};

/// The value at a path of names joined by dots, as it is spelled; `None` if there is none. A name may have dots itself.
pub(super) fn find(object: &str, path: &str) -> Option<String> {
    let (outer, inner) = path.split_once('.')?;
    let outer: LazyValue<'_> = sonic_rs::get(object, &[outer]).ok()?;
    if !outer.is_object() {
        return None;
    }
    let object = outer.as_raw_str();
    let exact: Option<LazyValue<'_>> = sonic_rs::get(object, &[inner]).ok();
    exact.map(|value| value.as_raw_str().to_owned()).or_else(|| find(object, inner))
}

/// A value by its spelling; `None` if it is not JSON.
pub(super) fn value_of(spelled: &str) -> Option<Value<'static>> {
    let mut deserializer = sonic_rs::Deserializer::from_str(spelled);
    ValueSeed { is_wanted: true }.deserialize(&mut deserializer).ok().map(Value::into_owned)
}

//! Values of JSON Lines that the writer would lose.
//!
//! ```text
//! NaN, infinities            "NaN", "Infinity", "-Infinity": JSON has no such numbers; as Protocol Buffers do
//! null inside a dictionary   null
//! ```
//!
//! The writer would make null of the first, and an empty value of the second. Records with numbers that are none are
//! common: null, or the end of the job, would lose more than strings do.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float16Type, Float32Type, Float64Type};
use arrow_json::writer::{Encoder, EncoderFactory, EncoderOptions, NullableEncoder, make_encoder};
use arrow_schema::{ArrowError, DataType, FieldRef};
use std::sync::LazyLock;

/// The encoding of all other values.
static DEFAULT: LazyLock<EncoderOptions> = LazyLock::new(EncoderOptions::default);

/// Encoders for arrays with such values.
#[derive(Debug)]
pub(super) struct Encoders;

impl EncoderFactory for Encoders {
    fn make_default_encoder<'a>(
        &self,
        field: &'a FieldRef,
        array: &'a dyn Array,
        options: &'a EncoderOptions,
    ) -> Result<Option<NullableEncoder<'a>>, ArrowError> {
        if let Some(special) = SpecialFloats::find(array) {
            let numbers = make_encoder(field, array, &DEFAULT)?;
            let encoder = Floats { special, numbers };
            return Ok(Some(NullableEncoder::new(Box::new(encoder), array.nulls().cloned())));
        }
        let DataType::Dictionary(..) = array.data_type() else { return Ok(None) };
        let dictionary = array.as_any_dictionary();
        if dictionary.values().logical_null_count() == 0 {
            return Ok(None);
        }
        let values = make_encoder(field, dictionary.values().as_ref(), options)?;
        let encoder = Dictionary { keys: dictionary.normalized_keys(), values };
        Ok(Some(NullableEncoder::new(Box::new(encoder), array.logical_nulls())))
    }
}

struct Dictionary<'a> {
    keys: Vec<usize>,
    values: NullableEncoder<'a>,
}

impl Encoder for Dictionary<'_> {
    fn encode(&mut self, index: usize, out: &mut Vec<u8>) {
        self.values.encode(self.keys[index], out);
    }
}

struct Floats<'a> {
    special: SpecialFloats,
    numbers: NullableEncoder<'a>,
}

impl Encoder for Floats<'_> {
    fn encode(&mut self, index: usize, out: &mut Vec<u8>) {
        match self.special.0.get(index).copied().flatten() {
            Some(name) => out.extend_from_slice(name.as_bytes()),
            None => self.numbers.encode(index, out),
        }
    }
}

/// Texts of floats that are no numbers, by index.
struct SpecialFloats(Vec<Option<&'static str>>);

impl SpecialFloats {
    /// `None` if all values are numbers.
    fn find(array: &dyn Array) -> Option<Self> {
        match array.data_type() {
            DataType::Float16 => {
                Self::among(array.as_primitive::<Float16Type>().values().iter().map(|value| value.to_f64()))
            }
            DataType::Float32 => {
                Self::among(array.as_primitive::<Float32Type>().values().iter().map(|&value| value.into()))
            }
            DataType::Float64 => Self::among(array.as_primitive::<Float64Type>().values().iter().copied()),
            _ => None,
        }
    }

    /// Looks at the values before texts are made: an array may be large, and is looked at for each of its blocks.
    fn among(values: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let is_special = values.clone().any(|value| !value.is_finite());
        is_special.then(|| Self(values.map(name).collect()))
    }
}

fn name(value: f64) -> Option<&'static str> {
    match value {
        _ if value.is_nan() => Some(r#""NaN""#),
        f64::INFINITY => Some(r#""Infinity""#),
        f64::NEG_INFINITY => Some(r#""-Infinity""#),
        _ => None,
    }
}

//! Values that order documents, the newest or the best first.
//!
//! Ids and time stamps in nanoseconds are integers of which a float of 64 bits holds 53: neighbours would be equal.
//! So integers are kept as such, and compared with floats exactly.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// A value that orders documents: a number, or a string (ISO 8601 dates sort by time).
#[derive(Debug, Clone, PartialEq, PartialOrd, Serialize, Deserialize)]
pub enum Score {
    /// A number.
    Number(Number),
    /// A string.
    Text(String),
}

impl Score {
    /// The score in an untyped field: a number if it parses as a finite one.
    pub(crate) fn of_text(text: &str) -> Self {
        Number::of_text(text).map_or_else(|| Self::Text(text.to_owned()), Self::Number)
    }
}

/// An integer of 128 bits, or a float that is not NaN; ordered by value, without rounding.
///
/// ```
/// use lookalike_io::Number;
///
/// let [low, high] = [1_700_000_000_000_000_000, 1_700_000_000_000_000_001].map(Number::of_integer);
/// assert!(low < high && Some(low) == Number::of_float(1.7e18));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Number(Value);

#[derive(Debug, Clone, Copy)]
enum Value {
    Integer(i128),
    Float(f64),
}

impl Number {
    /// An integer.
    pub fn of_integer(number: i128) -> Self {
        Self(Value::Integer(number))
    }

    /// A float; `None` for NaN, which has no position in an order.
    pub fn of_float(number: f64) -> Option<Self> {
        (!number.is_nan()).then_some(Self(Value::Float(number)))
    }

    /// The finite number that a text is, with blanks around it or not; a whole one beyond 128 bits is a float.
    pub fn of_text(text: &str) -> Option<Self> {
        let text = text.trim();
        let float =
            || text.parse().ok().filter(|number: &f64| number.is_finite()).map(|number| Self(Value::Float(number)));
        text.parse().map(Self::of_integer).ok().or_else(float)
    }

    /// The number, if it is a whole one.
    pub fn whole(self) -> Option<i128> {
        match self.0 {
            Value::Integer(number) => Some(number),
            Value::Float(number) => (number.fract() == 0.0).then_some(number as i128),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Integer(number) => number.fmt(formatter),
            Value::Float(number) => number.fmt(formatter),
        }
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.0, other.0) {
            (Value::Integer(left), Value::Integer(right)) => left.cmp(&right),
            (Value::Float(left), Value::Float(right)) => compare(left, right),
            (Value::Integer(left), Value::Float(right)) => compare_with_float(left, right),
            (Value::Float(left), Value::Integer(right)) => compare_with_float(right, left).reverse(),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

/// Compares floats, neither of which is NaN.
fn compare(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right).unwrap_or(Ordering::Equal)
}

fn compare_with_float(integer: i128, float: f64) -> Ordering {
    // Minus the least integer: 2^127, which is a float.
    const END: f64 = -(i128::MIN as f64);
    if float >= END {
        return Ordering::Less;
    }
    if float < -END {
        return Ordering::Greater;
    }
    // The cast drops the fraction.
    integer.cmp(&(float as i128)).then_with(|| compare(0.0, float.fract()))
}

/// The words for floats that JSON does not have.
const INFINITE: [(&str, f64); 2] = [("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)];

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Integer(number) => match (i64::try_from(number), u64::try_from(number)) {
                (Ok(number), _) => serializer.serialize_i64(number),
                (_, Ok(number)) => serializer.serialize_u64(number),
                // A number of JSON would come back as a float.
                (Err(_), Err(_)) => serializer.serialize_str(&number.to_string()),
            },
            Value::Float(number) => match INFINITE.iter().find(|(_, infinite)| *infinite == number) {
                Some((word, _)) => serializer.serialize_str(word),
                None => serializer.serialize_f64(number),
            },
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number")
    }

    fn visit_i64<E>(self, number: i64) -> Result<Number, E> {
        Ok(Number::of_integer(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Number, E> {
        Ok(Number::of_integer(number.into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Number, E> {
        Number::of_float(number).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
        let infinite = || INFINITE.iter().find(|(word, _)| *word == text).map(|&(_, number)| Value::Float(number));
        let fits = |number: &i128| i64::try_from(*number).is_ok() || u64::try_from(*number).is_ok();
        let large = text.parse().ok().filter(|number| !fits(number)).map(Value::Integer);
        large.or_else(infinite).map(Number).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(number: f64) -> Number {
        Number::of_float(number).unwrap()
    }

    #[test]
    fn numbers_are_ordered_without_rounding() {
        let two_to_53 = 1 << 53;
        let ascending = [
            float(f64::NEG_INFINITY),
            float(-1e300),
            Number::of_integer(i64::MIN.into()),
            Number::of_integer(-two_to_53 - 1),
            float(-9007199254740992.0),
            Number::of_integer(-1),
            float(-0.5),
            Number::of_integer(0),
            float(0.5),
            Number::of_integer(1),
            float(9007199254740992.0),
            Number::of_integer(two_to_53 + 1),
            Number::of_integer(u64::MAX.into()),
            float(u64::MAX as f64),
            Number::of_integer(i128::MAX),
            float(1e300),
            float(f64::INFINITY),
        ];
        for (i, left) in ascending.iter().enumerate() {
            for (j, right) in ascending.iter().enumerate() {
                assert_eq!(left.cmp(right), i.cmp(&j), "{left} {right}");
            }
        }
        assert_eq!(Number::of_integer(two_to_53), float(9007199254740992.0));
        assert_eq!(Number::of_integer(0), float(-0.0));
        assert_eq!(Number::of_integer(1 << 100), float((1_u128 << 100) as f64));
        assert_eq!(Number::of_float(f64::NAN), None);
    }

    #[test]
    fn stored_scores_come_back_and_older_ones_are_read() {
        let whole = |number: i128| Score::Number(Number::of_integer(number));
        let scores = [
            (whole(9007199254740993), "{\"Number\":9007199254740993}"),
            (whole(u64::MAX.into()), "{\"Number\":18446744073709551615}"),
            (whole(i64::MIN.into()), "{\"Number\":-9223372036854775808}"),
            (whole(-(1 << 100)), "{\"Number\":\"-1267650600228229401496703205376\"}"),
            (Score::Number(float(1.5)), "{\"Number\":1.5}"),
            (Score::Number(float(f64::NEG_INFINITY)), "{\"Number\":\"-Infinity\"}"),
            (Score::Text("2026".to_owned()), "{\"Text\":\"2026\"}"),
        ];
        for (score, stored) in scores {
            assert_eq!(serde_json::to_string(&score).unwrap(), stored);
            assert_eq!(serde_json::from_str::<Score>(stored).unwrap(), score);
        }
        // What files of floats had.
        assert_eq!(serde_json::from_str::<Score>("{\"Number\":7.0}").unwrap(), whole(7));
        for refused in ["{\"Number\":null}", "{\"Number\":\"7\"}", "{\"Number\":true}"] {
            assert!(serde_json::from_str::<Score>(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn texts_are_numbers_where_they_parse_as_such() {
        let of = |text| Score::of_text(text);
        assert!(of("9007199254740993") > of("9007199254740992.0"));
        assert_eq!(of(" 7"), of("7.0"));
        assert_eq!(of("inf"), Score::Text("inf".to_owned()));
    }
}

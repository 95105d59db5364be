//! Values that order documents, the newest or the best first.
//!
//! Ids and time stamps in nanoseconds are integers of which a float of 64 bits holds 53, and time stamps in decimal
//! have more digits than it holds: neighbours would be equal. So integers and decimals are kept as such, and a float is
//! compared as the decimal that it is printed as, the shortest that is read as this float: 0.1 of a Parquet file equals
//! 0.1 of a text. Its exact value, 0.1000000000000000055, was turned down: nobody has written it.

mod decimal;

use self::decimal::Decimal;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

/// The value of a field that orders documents, of a record that has the field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Score {
    /// A number of a format that has such.
    Number(Number),
    /// A string. What it means, the strings of all documents say together: a table has no types.
    Text(String),
    /// No value: null, NaN, or a string of blanks.
    Missing,
}

impl Score {
    /// The score in a string.
    pub(crate) fn from_text(text: Cow<'_, str>) -> Self {
        if text.trim().is_empty() { Self::Missing } else { Self::Text(text.into_owned()) }
    }

    /// The score in a number, which may be none.
    pub(crate) fn from_number(number: Option<Number>) -> Self {
        number.map_or(Self::Missing, Self::Number)
    }
}

/// An integer, a decimal of any number of digits, or a float that is not NaN; ordered by value, without rounding. A
/// float stands for the shortest decimal that is read as it.
///
/// ```
/// use lookalike_io::base::Number;
///
/// let [low, high] = [1_700_000_000_000_000_000, 1_700_000_000_000_000_001].map(Number::of_integer);
/// assert!(low < high && Some(low) == Number::of_float(1.7e18));
/// assert!(Number::of_text("1700000000.123456788") < Number::of_text("1700000000.123456789"));
/// ```
#[derive(Debug, Clone)]
pub struct Number(NumberValue);

#[derive(Debug, Clone)]
enum NumberValue {
    Integer(i128),
    Float(f64),
    /// A number that neither an integer of 128 bits nor a float holds.
    Decimal(Decimal),
}

impl Number {
    /// An integer.
    pub fn of_integer(number: i128) -> Self {
        Self(NumberValue::Integer(number))
    }

    /// A float; `None` for NaN, which has no position in an order.
    pub fn of_float(number: f64) -> Option<Self> {
        (!number.is_nan()).then_some(Self(NumberValue::Float(number)))
    }

    /// The finite number that a text spells in decimal, with an exponent of at most nine digits or none; blanks around
    /// it do not count.
    pub fn of_text(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(number) = text.parse() {
            return Some(Self::of_integer(number));
        }
        let decimal = Decimal::from_text(text)?;
        let whole = decimal.integer().map(NumberValue::Integer);
        // A float takes no memory of its own.
        let float = || text.parse().ok().filter(|float| decimal.is_float(*float)).map(NumberValue::Float);
        Some(Self(whole.or_else(float).unwrap_or(NumberValue::Decimal(decimal))))
    }

    /// The number, if it is a whole one of at most 128 bits.
    pub fn whole(&self) -> Option<i128> {
        match &self.0 {
            NumberValue::Integer(number) => Some(*number),
            NumberValue::Float(number) => {
                // Minus the least integer: 2^127, which is a float.
                let is_whole = number.fract() == 0.0 && number.abs() < -(i128::MIN as f64);
                is_whole.then_some(*number as i128)
            }
            NumberValue::Decimal(_) => None,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            NumberValue::Integer(number) => number.fmt(formatter),
            NumberValue::Float(number) => number.fmt(formatter),
            NumberValue::Decimal(decimal) => decimal.fmt(formatter),
        }
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (NumberValue::Integer(left), NumberValue::Integer(right)) => left.cmp(right),
            (NumberValue::Float(left), NumberValue::Float(right)) => compare(*left, *right),
            (NumberValue::Decimal(left), NumberValue::Decimal(right)) => left.cmp(right),
            (NumberValue::Integer(left), NumberValue::Float(right)) => compare_with_float(*left, *right),
            (NumberValue::Float(left), NumberValue::Integer(right)) => compare_with_float(*right, *left).reverse(),
            (NumberValue::Decimal(left), NumberValue::Integer(right)) => left.cmp(&Decimal::from_integer(*right)),
            (NumberValue::Integer(left), NumberValue::Decimal(right)) => Decimal::from_integer(*left).cmp(right),
            (NumberValue::Decimal(left), NumberValue::Float(right)) => left.compare_with_float(*right),
            (NumberValue::Float(left), NumberValue::Decimal(right)) => right.compare_with_float(*left).reverse(),
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

/// Returns whether the shortest decimal that is read as a float has the value of this number.
pub(crate) fn is_printed_as(float: f64, number: &str) -> bool {
    Decimal::from_text(number).is_some_and(|decimal| decimal.is_float(float))
}

/// Compares floats, neither of which is NaN.
fn compare(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right).unwrap_or(Ordering::Equal)
}

fn compare_with_float(integer: i128, float: f64) -> Ordering {
    /// Minimum absolute value of floats that may be other numbers than their shortest decimals.
    const MAX_EXACT: f64 = 9007199254740992.0;
    if float.abs() >= MAX_EXACT {
        return Decimal::from_integer(integer).compare_with_float(float);
    }
    // The cast drops the fraction.
    integer.cmp(&(float as i128)).then_with(|| compare(0.0, float.fract()))
}

/// The words for floats that JSON does not have.
const INFINITE: [(&str, f64); 2] = [("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)];

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            NumberValue::Integer(number) => match (i64::try_from(*number), u64::try_from(*number)) {
                (Ok(number), _) => serializer.serialize_i64(number),
                (_, Ok(number)) => serializer.serialize_u64(number),
                // A number of JSON would come back as a float.
                (Err(_), Err(_)) => serializer.serialize_str(&number.to_string()),
            },
            NumberValue::Float(number) => match INFINITE.iter().find(|(_, infinite)| infinite == number) {
                Some((word, _)) => serializer.serialize_str(word),
                None => serializer.serialize_f64(*number),
            },
            NumberValue::Decimal(decimal) => serializer.serialize_str(&decimal.to_string()),
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
        let infinite =
            || INFINITE.iter().find(|(word, _)| *word == text).map(|&(_, number)| NumberValue::Float(number));
        // Numbers of JSON are stored as such.
        let large = Number::of_text(text).map(|number| number.0).filter(|value| match value {
            NumberValue::Integer(number) => i64::try_from(*number).is_err() && u64::try_from(*number).is_err(),
            NumberValue::Float(_) => false,
            NumberValue::Decimal(_) => true,
        });
        large.or_else(infinite).map(Number).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(number: f64) -> Number {
        Number::of_float(number).unwrap()
    }

    fn text(text: &str) -> Number {
        Number::of_text(text).unwrap()
    }

    #[test]
    fn numbers_are_ordered_without_rounding() {
        let two_to_53 = 1 << 53;
        let ascending = [
            float(f64::NEG_INFINITY),
            text("-1e400"),
            float(-1e300),
            text("-170141183460469231731687303715884105729"),
            Number::of_integer(i64::MIN.into()),
            Number::of_integer(-two_to_53 - 1),
            float(-9007199254740992.0),
            Number::of_integer(-1),
            float(-0.5),
            text("-1e-400"),
            Number::of_integer(0),
            text("1e-400"),
            float(0.1),
            text("0.12345678901234567891"),
            text("0.12345678901234567892"),
            float(0.5),
            Number::of_integer(1),
            text("1700000000.123456788"),
            text("1700000000.123456789"),
            float(9007199254740992.0),
            Number::of_integer(two_to_53 + 1),
            Number::of_integer(u64::MAX.into()),
            float(u64::MAX as f64),
            Number::of_integer(18446744073709553000),
            Number::of_integer(i128::MAX),
            text("170141183460469231731687303715884105728"),
            text("170141183460469231731687303715884105728.5"),
            float(1e300),
            text("1e400"),
            text("1.00000000000000000001e400"),
            float(f64::INFINITY),
        ];
        for (i, left) in ascending.iter().enumerate() {
            for (j, right) in ascending.iter().enumerate() {
                assert_eq!(left.cmp(right), i.cmp(&j), "{left} {right}");
            }
        }
        assert_eq!(Number::of_integer(two_to_53), float(9007199254740992.0));
        assert_eq!(Number::of_integer(0), float(-0.0));
        // A float of which the shortest decimal is another number than its exact value.
        assert_eq!(text("18446744073709552000"), float(u64::MAX as f64));
        for (left, right) in
            [("0.1", "1e-1"), ("10", "1e1"), ("-0.0", "0"), ("1.50", "1.5"), ("+2.", "2"), (".5", "5e-1")]
        {
            assert_eq!(text(left), text(right));
        }
        assert_eq!(text("0.1"), float(0.1));
        assert_eq!(text("1e-7"), float(1e-7));
        assert_eq!((text("7.0").whole(), text("7.5").whole(), text("1e40").whole()), (Some(7), None, None));
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
            (Score::Number(text("1700000000.123456788")), "{\"Number\":\"1.700000000123456788e9\"}"),
            (Score::Number(text("-1e400")), "{\"Number\":\"-1e400\"}"),
            (Score::Text("2026".to_owned()), "{\"Text\":\"2026\"}"),
            (Score::Missing, "\"Missing\""),
        ];
        for (score, stored) in scores {
            assert_eq!(serde_json::to_string(&score).unwrap(), stored);
            assert_eq!(serde_json::from_str::<Score>(stored).unwrap(), score);
        }
        // Values of files of floats.
        assert_eq!(serde_json::from_str::<Score>("{\"Number\":7.0}").unwrap(), whole(7));
        for refused in ["{\"Number\":null}", "{\"Number\":\"7\"}", "{\"Number\":true}", "{\"Number\":\"1.5\"}"] {
            assert!(serde_json::from_str::<Score>(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn texts_that_spell_no_finite_decimal_are_no_numbers() {
        let nine = "9".repeat(9);
        for spelled in [" 7 ", "+7", "-2e3", "1.", ".5", "1E+2", "00.10", "0e99999999999", &format!("1e{nine}")] {
            assert!(Number::of_text(spelled).is_some(), "{spelled}");
        }
        for other in [
            "",
            " ",
            ".",
            "-",
            "+",
            "e5",
            "1e",
            "1e+",
            "inf",
            "-Infinity",
            "nan",
            "NaN",
            "0x10",
            "1_000",
            "1,5",
            "1.2.3",
            "--1",
            "1 2",
            "1e1.5",
            "1e9999999999",
            "\u{661}",
        ] {
            assert!(Number::of_text(other).is_none(), "{other}");
        }
    }

    #[test]
    fn strings_of_blanks_are_no_value() {
        assert_eq!(["", " \t", "\u{a0}"].map(|text| Score::from_text(text.into())), [const { Score::Missing }; 3]);
        assert_eq!(Score::from_text(" 7".into()), Score::Text(" 7".to_owned()));
        assert_eq!(Score::from_number(Number::of_float(f64::NAN)), Score::Missing);
    }
}

//! Values that a format cannot hold, though it has their type.
//!
//! ```text
//! JSON Lines, CSV, TSV   times beyond the calendar (years -262142 to 262142), times of a day beyond 24 hours,
//!                        durations beyond 2^63 milliseconds
//! JSON Lines             maps that have a key twice
//! Parquet                what overflows in milliseconds or days: seconds of timestamp[s] and time32[s], date64 with a
//!                        part of a day
//! ```
//!
//! The writers would put the text of an error, an invalid value or another number in their place.

use crate::columns::data_types::{has_type, repeated};
use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::{MILLISECONDS, MILLISECONDS_IN_DAY, as_datetime, as_duration, as_time};
use arrow_array::types::{
    Date32Type, Date64Type, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType,
    DurationSecondType, Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrowPrimitiveType, RecordBatch};
use arrow_cast::cast;
use arrow_schema::{DataType, TimeUnit};

/// A value that cannot be written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unwritable {
    /// Index of its row in the batch.
    pub(super) row: usize,
    pub(super) column: String,
    /// The number that is stored, and its type.
    pub(super) found: String,
}

/// A value, whole or a part of another, by its index; the answer describes it if it cannot be written.
type ValueCheck<'c> = &'c dyn Fn(&dyn Array, usize) -> Option<String>;

/// The first value of a batch that text cannot show.
pub(super) fn unprintable(batch: &RecordBatch) -> Option<Unwritable> {
    first(batch, &is_limited_in_text, &unprintable_part)
}

fn is_limited_in_text(part: &DataType) -> bool {
    part.is_temporal() || matches!(part, DataType::Map(..))
}

/// Returns whether a type, or one inside of it, has values that text cannot show.
pub(super) fn may_be_unprintable(data_type: &DataType) -> bool {
    has_type(data_type, &is_limited_in_text)
}

/// The first value of a batch that changes in the types that Parquet has.
pub(super) fn beyond_parquet(batch: &RecordBatch) -> Option<Unwritable> {
    let is_checked = |leaf: &DataType| {
        matches!(leaf, DataType::Timestamp(TimeUnit::Second, _) | DataType::Time32(TimeUnit::Second) | DataType::Date64)
    };
    first(batch, &is_checked, &beyond_parquet_leaf)
}

/// Description of a value that text cannot show.
pub(super) fn unprintable_value(array: &dyn Array, index: usize) -> Option<String> {
    in_value(array, index, &unprintable_part)
}

fn first(batch: &RecordBatch, is_checked: &dyn Fn(&DataType) -> bool, check: ValueCheck<'_>) -> Option<Unwritable> {
    let schema = batch.schema();
    let columns = batch.columns();
    let checked: Vec<_> =
        schema.fields().iter().zip(columns).filter(|(_, c)| has_type(c.data_type(), is_checked)).collect();
    (0..batch.num_rows()).find_map(|row| {
        checked.iter().find_map(|(field, column)| {
            let found = in_value(column, row, check)?;
            Some(Unwritable { row, column: field.name().clone(), found })
        })
    })
}

/// The first part of the value at `index` that fails the check; what nulls hide is not looked at.
fn in_value(array: &dyn Array, index: usize, check: ValueCheck<'_>) -> Option<String> {
    if array.is_null(index) {
        return None;
    }
    if let Some(found) = check(array, index) {
        return Some(found);
    }
    let in_items = |items: &dyn Array| (0..items.len()).find_map(|item| in_value(items, item, check));
    match array.data_type() {
        DataType::List(_) => in_items(&array.as_list::<i32>().value(index)),
        DataType::LargeList(_) => in_items(&array.as_list::<i64>().value(index)),
        DataType::FixedSizeList(..) => in_items(&array.as_fixed_size_list().value(index)),
        DataType::ListView(_) => in_items(&array.as_list_view::<i32>().value(index)),
        DataType::LargeListView(_) => in_items(&array.as_list_view::<i64>().value(index)),
        DataType::Map(..) => in_items(&array.as_map().value(index)),
        DataType::Struct(_) => array.as_struct().columns().iter().find_map(|field| in_value(field, index, check)),
        DataType::Dictionary(..) => {
            let one = array.slice(index, 1);
            let key = one.as_any_dictionary().normalized_keys().first().copied()?;
            in_value(one.as_any_dictionary().values(), key, check)
        }
        DataType::RunEndEncoded(_, values) => {
            in_value(&cast(&array.slice(index, 1), values.data_type()).ok()?, 0, check)
        }
        _ => None,
    }
}

/// A stored value as an integer.
fn integer<T: ArrowPrimitiveType<Native: Into<i64>>>(array: &dyn Array, index: usize) -> i64 {
    array.as_primitive::<T>().value(index).into()
}

/// A key that a map has twice: an object of JSON has each name once.
fn repeated_key(array: &dyn Array, index: usize) -> Option<String> {
    let entries = array.as_map_opt()?.value(index);
    let keys = cast(entries.column(0), &DataType::Utf8).ok()?;
    let key = repeated(keys.as_string::<i32>().iter().flatten())?;
    Some(format!("a map with two values of the key `{key}`"))
}

fn unprintable_part(array: &dyn Array, index: usize) -> Option<String> {
    repeated_key(array, index).or_else(|| unprintable_leaf(array, index))
}

fn unprintable_leaf(array: &dyn Array, index: usize) -> Option<String> {
    macro_rules! checked {
        ($convert:ident, $type:ty) => {{
            let value = integer::<$type>(array, index);
            (value, $convert::<$type>(value).is_some())
        }};
    }
    let (value, is_printable) = match array.data_type() {
        DataType::Date32 => checked!(as_datetime, Date32Type),
        DataType::Date64 => checked!(as_datetime, Date64Type),
        DataType::Timestamp(TimeUnit::Second, _) => checked!(as_datetime, TimestampSecondType),
        DataType::Timestamp(TimeUnit::Millisecond, _) => checked!(as_datetime, TimestampMillisecondType),
        DataType::Timestamp(TimeUnit::Microsecond, _) => checked!(as_datetime, TimestampMicrosecondType),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => checked!(as_datetime, TimestampNanosecondType),
        DataType::Time32(TimeUnit::Second) => checked!(as_time, Time32SecondType),
        DataType::Time32(_) => checked!(as_time, Time32MillisecondType),
        DataType::Time64(TimeUnit::Microsecond) => checked!(as_time, Time64MicrosecondType),
        DataType::Time64(_) => checked!(as_time, Time64NanosecondType),
        DataType::Duration(TimeUnit::Second) => checked!(as_duration, DurationSecondType),
        DataType::Duration(TimeUnit::Millisecond) => checked!(as_duration, DurationMillisecondType),
        DataType::Duration(TimeUnit::Microsecond) => checked!(as_duration, DurationMicrosecondType),
        DataType::Duration(TimeUnit::Nanosecond) => checked!(as_duration, DurationNanosecondType),
        _ => return None,
    };
    (!is_printable).then(|| described(value, array))
}

fn beyond_parquet_leaf(array: &dyn Array, index: usize) -> Option<String> {
    let value = match array.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => integer::<TimestampSecondType>(array, index),
        DataType::Time32(TimeUnit::Second) => integer::<Time32SecondType>(array, index),
        DataType::Date64 => integer::<Date64Type>(array, index),
        _ => return None,
    };
    let fits = match array.data_type() {
        DataType::Timestamp(..) => value.checked_mul(MILLISECONDS).is_some(),
        DataType::Time32(_) => i32::try_from(value.saturating_mul(MILLISECONDS)).is_ok(),
        _ => value % MILLISECONDS_IN_DAY == 0 && i32::try_from(value / MILLISECONDS_IN_DAY).is_ok(),
    };
    (!fits).then(|| described(value, array))
}

fn described(value: i64, array: &dyn Array) -> String {
    format!("{value} of type {}", array.data_type())
}

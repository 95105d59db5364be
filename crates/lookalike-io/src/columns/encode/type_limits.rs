//! Types that a format cannot hold.

use crate::base::RecordFormat;
use crate::base::details::Remedy;
use crate::columns::batch_format::BatchFormat;
use crate::columns::data_types::{inside, repeated};
use arrow_schema::{DataType, Fields, IntervalUnit};

/// A type that a format lacks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Lacking {
    /// The column, with the path to the type inside it.
    pub(super) column: String,
    pub(super) found: String,
    /// The formats that have it.
    pub(super) remedy: Remedy,
}

/// The formats that have what others lack.
const ARROW: Remedy = Remedy::Formats(&[RecordFormat::Arrow]);
const ARROW_AND_JSON: Remedy = Remedy::Formats(&[RecordFormat::Arrow, RecordFormat::JsonLines]);
const PARQUET_AND_ARROW: Remedy = Remedy::Formats(&[RecordFormat::Parquet, RecordFormat::Arrow]);

type TypeLimit = Option<(String, Remedy)>;

/// The first column of a type that the format lacks.
pub(super) fn lacking(format: &BatchFormat, fields: &Fields) -> Option<Lacking> {
    let test: fn(&DataType) -> TypeLimit = match format {
        BatchFormat::JsonLines => not_in_json,
        BatchFormat::Delimited(_) => not_in_text,
        BatchFormat::Parquet => not_in_parquet,
        BatchFormat::ArrowFile(..) | BatchFormat::ArrowStream(_) => return None,
    };
    let twice = || {
        let name = repeated(fields.iter().map(|field| field.name().as_str()))?;
        Some(Lacking { column: name.to_owned(), found: TWICE.to_owned(), remedy: PARQUET_AND_ARROW })
    };
    let is_json = *format == BatchFormat::JsonLines;
    let lacking = fields.iter().find_map(|field| in_type(field.data_type(), field.name().clone(), test));
    lacking.or_else(|| is_json.then(twice).flatten())
}

/// Fault of a column or field in JSON, whose readers take one of two values of a name.
const TWICE: &str = "there twice";

fn in_type(data_type: &DataType, column: String, test: fn(&DataType) -> TypeLimit) -> Option<Lacking> {
    if let Some((found, remedy)) = test(data_type) {
        return Some(Lacking { column, found, remedy });
    }
    let path = |name: Option<&str>| name.map_or_else(|| column.clone(), |name| format!("{column}.{name}"));
    inside(data_type).into_iter().find_map(|(name, inner)| in_type(inner, path(name), test))
}

fn not_in_text(data_type: &DataType) -> TypeLimit {
    match data_type {
        DataType::Union(..) => Some(("a union".to_owned(), ARROW)),
        found if found.is_nested() => Some((
            "nested".to_owned(),
            Remedy::Formats(&[RecordFormat::JsonLines, RecordFormat::Parquet, RecordFormat::Arrow]),
        )),
        _ => None,
    }
}

fn not_in_json(data_type: &DataType) -> TypeLimit {
    match data_type {
        DataType::Union(..) => Some(("a union".to_owned(), ARROW)),
        DataType::Map(entries, _) => {
            let DataType::Struct(fields) = entries.data_type() else { return None };
            let key = fields.first()?.data_type();
            (!key.is_string()).then(|| (format!("a map with keys of type {key}"), PARQUET_AND_ARROW))
        }
        DataType::Struct(fields) => {
            let name = repeated(fields.iter().map(|field| field.name().as_str()))?;
            Some((format!("an object with two fields `{name}`"), PARQUET_AND_ARROW))
        }
        _ => None,
    }
}

fn not_in_parquet(data_type: &DataType) -> TypeLimit {
    match data_type {
        DataType::Union(..) => Some(("a union".to_owned(), ARROW)),
        DataType::Interval(IntervalUnit::MonthDayNano) => {
            Some(("an interval of months, days and nanoseconds".to_owned(), ARROW_AND_JSON))
        }
        DataType::Struct(fields) if fields.is_empty() => Some(("an object without fields".to_owned(), ARROW_AND_JSON)),
        _ => None,
    }
}

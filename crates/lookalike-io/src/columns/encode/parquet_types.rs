//! Types that Parquet lacks, in the nearest ones that hold their values.
//!
//! ```text
//! timestamp[s]   timestamp[ms]
//! time32[s]      time32[ms]
//! date64         date32; it has whole days only
//! ```
//!
//! The writer would store them as plain integers, whose meaning only readers based on Arrow know.

use crate::columns::data_types::{with_type, with_types};
use arrow_schema::{DataType, Field, SchemaRef, TimeUnit};
use std::sync::Arc;

/// The schema in types that Parquet has.
pub(super) fn with_parquet_types(schema: &SchemaRef) -> SchemaRef {
    with_types(schema, &parquet_type)
}

/// The type in place of one that Parquet lacks; `None` for one that it has.
fn parquet_type(data_type: &DataType) -> Option<DataType> {
    match data_type {
        DataType::Timestamp(TimeUnit::Second, zone) => Some(DataType::Timestamp(TimeUnit::Millisecond, zone.clone())),
        DataType::Time32(TimeUnit::Second) => Some(DataType::Time32(TimeUnit::Millisecond)),
        DataType::Date64 => Some(DataType::Date32),
        // The writer stores the values in place of the keys, those of structs and lists, too.
        DataType::Dictionary(_, values) => {
            let field = Arc::new(Field::new("", DataType::clone(values), true));
            let changed = with_type(&field, &parquet_type);
            (changed.data_type() != &**values).then(|| changed.data_type().clone())
        }
        _ => None,
    }
}

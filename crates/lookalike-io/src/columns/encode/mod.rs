//! Batches written in any format: what a format lacks is looked for before its writer sees it.

mod batch_writer;
mod encoder;
mod json_encoders;
mod json_values;
mod parquet_types;
mod type_limits;
mod value_limits;

pub(crate) use batch_writer::{BatchWriter, unwritable};
pub(crate) use json_values::{JsonColumn, JsonValues};

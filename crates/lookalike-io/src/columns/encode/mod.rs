//! Batches written in any format: what a format lacks is looked for before its writer sees it.
//!
//! ```text
//! batch_writer   batches, written in any format
//! encoder        the writers of the formats, behind one interface
//! json_encoders  values that the writer of JSON Lines would lose
//! json_values    values of a column as JSON, one at a time
//! parquet_types  types that Parquet lacks, as the nearest ones
//! type_limits    types that a format cannot hold
//! value_limits   values that a format cannot hold
//! ```

mod batch_writer;
mod encoder;
mod json_encoders;
mod json_values;
mod parquet_types;
mod type_limits;
mod value_limits;

pub(crate) use batch_writer::{BatchWriter, unwritable};
pub(crate) use json_values::{JsonColumn, JsonValues};

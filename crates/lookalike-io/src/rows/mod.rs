//! The rows of our own files, and the fields that annotations add to records: the only place for their names and types.

mod field;
mod schema;

pub use field::RowField;
pub(crate) use field::RowKind;
pub use schema::{Annotation, ClusterRow, CopyKind, CopyRow, PairRow, RemovalRow};

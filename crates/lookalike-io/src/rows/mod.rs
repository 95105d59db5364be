//! The rows of our own files, and the fields that annotations add to records: the only place for their names and types.

mod answer;
mod basis;
mod field;
mod fingerprints;
mod passages;
mod schema;

pub use answer::{AnswerFields, AnswerFigure, AnswerRow, JsonForm, StoredFields};
pub use basis::{BASIS_KEY, side_file};
pub use field::RowField;
pub(crate) use field::RowKind;
pub use fingerprints::FingerprintRow;
pub use passages::PassageRow;
pub use schema::{Annotation, ClusterRow, CopyKind, CopyRow, PairFigure, PairRow, RemovalRow, RowSources};

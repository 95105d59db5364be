//! The rows of our own files, and the fields that annotations add to records: the only place for their names and types.

mod annotation;
mod answer;
mod basis;
mod cuts;
mod field;
mod fingerprints;
mod passages;
mod schema;

pub(crate) use annotation::Cell;
pub use annotation::{Annotation, AnnotationKind};
pub use answer::{AnswerFields, AnswerFigure, AnswerRow, JsonForm, StoredFields};
pub use basis::{BASIS_KEY, side_file};
pub use cuts::CutRow;
pub use field::RowField;
pub(crate) use field::RowKind;
pub use fingerprints::FingerprintRow;
pub use passages::{PassageRow, SourceRow, UnsourcedRow};
pub use schema::{ClusterRow, CopyKind, CopyRow, PairFigure, PairRow, RemovalRow, RowSources};

//! The rows of our own files, and the fields that annotations add to records.
//!
//! ```text
//! all_columns   the list of columns: names, types, headings, descriptions, each once
//! figures       what a measure counts of a pair: Figure, Verified -> columns with values
//! row           a row is its cells in order; headers, JSON, tables and interfaces are made of these
//!
//! PairRow     a, b, figures, reason                      every verified pair
//! RemovalRow  id, kept, what the measure counts, reason  every removed document
//! ClusterRow  cluster, id                                every member of a cluster
//! CopyRow     group, id, equal, checksum                 every member of a group of exact copies
//! AnswerRow   query, rank, id, figures, reason           every answer of a search
//! SourceRow   id, source, places of a passage            every passage that stands in a source
//! ```
//!
//! On request, rows of pairs, removals and clusters name the files of their documents behind these columns. A row of a
//! kind is a struct of what its users look at; its cells say in which columns that stands. Macros that make one from
//! the other would hide both.

pub mod all_columns;
mod annotation;
mod answers;
mod clusters;
mod column;
mod cuts;
mod figures;
mod fingerprints;
mod pairs;
mod passages;
mod row;

pub use annotation::{Annotation, AnnotationKind};
pub use answers::{AnswerFields, AnswerRow, StoredFields};
pub use clusters::{ClusterRow, CopyKind, CopyRow};
pub use column::{Cell, Column, ColumnKind, Value};
pub use cuts::CutRow;
pub use figures::{Figures, Verified};
pub use fingerprints::FingerprintRow;
pub(crate) use pairs::PAIR_COLUMNS;
pub use pairs::{PairRow, RemovalRow, RowSources};
pub use passages::{PassageRow, SourceRow};
pub(crate) use row::{JsonForm, Serialized};
pub use row::{NumberedRow, Row, numbered, serialize_row};

use crate::base::with_suffix;
use std::path::{Path, PathBuf};

/// The entry of the metadata of Parquet and Arrow files that says what their rows depend on, their basis.
pub const BASIS_KEY: &str = "lookalike";

/// The file with the basis beside a file of rows in text: `pairs.csv.about.json` beside `pairs.csv`.
pub fn side_file(rows: &Path) -> PathBuf {
    with_suffix(rows, ".about.json")
}

#[cfg(test)]
mod tests;

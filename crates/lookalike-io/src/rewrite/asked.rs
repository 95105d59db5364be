//! What a conversion is asked for.

use super::wanted::{Annotations, TextEdit};
use crate::formats::{RecordFormat, RowFormat};
use crate::sources::{FieldNames, Source, SourceKind};

/// A conversion of the records of one or more sources into one file.
#[derive(Debug, Clone, Copy)]
pub struct Rewrite<'r> {
    /// Files of records, or text files that become records of one file, in order.
    pub sources: &'r [&'r Source],
    /// Names of their fields.
    pub fields: &'r FieldNames,
    /// Maximum size of a record in bytes, as in the first reading.
    pub limit: Option<u64>,
    /// Format of the output.
    pub format: RowFormat,
    /// What is added to the records.
    pub annotations: Annotations,
    /// What becomes of their texts; `None` if they stay.
    pub edit: Option<TextEdit<'r>>,
    /// What the choice of records depends on: Parquet and Arrow files carry it in their metadata, under
    /// [`BASIS_KEY`](crate::rows::BASIS_KEY), in place of what a source says of itself there.
    pub basis: Option<&'r str>,
}

impl Rewrite<'_> {
    /// Whether values can be copied from Parquet to Parquet, if the files have one schema.
    pub(super) fn is_parquet_only(&self) -> bool {
        let is_parquet =
            |source: &&Source| matches!(source.kind, SourceKind::Records { format: RecordFormat::Parquet, .. });
        self.format == RowFormat::Parquet && self.sources.iter().all(is_parquet)
    }
}

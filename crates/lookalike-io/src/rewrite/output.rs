//! The output of a conversion.

use super::wanted::{Annotations, TextEdit};
use crate::formats::RowFormat;
use crate::outputs::AtomicFile;
use crate::sources::FieldNames;

/// The output of a conversion.
pub(crate) struct Output<'o> {
    pub(crate) file: AtomicFile,
    pub(crate) format: RowFormat,
    pub(crate) annotations: Annotations,
    pub(crate) edit: Option<TextEdit<'o>>,
    /// Names of the fields of the sources.
    pub(crate) fields: &'o FieldNames,
    /// For the metadata, if the format has such.
    pub(crate) basis: Option<&'o str>,
}

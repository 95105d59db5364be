//! The output of a conversion.

use super::wanted::Annotations;
use crate::formats::RowFormat;
use crate::outputs::AtomicFile;

/// The output of a conversion.
pub(crate) struct Output<'o> {
    pub(crate) file: AtomicFile,
    pub(crate) format: RowFormat,
    pub(crate) annotations: Annotations,
    /// For the metadata, if the format has such.
    pub(crate) basis: Option<&'o str>,
}

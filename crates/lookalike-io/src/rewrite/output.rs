//! The output of a conversion.

use super::wanted::Annotations;
use crate::formats::RowFormat;
use crate::outputs::AtomicFile;

/// The output of a conversion.
pub(crate) struct Output {
    pub(crate) file: AtomicFile,
    pub(crate) format: RowFormat,
    pub(crate) annotations: Annotations,
}

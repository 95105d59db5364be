//! The output of a conversion.

use super::wanted::Annotations;
use crate::formats::RowFormat;
use crate::outputs::AtomicFile;
use std::path::Path;

/// The output of a conversion.
pub(crate) struct Output<'r> {
    pub(crate) file: AtomicFile,
    /// The source, for messages.
    pub(crate) source_path: &'r Path,
    pub(crate) format: RowFormat,
    pub(crate) annotations: Annotations,
}

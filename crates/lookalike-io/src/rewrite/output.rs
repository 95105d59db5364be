//! The output of a conversion.

use crate::formats::RowFormat;
use crate::outputs::AtomicFile;
use std::path::Path;

/// The output of a conversion.
pub(super) struct Output<'r> {
    pub(super) file: AtomicFile,
    /// The source, for messages.
    pub(super) source_path: &'r Path,
    pub(super) format: RowFormat,
    /// Whether annotations are added.
    pub(super) annotated: bool,
}
